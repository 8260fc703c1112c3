import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCredential } from '../../src/contract/credentials.ts'
import { samples } from '../setup/samples.ts'

const encode = (text: string): string => Buffer.from(text).toString('base64')
const howTo = 'Send Authorization: Bearer API_KEY, or Basic with base64 of "API_KEY:" or "KEY_ID:KEY_SECRET".'

describe('a header that is a credential', () => {
  test.each([
    ['Bearer KEY', { scheme: 'bearer', token: 'KEY' }],
    ['bearer KEY', { scheme: 'bearer', token: 'KEY' }],
    ['BEARER KEY', { scheme: 'bearer', token: 'KEY' }],
    ['Bearer   KEY', { scheme: 'bearer', token: 'KEY' }],
    ['Bearer KEY.w3', { scheme: 'bearer', token: 'KEY.w3' }],
    [`Basic ${encode('KEY:')}`, { scheme: 'basic', user: 'KEY', password: '' }],
    [`bAsIc ${encode('KEY:')}`, { scheme: 'basic', user: 'KEY', password: '' }],
    [`Basic ${encode('ID:SECRET')}`, { scheme: 'basic', user: 'ID', password: 'SECRET' }],
    [`Basic ${encode('ID:SE:CR:ET')}`, { scheme: 'basic', user: 'ID', password: 'SE:CR:ET' }],
    [`Basic ${encode('KEY:').replace(/=+$/, '')}`, { scheme: 'basic', user: 'KEY', password: '' }],
    [`Basic ${encode('clé:é')}`, { scheme: 'basic', user: 'clé', password: 'é' }],
    [`Basic ${encode(':')}`, { scheme: 'basic', user: '', password: '' }],
  ])('%s', (header, credential) => {
    expect(readCredential(header)).toEqual(credential)
  })
})

describe('a header that is none', () => {
  test.each([
    ['no header', undefined, `No API key was sent. ${howTo}`],
    ['an empty header', '', `No API key was sent. ${howTo}`],
    ['a bare key', 'KEY', `This is not a credential. ${howTo}`],
    ['Bearer without a key', 'Bearer', `This is not a credential. ${howTo}`],
    ['Basic without a value', 'Basic', `This is not a credential. ${howTo}`],
    ['another scheme: Token', 'Token KEY', `This is not a credential. ${howTo}`],
    ['another scheme: JWT', 'JWT KEY', `This is not a credential. ${howTo}`],
    ['another scheme: Digest', 'Digest username="KEY"', `This is not a credential. ${howTo}`],
    ['a longer scheme', 'BearerX KEY', `This is not a credential. ${howTo}`],
    ['two words after Bearer', 'Bearer KEY KEY', `This is not a credential. ${howTo}`],
    ['a tab after Bearer', 'Bearer\tKEY', `This is not a credential. ${howTo}`],
    ['two joined headers', 'Bearer A, Bearer B', `This is not a credential. ${howTo}`],
    ['two joined headers, first empty', ', Bearer B', `This is not a credential. ${howTo}`],
    ['two joined headers, second empty', 'Bearer A, ', `This is not a credential. ${howTo}`],
    ['Basic with plain text', 'Basic KEY:', `The Basic credential is not base64. ${howTo}`],
    [
      'Basic in base64url',
      `Basic ${encode('a?>~:').replace('/', '_')}-`,
      `The Basic credential is not base64. ${howTo}`,
    ],
    [
      'Basic without a colon',
      `Basic ${encode('KEY')}`,
      'The Basic credential has no colon: add ":" after the API key before encoding it.',
    ],
  ])('%s', (_, header, refusal) => {
    const missing = header === undefined || header === '' ? { missing: true } : {}
    expect(readCredential(header)).toEqual({ refusal, ...missing })
  })

  // RFC 7617 allows none in a user name or password; NUL is also what the indexes separate their keys with.
  test.each(['KEY\u0000:', '\u0000KEY:', 'KEY:\u0000', 'ID:SEC\nRET', 'KEY\u007f:', 'KEY\u0000'])(
    'a control character in Basic: %j',
    (text) => {
      expect(readCredential(`Basic ${encode(text)}`)).toEqual({
        refusal: `The Basic credential contains a control character. ${howTo}`,
      })
    },
  )
})

describe('properties', () => {
  const seed = { seed: 2, numRuns: samples(300) }
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1 })

  test('Basic gives back user and password, split at the first colon', () => {
    const user = printable.filter((text) => !text.includes(':'))
    fc.assert(
      fc.property(user, fc.oneof(fc.constant(''), printable), (name, password) => {
        expect(readCredential(`Basic ${encode(`${name}:${password}`)}`)).toEqual({
          scheme: 'basic',
          user: name,
          password,
        })
      }),
      seed,
    )
  })

  test('any header is a credential or is refused with a text that quotes none of it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), (secret, scheme) => {
        const mark = `~${secret}~`
        const read = readCredential(`${scheme} ${mark}`)
        if ('refusal' in read) expect(read.refusal).not.toContain(mark)
        else expect(scheme.trim()).toMatch(/^(bearer|basic)$/i)
      }),
      seed,
    )
  })
})
