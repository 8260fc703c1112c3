import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../src/contract/scopes.ts'
import { createdKey } from '../helpers/created-key.ts'
import { basic, fullKey, startSandbox, testNow, type Answered } from '../helpers/sandbox.ts'
import { logOf } from '../helpers/log.ts'
import { samples } from '../setup/samples.ts'
import {
  accepted,
  base64,
  challenge,
  expectRefused,
  keyShapes,
  lacking,
  messages,
  pairs,
  restsOn,
  reward,
} from './authentication.ts'

describe('without a credential', () => {
  test('case 1: no Authorization -> 401 B with both challenges, without a version', async () => {
    const { call } = await startSandbox()
    expectRefused(await call('GET', reward, { key: null }), messages.missing)
  })

  test('case 1: an empty Authorization -> 401 as if there were none', async () => {
    const { call } = await startSandbox()
    expectRefused(await call('GET', reward, { headers: { authorization: '' } }), messages.missing)
  })

  test.each([
    '/v2/customers?api_key=sk_sandbox_full',
    '/v2/customers?access_token=sk_sandbox_full',
    '/v2/customers?key=sk_sandbox_full&Authorization=Bearer%20sk_sandbox_full',
  ])('case 9: %s without a header -> 401', async (path) => {
    const { call } = await startSandbox()
    expectRefused(await call('GET', path, { key: null }), messages.missing)
  })

  test.each(['pretty', 'json'] as const)(
    'case 9: a key in the query is not in the %s log',
    async (format) => {
      const printed = await logOf(format, (sandbox) => sandbox.fetch('/v2/customers?api_key=sk_sandbox_full'))
      expect(printed).toContain('/v2/customers')
      expect(printed).not.toContain('sk_sandbox_full')
    },
  )
})

describe('with a credential', () => {
  test.each(accepted)('%s: %s -> the call is this key', async (_, __, authorization) => {
    const { call, state } = await startSandbox()
    const headers = { authorization }
    const read = await call('GET', reward, { headers })
    expect(read.status).toBe(200)
    expect(read.version).toBe('2026-10-13')
    expect(read.text).toBe((await call('GET', reward)).text)

    // It is this key and no other: the one scope it lacks is missing, and what it makes has its scopes.
    const refused = await call('DELETE', '/v2/order_events/ord_ada_1', { headers })
    expect(refused.status).toBe(403)
    const { json } = await call('POST', '/v2/keys', { headers })
    expect(createdKey(state.list('api_keys'), json.key).scopes).toEqual(
      (state.get('api_keys', lacking.id) as { scopes: string[] }).scopes,
    )
  })

  test.each([
    ['case 4', 'Basic KEYID:wrong', basic('key_full', 'wrong'), messages.unusable],
    ['case 4', 'Basic KEYID:', basic('key_full'), messages.unusable],
    ['case 4', "Basic KEYID:another key's secret", basic('key_full', 'secret_none'), messages.unusable],
    ['case 4', 'Basic KEYID:KEY', basic('key_full', fullKey), messages.unusable],
    ['case 4', 'Basic KEYID:secret in other case', basic('key_full', 'Secret_full'), messages.unusable],
    ['case 4', 'Bearer KEYID', { authorization: 'Bearer key_full' }, messages.unusable],
    ['case 4', 'Bearer SECRET', { authorization: 'Bearer secret_full' }, messages.unusable],
    ['case 4', 'Bearer KEYID:SECRET', { authorization: 'Bearer key_full:secret_full' }, messages.unusable],
    ['case 4', 'Basic SECRET:', basic('secret_full'), messages.unusable],
    ['case 4', 'Basic :', basic(''), messages.unusable],
    ['case 4', 'Basic :SECRET', basic('', 'secret_full'), messages.unusable],
    ['case 7', 'Token KEY', { authorization: `Token ${fullKey}` }, messages.noCredential],
    ['case 7', 'JWT KEY', { authorization: `JWT ${fullKey}` }, messages.noCredential],
    ['case 7', 'bare KEY', { authorization: fullKey }, messages.noCredential],
    ['case 7', 'BearerKEY', { authorization: `Bearer${fullKey}` }, messages.noCredential],
    ['case 7', 'Bearer alone', { authorization: 'Bearer' }, messages.noCredential],
    ['case 7', 'Bearer KEY and more', { authorization: `Bearer ${fullKey} x` }, messages.noCredential],
    ['case 7', 'Basic KEY: in plain text', { authorization: `Basic ${fullKey}:` }, messages.notBase64],
    ['case 10', 'KEY in other case', { authorization: 'Bearer SK_SANDBOX_FULL' }, messages.unusable],
    ['case 10', 'half of KEY', { authorization: 'Bearer sk_sandbox_ful' }, messages.unusable],
    ['case 10', '__proto__', { authorization: 'Bearer __proto__' }, messages.unusable],
    ['case 10', 'Basic constructor:', basic('constructor'), messages.unusable],
    // The store's indexes separate the parts of their keys with NUL.
    ['case 10', 'Basic KEY and NUL', basic(`${fullKey}\u0000`), messages.controlCharacter],
    ['case 10', 'Basic KEY, NUL, KEYID', basic(`${fullKey}\u0000\u0000key_full`), messages.controlCharacter],
    ['case 10', 'Basic KEY, NUL, workspace', basic(`${fullKey}\u0000.w1`), messages.controlCharacter],
  ] as const)('%s: %s -> 401', async (_, __, headers, message) => {
    const { call } = await startSandbox()
    expectRefused(await call('GET', reward, { headers }), message)
  })

  test('case 5: Basic KEY without a colon -> 401 that says to add it', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', reward, { headers: { authorization: `Basic ${base64(fullKey)}` } })
    expectRefused(answer, messages.noColon)
  })

  test('case 10: unknown, revoked and production keys -> 401 with equal bytes', async () => {
    const { call, state } = await startSandbox()
    expect((await call('GET', reward, { key: 'sk_sandbox_none' })).status).toBe(200)
    state.delete('api_keys', 'key_none')
    const refused = [
      await call('GET', reward, { key: 'sk_sandbox_unknown' }),
      await call('GET', reward, { key: 'sk_sandbox_none' }),
      await call('GET', reward, { headers: basic('key_none', 'secret_none') }),
      await call('GET', reward, { key: 'sk_production_full' }),
      await call('GET', reward, { headers: basic('key_production_full', 'secret_production_full') }),
      await call('GET', reward, { headers: basic('key_full', 'wrong') }),
    ]
    for (const answer of refused) expectRefused(answer, messages.unusable)
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1)
    // Nor do the headers tell them apart: only the number of the request differs.
    const headersOf = ({ headers }: Answered) => {
      const copy = Object.fromEntries(headers)
      delete copy['x-sandbox-request-id']
      return copy
    }
    for (const answer of refused.slice(1)) expect(headersOf(answer)).toEqual(headersOf(refused[0] ?? answer))
  })

  test('case 10: in environment production a sandbox key -> 401, a production key -> 200', async () => {
    const { call } = await startSandbox({ environment: 'production' })
    expectRefused(await call('GET', reward), messages.unusable)
    expectRefused(await call('GET', reward, { headers: basic('key_full', 'secret_full') }), messages.unusable)
    const read = await call('GET', reward, { key: 'sk_production_full' })
    expect({ status: read.status, version: read.version }).toEqual({ status: 200, version: '2025-05-05' })
  })

  test('case 11: bad key and unsupported version -> 401 without version, not 400', async () => {
    const { call } = await startSandbox()
    const headers = { 'x-service-version': '2020-01-01' }
    expectRefused(await call('GET', reward, { key: 'sk_sandbox_unknown', headers }), messages.unusable)
    expectRefused(await call('GET', reward, { key: null, headers }), messages.missing)
  })

  test.each([
    ['GET', '/v2/unknown'],
    ['POST', '/anything'],
    ['PUT', '/v2/customers'],
    ['GET', '/v2/keys'],
    ['DELETE', '/v2/rewards/rewards_categories'],
  ])('case 12: bad key and %s %s -> 401, routes are not disclosed', async (method, path) => {
    const { call } = await startSandbox()
    expectRefused(await call(method, path, { key: 'sk_sandbox_unknown' }), messages.unusable)
    expectRefused(await call(method, path, { key: null }), messages.missing)
  })

  test('case 12: bad key and OPTIONS without preflight headers -> 401', async () => {
    const { call } = await startSandbox()
    expectRefused(await call('OPTIONS', '/v2/customers', { key: null }), messages.missing)
  })
})

describe('two Authorization headers', () => {
  test.each(pairs)('case 8: %s -> 401', async (_, first, second) => {
    const sandbox = await startSandbox()
    const headers = new Headers()
    headers.append('authorization', first)
    headers.append('authorization', second)
    const response = await sandbox.fetch(reward, { headers })
    // A web Request trims the joined value, so in process `KEY, ` ends as the unknown key `KEY,`.
    const message = second === '' ? messages.unusable : messages.noCredential
    expect(await response.json()).toEqual({ error: { type: 'UNAUTHORIZED_ERROR', message } })
    expect(response.status).toBe(401)
    expect(response.headers.get('x-service-version')).toBeNull()
  })
})

describe.each(keyShapes)('creating keys, $shape', ({ assume, status, created }) => {
  const orderWriter = {
    secret: 'secret_orders',
    api_key: 'sk_sandbox_orders',
    scopes: ['ORDER_WRITE'],
    products: ['mk_summit'],
    environment: 'sandbox',
  } as const

  test('case 13: by a key with ORDER_WRITE -> exactly that scope, and the key works at once', async () => {
    const { call, state } = await startSandbox({ assume })
    state.put('api_keys', 'key_orders', orderWriter)
    const made = await call('POST', '/v2/keys', { key: 'sk_sandbox_orders', json: {} })
    expect(made.status).toBe(status)
    expect(made.json).toEqual(created(['ORDER_WRITE']))
    expect(made.version).toBe('2026-10-13')
    expect(made.assumptions).toEqual(['create_key_status', 'create_key_shape'])

    const { id, key, secret, scopes } = createdKey(state.list('api_keys'), made.json.key)
    expect(scopes).toEqual(['ORDER_WRITE'])
    const ways = [{ authorization: `Bearer ${key}` }, basic(key), basic(id, secret)]
    for (const [place, headers] of ways.entries()) {
      const deleted = await call('DELETE', `/v2/order_events/ord_ada_${place + 1}`, { headers })
      expect(deleted.status).toBe(204)
      const refused = await call('GET', '/v2/transaction_intents/int_ada_1', { headers })
      expect(refused.json).toEqual({
        error: {
          type: 'FORBIDDEN_ERROR',
          message: 'The API key lacks the scope TRANSACTION_INTENT_READ.',
        },
      })
    }
    expect((await call('GET', reward, { headers: basic(id) })).status).toBe(401)
  })

  test('case 13: the new key has the products and the environment of its creator', async () => {
    const { call } = await startSandbox({ environment: 'production', assume })
    const made = await call('POST', '/v2/keys', { key: 'sk_production_full' })
    expect(made.json.key).toMatch(/^sk_production_[0-9a-z]{24}$/)
    expect((await call('GET', reward, { key: made.json.key })).status).toBe(200)

    const sandbox = await startSandbox({ assume })
    const headers = { 'x-service-merchant-key': 'mk_harbor' }
    const multi = await sandbox.call('POST', '/v2/keys', { key: 'sk_sandbox_multi', headers })
    const { key } = multi.json
    for (const [id, merchantKey] of [
      ['rwd_ada_pending', 'mk_summit'],
      ['rwd_hana_pending', 'mk_harbor'],
    ] as const) {
      const selected = { 'x-service-merchant-key': merchantKey }
      expect((await sandbox.call('GET', `/v2/rewards/${id}`, { key, headers: selected })).status).toBe(200)
    }
    expect((await sandbox.call('GET', reward, { key })).status).toBe(400)
  })

  test('case 13: two keys of one creator differ in everything but their scopes', async () => {
    const { call, state } = await startSandbox({ assume })
    const answers = [await call('POST', '/v2/keys'), await call('POST', '/v2/keys')]
    const [first, second] = answers.map(({ json }) => createdKey(state.list('api_keys'), json.key))
    if (!first || !second) throw new Error('Two keys were created')
    for (const field of ['id', 'key', 'secret'] as const) expect(first[field]).not.toBe(second[field])
    expect(first.scopes).toEqual(second.scopes)
  })

  test.each([
    { scopes: ['PCI_DETAILS_READ'] },
    { scopes: [] },
    { scopes: 'all', products: ['mk_harbor'], environment: 'production', id: 'key_mine', key: 'sk_mine' },
  ])('case 14: body %j -> the fields are ignored', async (json) => {
    const { call, state } = await startSandbox({ assume })
    state.put('api_keys', 'key_orders', orderWriter)
    const made = await call('POST', '/v2/keys', { key: 'sk_sandbox_orders', json })
    expect(made.status).toBe(status)
    expect(made.json).toEqual(created(['ORDER_WRITE']))
    const { id, secret } = createdKey(state.list('api_keys'), made.json.key)
    expect({ id, secret, ...made.json }).toMatchObject({ id, secret })
    expect(state.get('api_keys', id)).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{12}$/),
      secret: expect.stringMatching(/^secret_[0-9a-z]{24}$/),
      api_key: made.json.key,
      scopes: ['ORDER_WRITE'],
      products: ['mk_summit'],
      environment: 'sandbox',
      created_at: testNow,
    })
  })

  test('case 15: by a key without scopes -> a key without scopes, which creates such keys again', async () => {
    const { call, state } = await startSandbox({ assume })
    let key = 'sk_sandbox_none'
    for (let generation = 0; generation < 3; generation++) {
      const made = await call('POST', '/v2/keys', { key })
      expect(made.status).toBe(status)
      expect(made.json).toEqual(created([]))
      expect(createdKey(state.list('api_keys'), made.json.key).scopes).toEqual([])
      key = made.json.key
    }
  })

  test('case 16: a scope added to the creator later -> the key made earlier lacks it', async () => {
    const { call, state } = await startSandbox({ assume })
    const scopesOf = (key: string): readonly string[] => createdKey(state.list('api_keys'), key).scopes
    state.put('api_keys', 'key_orders', orderWriter)
    const earlier = (await call('POST', '/v2/keys', { key: 'sk_sandbox_orders' })).json
    state.patch('api_keys', 'key_orders', { scopes: ['ORDER_WRITE', 'ACCOUNT_READ'] })
    const later = (await call('POST', '/v2/keys', { key: 'sk_sandbox_orders' })).json
    expect(scopesOf(later.key)).toEqual(['ORDER_WRITE', 'ACCOUNT_READ'])

    const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
    expect((await call('GET', statements, { key: 'sk_sandbox_orders' })).status).toBe(200)
    expect((await call('GET', statements, { key: later.key })).status).toBe(200)
    expect((await call('GET', statements, { key: earlier.key })).status).toBe(403)
    const next = (await call('POST', '/v2/keys', { key: earlier.key })).json
    expect(next).toEqual(created(['ORDER_WRITE']))
    expect(scopesOf(next.key)).toEqual(['ORDER_WRITE'])
  })

  test('case 16: a scope added anywhere else -> changes no other key', async () => {
    const { call, state } = await startSandbox({ assume })
    const keys = (): unknown[] =>
      state.list('api_keys').filter((row) => !('id' in row && row.id === 'key_none'))
    const before = keys()
    state.patch('api_keys', 'key_none', { scopes: [...scopeNames] })
    expect(keys()).toEqual(before)
    const { json } = await call('POST', '/v2/keys', { key: 'sk_sandbox_without_order_write' })
    expect(createdKey(state.list('api_keys'), json.key).scopes).not.toContain('ORDER_WRITE')
  })

  test('case 16: a revoked creator -> the key it made goes on working', async () => {
    const { call, state } = await startSandbox({ assume })
    state.put('api_keys', 'key_orders', orderWriter)
    const { key } = (await call('POST', '/v2/keys', { key: 'sk_sandbox_orders' })).json
    state.delete('api_keys', 'key_orders')
    expect((await call('GET', reward, { key: 'sk_sandbox_orders' })).status).toBe(401)
    expect((await call('GET', reward, { key })).status).toBe(200)
  })

  test('case 17: no body and no Content-Type -> a key', async () => {
    const { call, state } = await startSandbox({ assume })
    const made = await call('POST', '/v2/keys')
    expect(made.status).toBe(status)
    expect(made.json).toEqual(created(scopeNames))
    expect(createdKey(state.list('api_keys'), made.json.key).scopes).toEqual(scopeNames)
  })

  test('a key never has a scope that its creator lacks, however many generations pass', async () => {
    const { call, state } = await startSandbox({ assume })
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...scopeNames]),
        fc.integer({ min: 1, max: 4 }),
        async (scopes, many) => {
          state.put('api_keys', 'key_orders', { ...orderWriter, scopes })
          let key = 'sk_sandbox_orders'
          for (let generation = 0; generation < many; generation++) {
            const made = await call('POST', '/v2/keys', { key, json: { scopes: scopeNames } })
            expect(made.json).toEqual(created(scopes))
            expect(createdKey(state.list('api_keys'), made.json.key).scopes).toEqual(scopes)
            key = made.json.key
          }
        },
      ),
      { seed: 4, numRuns: samples(40) },
    )
  })
})

describe('assumptions', () => {
  test.each([
    ['default', undefined, 401],
    ['401', 401, 401],
    ['403', 403, 403],
  ])('unauthenticated_status %s -> that status', async (_, value, status) => {
    const { call } = await startSandbox(
      value === undefined ? {} : { assume: { unauthenticated_status: value } },
    )
    const answer = await call('GET', reward, { key: null })
    expect(answer.status).toBe(status)
    const type = status === 403 ? 'FORBIDDEN_ERROR' : 'UNAUTHORIZED_ERROR'
    expect(answer.json).toEqual({ error: { type, message: messages.missing } })
    expect(answer.headers.get('www-authenticate')).toBe(challenge)
    expect(answer.version).toBeNull()
    expect(answer.assumptions).toEqual(
      status === 403 ? ['unauthenticated_status', 'forbidden_type'] : restsOn,
    )
  })

  test.each([
    ['default', undefined, 'UNAUTHORIZED_ERROR'],
    ['UNAUTHENTICATED_ERROR', 'UNAUTHENTICATED_ERROR', 'UNAUTHENTICATED_ERROR'],
    ['AUTHENTICATION_ERROR', 'AUTHENTICATION_ERROR', 'AUTHENTICATION_ERROR'],
  ])('unauthenticated_type %s -> that type', async (_, value, type) => {
    const { call } = await startSandbox(
      value === undefined ? {} : { assume: { unauthenticated_type: value } },
    )
    const answer = await call('GET', reward, { key: 'sk_sandbox_unknown' })
    expect(answer.status).toBe(401)
    expect(answer.json).toEqual({ error: { type, message: messages.unusable } })
    expect(answer.assumptions).toEqual(restsOn)
  })

  test('a password beside an API key is ignored, beside a key id it is the secret', async () => {
    const { call } = await startSandbox()
    for (const headers of [basic(fullKey, 'password'), basic(fullKey), basic('key_full', 'secret_full')]) {
      const { status, assumptions } = await call('GET', reward, { headers })
      expect({ status, assumptions }).toEqual({ status: 200, assumptions: [] })
    }
    expectRefused(await call('GET', reward, { headers: basic('key_full', 'wrong') }), messages.unusable)
  })

  test('base64(KEY_ID) without a colon is no credential either', async () => {
    const { call } = await startSandbox()
    const headers = { authorization: `Basic ${base64('key_full')}` }
    expectRefused(await call('GET', reward, { headers }), messages.noColon)
  })

  test.each([
    ['default', {}, 200],
    ['201', { create_key_status: 201 }, 201],
    ['200', { create_key_status: 200 }, 200],
  ])('create_key_status %s -> that status', async (_, assume, status) => {
    const { call } = await startSandbox({ assume })
    const made = await call('POST', '/v2/keys')
    expect(made.status).toBe(status)
    expect(Object.keys(made.json)).toEqual(['key', 'created_at'])
    expect(made.assumptions).toEqual(['create_key_status', 'create_key_shape'])
    expect((await call('GET', reward, { key: made.json.key })).status).toBe(200)
  })

  test.each([
    ['default', {}, ['key', 'created_at']],
    ['key_and_dates', { create_key_shape: 'key_and_dates' }, ['key', 'created_at']],
    [
      'id_key_secret_scopes_created_at',
      { create_key_shape: 'id_key_secret_scopes_created_at' },
      ['id', 'key', 'secret', 'scopes', 'created_at'],
    ],
  ])('create_key_shape %s -> these fields', async (_, assume, fields) => {
    const { call } = await startSandbox({ assume })
    const made = await call('POST', '/v2/keys')
    expect(made.status).toBe(200)
    expect(Object.keys(made.json)).toEqual(fields)
    expect(made.assumptions).toEqual(['create_key_status', 'create_key_shape'])
    expect((await call('GET', reward, { key: made.json.key })).status).toBe(200)
  })
})
