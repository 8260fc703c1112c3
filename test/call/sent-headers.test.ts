import { expect, it } from 'vitest'
import { sentHeaders } from '../../src/call/sent-headers.ts'

/** Texts as a socket gives them: each call has its own. */
const raw = (...texts: string[]): string[] => texts.map((text) => Buffer.from(text).toString())

it('the same headers again -> those of the call before, with what was picked out of them', () => {
  const first = sentHeaders(raw('Host', 'a', 'Authorization', 'Bearer x'))
  expect(sentHeaders(raw('Host', 'a', 'Authorization', 'Bearer x'))).toBe(first)
  expect(first.known).toEqual({ authorization: 'Bearer x' })
  expect(first.size).toBe('HostaAuthorizationBearer x'.length)
})

it.each([
  ['another value', raw('Host', 'a', 'Authorization', 'Bearer y'), { authorization: 'Bearer y' }],
  ['another name', raw('Host', 'a', 'Origin', 'Bearer x'), { origin: 'Bearer x' }],
  ['another order', raw('Authorization', 'Bearer x', 'Host', 'a'), { authorization: 'Bearer x' }],
  ['other letters', raw('host', 'a', 'AUTHORIZATION', 'Bearer x'), { authorization: 'Bearer x' }],
  [
    'one more',
    raw('Host', 'a', 'Authorization', 'Bearer x', 'Origin', 'o'),
    { authorization: 'Bearer x', origin: 'o' },
  ],
  ['one twice', raw('Authorization', 'a', 'Authorization', 'b'), { authorization: 'a, b' }],
])('%s than the call before -> headers of its own, as they came', (_, sent, known) => {
  const before = sentHeaders(raw('Host', 'a', 'Authorization', 'Bearer x'))
  const own = sentHeaders([...sent])
  expect(own).not.toBe(before)
  expect([own.raw, own.known]).toEqual([sent, known])
  expect(before.known).toEqual({ authorization: 'Bearer x' })
})
