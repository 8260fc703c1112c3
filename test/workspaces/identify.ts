// The refusal of a key that is not usable.
import { expect } from 'vitest'
import type { Answered } from '../helpers/sandbox.ts'

export const unusable = { error: { type: 'UNAUTHORIZED_ERROR', message: 'The API key is not usable here.' } }

/** A call without a workspace: refused, numbered in `default`, without a version. */
export function expectUnusable(answer: Answered): void {
  expect(answer.json).toEqual(unusable)
  expect(answer.status).toBe(401)
  expect(answer.version).toBeNull()
  expect(answer.requestId).toMatch(/^req_default_\d+$/)
}
