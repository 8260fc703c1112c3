import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../src/json/exact-number.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { redactor } from '../../src/secrets/redact.ts'

const secrets = new KnownSecrets()
secrets.note([
  { id: 'key_a', api_key: 'sk_abc', secret: 'secret_of_a' },
  { id: 'key_b', api_key: 'sk_abcdef', secret: 'a/b"c\\d' },
])
const hide = redactor(secrets)

describe('texts', () => {
  it.each([
    ['a key', 'sk_abc', '***'],
    ['a key in a workspace', 'Bearer sk_abc.w3', 'Bearer ***.w3'],
    ['the longer of two keys', 'sk_abcdef', '***'],
    ['a secret in the middle of a word', 'xsecret_of_ax', 'x***x'],
    ['a secret as JSON writes it', String.raw`"a/b\"c\\d"`, '"***"'],
    ['a secret in percent signs', '/v2/x/a%2Fb%22c%5Cd/y', '/v2/x/***/y'],
    ['a key that was made here', 'sk_sandbox_36b5795az5z823et7tyvt8t8', 'sk_sandbox_***'],
    ['one within a word', 'xsecret_189vv290q565332nth04bew2x', 'xsecret_***x'],
    ['a card number', '/v2/x/4242424242424242', '/v2/x/************4242'],
    ['a card number with encoded spaces', '/v2/x/4242%204242%204242%204242', '/v2/x/**** **** **** 4242'],
    ['encoded digits', '/v2/x/%34242424242424242', '/v2/x/************4242'],
  ])('%s: %s -> %s', (_, text, shown) => {
    expect(hide.text(text)).toBe(shown)
  })

  it.each(['/v2/x/a%20b%2Fc', '100%', '%zz', 'key_a', 'nothing to hide'])('%s stays as it is', (text) => {
    expect(hide.text(text)).toBe(text)
  })
})

describe('JSON', () => {
  it('names that are secret, in every letter case and at every depth', () => {
    expect(
      hide.json({
        cvv: '123',
        CVV: 123,
        a: [{ Ssn4: '1234', b: { Authorization: { scheme: 'x' }, cookie: null } }],
        cvv2: '999',
        my_cvv: '999',
      }),
    ).toEqual({
      cvv: '***',
      CVV: '***',
      a: [{ Ssn4: '***', b: { Authorization: '***', cookie: '***' } }],
      cvv2: '999',
      my_cvv: '999',
    })
  })

  it('values in texts, numbers and names; everything else stays of its type', () => {
    const value = {
      pan: '4242424242424242',
      number: 4242424242424242,
      sk_abc: ['sk_abc', { deep: 'Bearer sk_abc' }],
      amount: 4242,
      half: 0.5,
      yes: true,
      nothing: null,
    }
    expect(hide.json(value)).toEqual({
      pan: '************4242',
      number: '************4242',
      '***': ['***', { deep: 'Bearer ***' }],
      amount: 4242,
      half: 0.5,
      yes: true,
      nothing: null,
    })
  })

  it('a card number as a JSON number beyond 2^53, which is kept as the text that was sent', () => {
    const note = new ExactNumber('4242424242424242428')
    expect(hide.json({ note, list: [note] })).toEqual({
      note: '***************2428',
      list: ['***************2428'],
    })
  })

  it('a number that is no card number stays the text that was sent', () => {
    const id = new ExactNumber('9223372036854775807')
    expect(hide.json({ id })).toEqual({ id })
  })

  it('leaves the value itself alone', () => {
    const value = { cvv: '123', deep: ['sk_abc'] }
    hide.json(value)
    expect(value).toEqual({ cvv: '123', deep: ['sk_abc'] })
  })

  it('a name that every object has is a name like any other', () => {
    const value: unknown = JSON.parse('{"__proto__":{"cvv":"123"},"constructor":"sk_abc"}')
    expect(JSON.stringify(hide.json(value))).toBe('{"__proto__":{"cvv":"***"},"constructor":"***"}')
  })

  it('deeper than anybody could write it -> cut there, and still JSON', () => {
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))
    expect(JSON.stringify(hide.json(deep))).toContain('…')
  })
})

describe('headers and parameters', () => {
  it.each([
    ['authorization', 'Bearer anything', '***'],
    ['Proxy-Authorization', 'Basic eA==', '***'],
    ['COOKIE', 'a=b', '***'],
    ['cvv', '123', '***'],
    ['x-cvv', '123', '***'],
    ['X-Authorization', 'anything', '***'],
    ['set-cookie', 'a=b', '***'],
    ['ssn4-check', '1234', '***'],
    ['ssn', '123456789', '***'],
    ['client_secret', 'mine', '***'],
    ['xcvv', '123', '123'],
    ['x-cvv2', '999', '999'],
    ['x-forwarded', 'sk_abc', '***'],
    ['x-other', 'plain', 'plain'],
  ])('%s: %s -> %s', (name, value, shown) => {
    expect(hide.named(name, value)).toBe(shown)
  })
})

describe('bodies that are no JSON', () => {
  it('a long text of nothing but such names -> as it was, each looked at a few times', () => {
    // Each with each would take many minutes.
    const text = 'cvv-'.repeat(500_000)
    expect(hide.body(text)).toBe(text)
    expect(hide.body(`${text}x=1`)).toMatch(/cvv-x: \*\*\*$/)
  })

  it.each([
    ['cut off inside a string', '{"cvv":"12', '{"cvv": ***'],
    ['cut off after it', '{"cvv": "123", "a": "b', '{"cvv": ***, "a": "b'],
    ['a number', '{"ssn4":1234,', '{"ssn4": ***,'],
    ['escaped', String.raw`{"cvv":"1\"23","a":1`, '{"cvv": ***,"a":1'],
    ['a list', '{"cvv":["1","2"],"a":1', '{"cvv": ***,"a":1'],
    ['a form', 'a=1&CVV=123&b=2', 'a=1&CVV: ***&b=2'],
    ['a header', 'Authorization: Bearer abc def\nx: y', 'Authorization: ***\nx: y'],
    ['a header that is made of one', 'X-Cvv-Code: 123\nx: y', 'X-Cvv-Code: ***\nx: y'],
    ['another name with dashes', '{"a-cvv2-b":"123"', '{"a-cvv2-b":"123"'],
    ['another name', '{"my_cvv":"123"', '{"my_cvv":"123"'],
    ['a card number', '{"pan":"4242424242424242"', '{"pan":"************4242"'],
  ])('%s: %s -> %s', (_, body, shown) => {
    expect(hide.body(body)).toBe(shown)
  })
})
