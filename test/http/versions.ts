// The refusal of a version.
import { expect } from 'vitest'
import type { Answered } from '../helpers/sandbox.ts'

const inSandbox = 'Supported versions: 2025-05-05, 2026-10-13, latest.'

/** The whole refusal of a version: what it says, and that it carries no version. */
export function expectUnsupported(answer: Answered, shown: string, supported = inSandbox): void {
  expect(answer.json).toEqual({
    error: { type: 'BAD_REQUEST_ERROR', message: `Unsupported x-service-version '${shown}'. ${supported}` },
  })
  expect(answer.status).toBe(400)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.version).toBeNull()
  expect(answer.assumptions).toEqual([])
}
