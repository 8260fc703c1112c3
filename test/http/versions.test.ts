import { describe, expect, test } from 'vitest'
import { logOf } from '../helpers/log.ts'
import { startSandbox, type CallOptions } from '../helpers/sandbox.ts'
import { expectUnsupported } from './versions.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const inProduction = 'Supported versions: 2025-05-05, 2026-10-13.'

describe('choosing a version', () => {
  test.each([
    ['sandbox', 'sk_sandbox_full', '2026-10-13'],
    ['production', 'sk_production_full', '2025-05-05'],
  ] as const)('case 18: no header in %s -> the version saved for it', async (environment, key, version) => {
    const { call } = await startSandbox({ environment })
    const answer = await call('GET', reward, { key })
    expect({ status: answer.status, version: answer.version }).toEqual({ status: 200, version })
  })

  test.each([
    ['case 19', 'sandbox', 'sk_sandbox_full', '2025-05-05'],
    ['case 19', 'sandbox', 'sk_sandbox_full', '2026-10-13'],
    ['case 19', 'production', 'sk_production_full', '2026-10-13'],
    ['case 20', 'sandbox', 'sk_sandbox_full', 'latest'],
  ] as const)('%s: in %s %s asks for %s -> that version', async (_, environment, key, version) => {
    const { call } = await startSandbox({ environment })
    const answer = await call('GET', reward, { key, headers: { 'X-SERVICE-VERSION': version } })
    expect({ status: answer.status, version: answer.version }).toEqual({ status: 200, version })
  })

  test('case 20: latest in production -> 400 that does not name it as supported', async () => {
    const { call } = await startSandbox({ environment: 'production' })
    const headers = { 'x-service-version': 'latest' }
    expectUnsupported(
      await call('GET', reward, { key: 'sk_production_full', headers }),
      'latest',
      inProduction,
    )
  })

  test('case 24: spaces and tabs around the value -> accepted', async () => {
    const { call } = await startSandbox()
    for (const value of [' 2025-05-05', '2025-05-05  ', '\t2025-05-05 \t']) {
      const answer = await call('GET', reward, { headers: { 'x-service-version': value } })
      expect({ status: answer.status, version: answer.version }).toEqual({
        status: 200,
        version: '2025-05-05',
      })
    }
  })

  test('case 28: the saved version is changed -> the next request uses it', async () => {
    const { call, state } = await startSandbox()
    expect((await call('GET', reward)).version).toBe('2026-10-13')
    state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    expect((await call('GET', reward)).version).toBe('2025-05-05')
    expect((await call('GET', reward, { headers: { 'x-service-version': 'latest' } })).version).toBe('latest')
    state.patch('account', 'account', { saved_version: { sandbox: '2026-10-13' } })
    expect((await call('GET', reward)).version).toBe('2026-10-13')
  })

  test('case 28: the version saved for production is changed -> sandbox keeps its own', async () => {
    const { call, state } = await startSandbox()
    state.patch('account', 'account', { saved_version: { production: '2026-10-13', sandbox: '2025-05-05' } })
    state.patch('account', 'account', { saved_version: { production: '2025-05-05' } })
    expect((await call('GET', reward)).version).toBe('2025-05-05')

    const production = await startSandbox({ environment: 'production' })
    production.state.patch('account', 'account', { saved_version: { production: '2026-10-13' } })
    expect((await production.call('GET', reward, { key: 'sk_production_full' })).version).toBe('2026-10-13')
  })

  test('case 28: latest cannot be saved, and a refused change changes nothing', async () => {
    const { call, state } = await startSandbox()
    for (const version of ['latest', '2025-05-06', ''] as never[]) {
      expect(() => state.patch('account', 'account', { saved_version: { sandbox: version } })).toThrow(
        /saved_version\.sandbox/,
      )
    }
    expect((await call('GET', reward)).version).toBe('2026-10-13')
  })
})

describe('an unsupported version', () => {
  test.each([
    ['case 21', 'Latest'],
    ['case 21', 'LATEST'],
    ['case 21', '2025-5-5'],
    ['case 21', '2025-05-06'],
    ['case 21', 'v2025-05-05'],
    ['case 21', '2025-05-05,2026-10-13'],
    ['case 21', '2025-05-05;'],
    ['case 21', '"2025-05-05"'],
    ['case 21', '2025-05-05T00:00:00Z'],
    ['case 21', '20250505'],
    ['case 21', 'latest 2025-05-05'],
    ['case 21', '__proto__'],
    ['case 22', ''],
    ['case 23', '2025-05-05, 2025-05-05'],
  ])('%s: %j -> 400 that names it and what is supported, without a version', async (_, value) => {
    const { call } = await startSandbox()
    expectUnsupported(await call('GET', reward, { headers: { 'x-service-version': value } }), value)
  })

  test.each([
    ['10 KB', 'y'.repeat(10_240), 'y'.repeat(64)],
    ['65 characters', 'z'.repeat(65), 'z'.repeat(64)],
    ['an escape sequence', '\u001b[31mred', '?[31mred'],
    ['DEL and C1', 'a\u007f\u0085b', 'a??b'],
    ['a tab inside', '2025\t05', '2025?05'],
  ])('case 25: %s -> 400 with at most 64 printable characters of it', async (_, value, shown) => {
    const { call } = await startSandbox()
    expectUnsupported(await call('GET', reward, { headers: { 'x-service-version': value } }), shown)
  })

  test.each(['pretty', 'json'] as const)(
    'case 25: hostile values -> one %s log line each',
    async (format) => {
      const values = ['y'.repeat(10_240), 'a\u001b[2Kb', 'a\u0085b\u0001c', '{"event":"x"}']
      const printed = await logOf(format, async (sandbox) => {
        for (const value of values) {
          const headers = { authorization: 'Bearer sk_sandbox_full', 'x-service-version': value }
          await sandbox.fetch(reward, { headers })
        }
      })
      expect(printed).toMatch(/^([\x20-\x7e]{1,600}\n){4}$/)
    },
  )

  test.each([
    ['no scope', 'GET', '/v2/transaction_intents/int_ada_1', { key: 'sk_sandbox_none' }],
    ['an unknown path', 'GET', '/v2/unknown', {}],
    ['a wrong method', 'PUT', '/v2/customers', {}],
    ['no merchant key', 'GET', reward, { key: 'sk_sandbox_multi' }],
    ['a body of another type', 'POST', '/v2/transaction_intents', { body: 'x' }],
    ['an invalid body', 'POST', '/v2/transaction_intents', { json: {} }],
    ['an unknown id', 'GET', '/v2/rewards/unknown', {}],
  ] as const)(
    'case 26: and %s -> 400 for the version, without a version',
    async (_, method, path, options) => {
      const { call } = await startSandbox()
      const headers = { 'x-service-version': '2020-01-01' }
      expectUnsupported(await call(method, path, { ...options, headers }), '2020-01-01')
    },
  )

  test('case 26: a write with an unsupported version -> nothing is written', async () => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const headers = { 'x-service-version': 'v2' }
    const json = { customer_id: 'cus_ada', amount: 1, currency: 'USD' }
    expectUnsupported(await call('POST', '/v2/transaction_intents', { json, headers }), 'v2')
    expectUnsupported(await call('POST', '/v2/keys', { headers }), 'v2')
    expectUnsupported(await call('DELETE', '/v2/order_events/ord_ada_1', { headers }), 'v2')
    expect(state.document()).toEqual(before)
  })
})

describe('which answers carry the version', () => {
  const intents = '/v2/transaction_intents'
  const json = { 'content-type': 'application/json' }
  const rows: readonly (readonly [string, number, string, string, CallOptions])[] = [
    ['a read', 200, 'GET', reward, {}],
    [
      'a created intent',
      200,
      'POST',
      intents,
      { json: { customer_id: 'cus_ada', amount: 1, currency: 'USD' } },
    ],
    ['a deleted order event', 204, 'DELETE', '/v2/order_events/ord_ada_1', {}],
    ['OPTIONS', 204, 'OPTIONS', '/v2/customers', {}],
    ['HEAD', 200, 'HEAD', reward, {}],
    ['a missing scope', 403, 'GET', `${intents}/int_ada_1`, { key: 'sk_sandbox_none' }],
    ['an unknown id', 404, 'GET', '/v2/rewards/unknown', {}],
    ['an unknown path', 404, 'GET', '/v2/unknown', {}],
    ['a wrong method', 405, 'PUT', '/v2/customers', {}],
    [
      'a conflict',
      409,
      'POST',
      '/v2/customers/cus_ben/link',
      { json: { partner_customer_id: 'partner-ada' } },
    ],
    ['a body too large', 413, 'POST', intents, { body: ' '.repeat(1_048_577), headers: json }],
    ['another media type', 415, 'POST', intents, { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['malformed JSON', 400, 'POST', intents, { body: '{', headers: json }],
    ['an invalid body', 400, 'POST', intents, { json: {} }],
    ['an invalid query', 400, 'GET', '/v2/customers?limit=0', {}],
    ['a missing merchant key', 400, 'GET', reward, { key: 'sk_sandbox_multi' }],
    ['a missing order event', 400, 'DELETE', '/v2/order_events/unknown', {}],
  ]

  test.each(rows)('case 27: %s (%i) -> the saved version', async (_, status, method, path, options) => {
    const { call } = await startSandbox()
    const answer = await call(method, path, options)
    expect({ status: answer.status, version: answer.version }).toEqual({ status, version: '2026-10-13' })
  })

  test.each(rows)('case 27: %s (%i) -> the version asked for', async (_, status, method, path, options) => {
    const { call } = await startSandbox()
    for (const version of ['2025-05-05', 'latest']) {
      const headers = { ...options.headers, 'x-service-version': version }
      const answer = await call(method, path, { ...options, headers })
      expect(answer.version).toBe(version)
      // The second deletion meets what the first one left.
      if (status !== 204) expect(answer.status).toBe(status)
    }
  })

  test('case 27: none but the two refusals before a choice are without it', async () => {
    const { call } = await startSandbox()
    expect((await call('GET', reward, { key: null })).version).toBeNull()
    expect((await call('GET', reward, { headers: { 'x-service-version': 'x' } })).version).toBeNull()
  })
})
