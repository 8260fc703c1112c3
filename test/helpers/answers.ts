import { expect } from 'vitest'
import { assumptionIds } from '../../src/contract/assumptions.ts'
import { namedIn, testNow, usuallyNamed, type Answered } from './sandbox.ts'

/** Expected whole answers: the three shapes of errors, and every header. */

/** The body of shape A for these violations (contract: Errors), on the clock that tests stand at. */
export function invalid(path: string, ...details: string[]): object {
  return { path, details, error: 'Bad Request', status: 400, timestamp: testNow }
}

/** The body of shape B. */
export function shapeB(type: string, message: string): object {
  return { error: { type, message } }
}

/** The body of shape C. */
export function shapeC(type: string, param: string, message: string): object {
  return { type, message, param }
}

/**
 * Every header of an answer; its length is checked here, so that tests need not count bytes. Of the assumptions it has
 * those that not nearly every answer names.
 */
export function headersOf({ headers, text }: Pick<Answered, 'headers' | 'text'>): Record<string, string> {
  const { 'content-length': length, 'x-sandbox-assumptions': _named, ...rest } = Object.fromEntries(headers)
  if (text !== '') expect(length).toBe(String(Buffer.byteLength(text)))
  const named = namedIn(headers).filter((id) => !usuallyNamed.includes(id))
  return named.length === 0 ? rest : { ...rest, 'x-sandbox-assumptions': named.join(', ') }
}

/**
 * The headers of a JSON answer: its number, the assumptions it rests on, which may be in any order here, and the
 * version, null where none was chosen.
 */
export function jsonHeaders(
  requestId: string,
  assumptions: readonly string[],
  version?: string | null,
): Record<string, string> {
  return { 'content-type': 'application/json', ...bareHeaders(requestId, assumptions, version) }
}

/** The headers of an answer without a body. */
export function bareHeaders(
  requestId: string,
  assumptions: readonly string[],
  version: string | null = '2026-10-13',
): Record<string, string> {
  const named = assumptionIds.filter((id) => assumptions.includes(id))
  return {
    date: new Date(testNow).toUTCString(),
    'x-sandbox-request-id': requestId,
    ...(version === null ? {} : { 'x-service-version': version }),
    ...(named.length === 0 ? {} : { 'x-sandbox-assumptions': named.join(', ') }),
  }
}
