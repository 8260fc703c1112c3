import { expect } from 'vitest'
import { testNow, type Answered } from '../helpers/sandbox.ts'

/** The body of shape A for these violations (contract: Errors), on the clock that tests stand at. */
export function invalid(path: string, ...details: string[]): object {
  return { path, details, error: 'Bad Request', status: 400, timestamp: testNow }
}

/** The body of shape B. */
export function shapeB(type: string, message: string): object {
  return { error: { type, message } }
}

/** Every header of an answer; its length is checked here, so that tests need not count bytes. */
export function headersOf({ headers, text }: Answered): Record<string, string> {
  const { 'content-length': length, ...rest } = Object.fromEntries(headers)
  if (text !== '') expect(length).toBe(String(Buffer.byteLength(text)))
  return rest
}

/** The headers of a JSON answer: its number, and the assumptions it rests on in the order of the catalogue. */
export function jsonHeaders(requestId: string, assumptions: readonly string[]): Record<string, string> {
  return { 'content-type': 'application/json', ...bareHeaders(requestId, assumptions) }
}

/** The headers of an answer without a body. */
export function bareHeaders(requestId: string, assumptions: readonly string[]): Record<string, string> {
  return {
    date: 'Sat, 21 Nov 2026 12:00:00 GMT',
    'x-sandbox-request-id': requestId,
    'x-service-version': '2026-10-13',
    ...(assumptions.length === 0 ? {} : { 'x-sandbox-assumptions': assumptions.join(', ') }),
  }
}
