// Target files: their valid contents, and the messages for invalid ones.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import {
  found,
  isControlPath,
  need,
  readTarget,
  targetJsonSchema,
  targetOf,
  type WrittenTarget,
} from '../../src/probe/target.ts'
import { DocumentError } from '../../src/input/problems.ts'

const environment = { PARTNER_KEY: 'sk_1', KEY_2: 'sk_2', EMPTY: '' }
const whole = `url: https://sandbox.example.com:8443/base/
confirm_host: sandbox.example.com
keys:
  full: \${PARTNER_KEY}
  without: { ACCOUNT_READ: \${KEY_2} }
merchant_keys: [mk_a, mk_b]
ids:
  customer: cus_1
expendable:
  pending_rewards: [rwd_2, rwd_3]
budget: { requests: 20, per_second: 0.5 }
`

let folder = ''
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'target-'))))
afterAll(() => rm(folder, { recursive: true }))

async function read(text: string, name = 'target.yaml') {
  await writeFile(join(folder, name), text)
  return readTarget(join(folder, name), environment, name)
}

async function problemsOf(text: string): Promise<string[]> {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown)
  if (!(error instanceof DocumentError)) throw new Error('it has no problems')
  return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`)
}

describe('a target file', () => {
  it('is read with variables, also between braces of YAML, and with defaults', async () => {
    expect(await read(whole)).toEqual({
      url: 'https://sandbox.example.com:8443/base',
      host: 'sandbox.example.com',
      keys: { full: 'sk_1', without: { ACCOUNT_READ: 'sk_2' } },
      merchant_keys: ['mk_a', 'mk_b'],
      ids: { customer: 'cus_1' },
      expendable: { pending_rewards: ['rwd_2', 'rwd_3'], order_events: [], customers: [] },
      budget: { requests: 20, per_second: 0.5, timeout_seconds: 10 },
      source: expect.objectContaining({ name: 'target.yaml' }),
    })
  })

  it('may be JSON', async () => {
    const json = { url: 'http://127.0.0.1:4010', confirm_host: '127.0.0.1', keys: { full: 'sk_written' } }
    expect(await read(JSON.stringify(json), 'target.json')).toMatchObject({
      host: '127.0.0.1',
      keys: { full: 'sk_written' },
    })
  })

  it.each<[string, string, string, string]>([
    [
      'a variable that is not set',
      'PARTNER_KEY',
      'NOBODY',
      '4:9 keys.full environment variable NOBODY is not set',
    ],
    [
      'an empty variable',
      'KEY_2',
      'EMPTY',
      '5:28 keys.without.ACCOUNT_READ environment variable EMPTY is not set',
    ],
    [
      'another host',
      'confirm_host: sandbox',
      'confirm_host: production',
      '2:15 confirm_host must be the host of url, sandbox.example.com, without port; nothing is sent',
    ],
    [
      'a host with its port',
      'confirm_host: sandbox.example.com',
      'confirm_host: sandbox.example.com:8443',
      '2:15 confirm_host must be the host of url, sandbox.example.com, without port; nothing is sent',
    ],
    [
      'no host',
      'confirm_host: sandbox.example.com\n',
      '',
      '1:1 confirm_host is required: write sandbox.example.com, the host of url once more',
    ],
    [
      'a key written out',
      '${PARTNER_KEY}',
      'sk_live',
      '4:9 keys.full is a literal value, which only loopback targets may have: write ${VARIABLE} and set it in the environment',
    ],
    [
      'a scope written out',
      '${KEY_2}',
      'a${KEY_2}',
      '5:28 keys.without.ACCOUNT_READ is a literal value, which only loopback targets may have: write ${VARIABLE} and set it in the environment',
    ],
    [
      'a scope that is none',
      'ACCOUNT_READ',
      'ACCOUNTS_READ',
      "5:14 keys.without.ACCOUNTS_READ unknown field, did you mean 'ACCOUNT_READ'?",
    ],
    ['a pace of none', '0.5', '0', '11:37 budget.per_second must be a number above 0'],
    [
      'a budget of none',
      'requests: 20',
      'requests: 0',
      '11:21 budget.requests must be an integer from 1 to 100000',
    ],
    [
      'too large a budget',
      'requests: 20',
      'requests: 100001',
      '11:21 budget.requests must be an integer from 1 to 100000',
    ],
    [
      'a control plane',
      '/base/',
      '/_sandbox',
      '1:6 url must be an http or https URL without credentials, query and fragment, and without the /v2 of the paths',
    ],
  ])('is refused for %s', async (_, was, is, problem) => {
    expect(await problemsOf(whole.replace(was, is))).toEqual([problem])
  })

  it.each<[string, string, string]>([
    ['in the place of a name', 'keys:\n  full:! l1veV4lue\n', 'target.yaml'],
    ['in the place of a name between braces', 'keys: { full l1veV4lue, multi: x }\n', 'target.yaml'],
    ['in the place of a name of JSON', '{"keys": {"full": {"l1veV4lue"}}}', 'target.json'],
    ['that is a literal value', 'url: https://a.example\nkeys:\n  full: l1veV4lue\n', 'target.yaml'],
    ['behind what YAML quotes', 'a:\n keys: x\nb\n  full: "l1veV4lue"\n', 'target.yaml'],
  ])('is refused without showing a key %s', async (_, text, name) => {
    const error: unknown = await read(text, name).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(DocumentError)
    expect(String(error)).not.toContain('l1veV4lue')
  })

  it('shows the line as it is written', async () => {
    await expect(read(whole.replace('KEY_2', 'NOBODY'))).rejects.toThrow(
      '  without: { ACCOUNT_READ: ${NOBODY} }',
    )
    await expect(read(`${whole}keys: \${KEY_2}`)).rejects.toThrow('keys: ${KEY_2}')
  })

  it('has a JSON Schema', () => {
    expect(targetJsonSchema()).toMatchObject({
      $id: 'target.schema.json',
      required: ['url', 'confirm_host', 'keys'],
      properties: {
        keys: { required: ['full'] },
        budget: { properties: { per_second: { exclusiveMinimum: 0 } } },
      },
    })
  })
})

describe('a library target', () => {
  const fetch = () => Promise.reject(new Error('nothing is sent'))

  it('with a fetch of its own needs nothing but a key', () => {
    expect(targetOf({ fetch, keys: { full: 'sk_1' } }, {})).toMatchObject({
      url: 'http://sandbox.invalid',
      host: 'sandbox.invalid',
      fetch,
    })
    expect(targetOf({ fetch, url: 'https://x.example', keys: { full: 'sk_1' } }, {})).toMatchObject({
      host: 'x.example',
    })
  })

  it('without one is as strict as a file', () => {
    expect(() => targetOf({ url: 'https://x.example', keys: { full: 'sk_1' } }, {})).toThrow(
      /confirm_host: is required.*\n.*is a literal value/,
    )
    expect(() => targetOf({ keys: { full: '${A}' } }, { A: 'sk_1' })).toThrow('url: is required')
  })

  it('gives what a probe needs', () => {
    const target = targetOf(
      { fetch, keys: { full: 'a' }, ids: { reward: 'rwd_1' }, expendable: { customers: ['c'] } },
      {},
    )
    expect(found(target, 'ids.reward')).toBe('rwd_1')
    expect(found(target, 'expendable.customers[0]')).toBe('c')
    expect(found(target, 'expendable.customers[1]')).toBeUndefined()
    expect(() => need(target, 'ids.customer')).toThrow('ids.customer')
  })
})

it.each([
  ['/_sandbox/requests', true],
  ['/v2/%5Fsandbox', true],
  ['/base/_SANDBOX', true],
  ['/v2/customers/_sandboxed', false],
])('%s is a path of a control plane: %s', (path, is) => {
  expect(isControlPath(path)).toBe(is)
})

it('the type that users write has the fields of the schema, and no other', () => {
  type Written = Omit<WrittenTarget, 'url'> & { url?: string }
  const asGiven = (written: Written): Omit<GivenTarget, 'fetch'> => written
  expectTypeOf(asGiven).returns.not.toBeAny()
  expectTypeOf<keyof Omit<GivenTarget, 'fetch'>>().toEqualTypeOf<keyof WrittenTarget>()
})
