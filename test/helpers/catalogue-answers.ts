import { expect } from 'vitest'
import { headersOf, jsonHeaders, shapeB, shapeC } from './answers.ts'
import { testNow, type Answered } from './sandbox.ts'

/** Whole answers, as tests of the built-in scenarios compare them. */

/** All of an answer. The request's number and the body's length are checked and left out. */
export interface Whole {
  status: number
  headers: Record<string, string>
  body: unknown
}

export function whole(answered: Answered): Whole {
  const { 'x-sandbox-request-id': requestId, ...rest } = headersOf(answered)
  expect(requestId).toMatch(/^req_default_\d+$/)
  // A link differs from read to read, as the contract has it.
  const steady: unknown = JSON.parse(JSON.stringify(answered.json ?? answered.text), (key, value: unknown) =>
    key === 'pdf_url' ? 'a link' : value,
  )
  return { status: answered.status, headers: rest, body: answered.text === '' ? null : steady }
}

/** The headers of a JSON answer, without its number. */
export function headers(assumptions: readonly string[] = [], version?: string | null): Whole['headers'] {
  const { 'x-sandbox-request-id': _number, ...rest } = jsonHeaders('', assumptions, version)
  return rest
}

/** An answer as JSON that rests on these assumptions. */
export const answer = (status: number, body: unknown, ...assumptions: string[]): Whole => ({
  status,
  headers: headers(assumptions),
  body,
})

export const noReward = answer(
  404,
  shapeC('REWARD_NOT_FOUND_ERROR', 'reward_id', 'No reward has this reward_id.'),
  'not_found_status',
)

export const unavailable: Whole = {
  status: 503,
  headers: { ...headers(), 'retry-after': '1' },
  body: shapeB('SERVICE_UNAVAILABLE_ERROR', 'The service is unavailable.'),
}

export const date = new Date(testNow).toUTCString()
