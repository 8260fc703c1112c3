// Credentials, and the answers to them.
import { expect } from 'vitest'
import { fullKey, testNow, type Answered } from '../helpers/sandbox.ts'

export const reward = '/v2/rewards/rwd_ada_pending'

export const challenge = 'Basic realm="partner-rewards-sandbox", Bearer'

export const restsOn = ['unauthenticated_status', 'unauthenticated_type']

const howTo = 'Send Authorization: Bearer API_KEY, or Basic with base64 of "API_KEY:" or "KEY_ID:KEY_SECRET".'

export const messages = {
  missing: `No API key was sent. ${howTo}`,
  noCredential: `This is not a credential. ${howTo}`,
  noColon: 'The Basic credential has no colon: add ":" after the API key before encoding it.',
  notBase64: `The Basic credential is not base64. ${howTo}`,
  controlCharacter: `The Basic credential contains a control character. ${howTo}`,
  unusable: 'The API key is not usable here.',
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** The whole of a refusal: what it says, and that it says nothing else. */
export function expectRefused(
  answer: Answered,
  message: string,
  assumptions: readonly string[] = restsOn,
): void {
  expect(answer.json).toEqual({ error: { type: 'UNAUTHORIZED_ERROR', message } })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe(challenge)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(answer.version).toBeNull()
  expect(answer.requestId).toMatch(/^req_default_\d+$/)
  expect(answer.assumptions).toEqual(assumptions)
}

/** A key that lacks one scope, which shows that a call is of this key. */
export const lacking = { id: 'key_without_order_write', key: 'sk_sandbox_without_order_write' }

/** Headers that name the key `lacking`. */
export const accepted: readonly (readonly [string, string, string])[] = [
  ['case 2', 'Basic KEY:', `Basic ${base64(`${lacking.key}:`)}`],
  ['case 3', 'Basic KEYID:SECRET', `Basic ${base64(`${lacking.id}:secret_without_order_write`)}`],
  ['case 6', 'Bearer KEY', `Bearer ${lacking.key}`],
  ['case 6', 'bearer KEY', `bearer ${lacking.key}`],
  ['case 6', 'BEARER KEY', `BEARER ${lacking.key}`],
  ['case 6', 'BASIC KEY:', `BASIC ${base64(`${lacking.key}:`)}`],
  ['case 6', 'basic KEYID:SECRET', `basic ${base64(`${lacking.id}:secret_without_order_write`)}`],
  ['case 6', 'Bearer, two spaces, KEY', `Bearer  ${lacking.key}`],
]

const full = `Bearer ${fullKey}`

/** Two headers that are sent in one call. */
export const pairs: readonly (readonly [string, string, string])[] = [
  ['two keys', full, 'Bearer sk_sandbox_none'],
  ['the same key twice', full, full],
  ['a key, then nonsense', full, 'nonsense'],
  ['nonsense, then a key', 'nonsense', full],
  ['a key, then nothing', full, ''],
  ['nothing, then a key', '', full],
  ['Bearer, then Basic', full, `Basic ${base64(`${fullKey}:`)}`],
  ['Basic, then Bearer', `Basic ${base64(`${fullKey}:`)}`, full],
]

interface KeyShape {
  shape: string
  assume: Record<string, string | number>
  status: number
  /** The body of a new key with these scopes. */
  created: (scopes: readonly string[]) => object
}

/** The answer to a created key by default. */
export const keyAndDates = { key: expect.stringMatching(/^sk_sandbox_[0-9a-z]{24}$/), created_at: testNow }

const whole = (scopes: readonly string[]): object => ({
  ...keyAndDates,
  id: expect.stringMatching(/^key_[0-9a-z]{12}$/),
  secret: expect.stringMatching(/^secret_[0-9a-z]{24}$/),
  scopes,
})

/** The answers to a created key: by default, and with everything about it. */
export const keyShapes: readonly KeyShape[] = [
  { shape: 'key_and_dates', assume: {}, status: 200, created: () => keyAndDates },
  {
    shape: 'id_key_secret_scopes_created_at',
    assume: { create_key_shape: 'id_key_secret_scopes_created_at', create_key_status: 201 },
    status: 201,
    created: whole,
  },
]
