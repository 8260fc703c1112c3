import { expect, test } from 'vitest'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { maskCardNumbers, maskSecretFields } from '../../src/secrets/mask.ts'

test.each([
  ['pan 4242424242424242 here', 'pan ************4242 here'],
  ['4242 4242 4242 4242', '***************4242'],
  ['4242-4242-4242-4242', '***************4242'],
  ['/v2/x/378282246310005?a=1', '/v2/x/***********0005?a=1'],
  ['"4539 5787-6362 1486"', '"***************1486"'],
  ['4539578763621486 4242424242424242', '*****************************4242'],
  ['1'.repeat(30), `${'*'.repeat(26)}1111`],
  ['12345678901', '12345678901'],
  ['cus_1 and 2026-11-21', 'cus_1 and 2026-11-21'],
])('card numbers in %j -> %j', (text, masked) => {
  expect(maskCardNumbers(text)).toBe(masked)
})

test.each([
  ['key sk_sandbox_full.w3!', 'key ***.w3!'],
  ['secret_full', '***'],
  ['made sk_sandbox_36b5795az5z823et7tyvt8t8', 'made sk_sandbox_***'],
  ['made secret_189vv290q565332nth04bew2', 'made secret_***'],
  ['sk_sandbox_full paid with 4242424242424242', '*** paid with ************4242'],
  ['nothing', 'nothing'],
])('secrets in %j -> %j', (text, masked) => {
  const known = new KnownSecrets()
  known.note([{ api_key: 'sk_sandbox_full', secret: 'secret_full' }])
  expect(known.hide(text)).toBe(masked)
})

test.each([
  ['{"id": "key_1", "secret": "a b", "x": 1}', '{"id": "key_1", "secret": "* *", "x": 1}'],
  ['{ id: key_1, api_key: sk_1 }', '{ id: key_1, api_key: **** }'],
  ['"cvv":"12', '"cvv":"**'],
  ['"cvv": 123, "exp_year": "2029"', '"cvv": ***, "exp_year": "2029"'],
  ["ssn4: '1234' # four", "ssn4: '****' # four"],
  ["ssn: '123456789'", "ssn: '*********'"],
  ['client_secret: mine', 'client_secret: ****'],
  ['"CVV" : ["123", 4], "a": 1', '"CVV" : *"***"* **, "a": 1'],
  ['"secret":"a\\"b"', '"secret":"**"*"'],
  ['authorization: Bearer x', 'authorization: ****** *'],
  ['api_keys: [{ id: key_1 }]', 'api_keys: [{ id: key_1 }]'],
  ['my_secret: shown, secrets: shown', 'my_secret: shown, secrets: shown'],
])('secret fields in %j -> %j', (text, masked) => {
  expect(maskSecretFields(text)).toBe(masked)
  expect(masked).toHaveLength(text.length)
})
