import { describe, expect, it } from 'vitest'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { exercise } from '../../src/coverage/reports/exercise.ts'
import { loadSamples } from '../../src/coverage/reports/samples.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import type { Sandbox } from '../../src/index.ts'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { callsOf, worlds } from '../helpers/catalogue-worlds.ts'
import { roundTrips } from '../helpers/round-trips.ts'
import { basic, fullKey, startSandbox, type WideOptions } from '../helpers/sandbox.ts'
import { sendSamples } from '../helpers/send-samples.ts'
import { drawn, samples } from '../setup/samples.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }

type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

/** Calls without looking at the contract, and passes over answers that are lost on purpose. */
async function send(sandbox: Pick<Sandbox, 'fetch'>, path: string, init: Init = {}): Promise<void> {
  const headers = { authorization: `Bearer ${fullKey}`, ...init.headers }
  const answer = await sandbox.fetch(path, { ...init, headers }).catch(() => undefined)
  await answer?.arrayBuffer().catch(() => undefined)
}

const json = (method: string, body: unknown): Init => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const open = (options: WideOptions = {}): Promise<Sandbox> =>
  startSandbox({ journalSize: 10_000, ...options })

describe('whatever is asked of a journal is the same of calls that were written and read', () => {
  it('a call for each point of the contract: successes, errors, keys, versions, products, pages, values', async () => {
    const trips = roundTrips()
    const sandbox = await open()
    const world = { values: resolveAssumptions({}), environment: 'sandbox' } as const
    const catalogue = new PointCatalogue(world)
    const sampled = await loadSamples('sandbox')
    const points = endpoints.flatMap((endpoint) =>
      catalogue.of(endpoint).drafts.map((draft) => ({ endpoint, draft })),
    )
    const chosen = drawn(points)
    for (const { endpoint, draft } of chosen) {
      await sendSamples(sandbox, exercise(endpoint, draft, sampled, world))
    }
    expect(trips.texts().length).toBeGreaterThan(chosen.length * 0.9)
    expect(trips.differences(sandbox)).toEqual([])
  }, 240_000)

  const [[, world] = []] = worlds
  if (!world) throw new Error('there is no world')
  const calls = Object.values(callsOf(world))

  it('each operation under each scenario of the catalogue, three times', async () => {
    const trips = roundTrips()
    const sandbox = await open()
    const names = (await sandbox.scenarios.list()).map(({ name }) => name)
    for (const name of drawn(names.filter((one) => one !== 'slow'))) {
      for (const [method, path, { json: body } = {}] of calls) {
        const init = body === undefined ? { method } : json(method, body)
        const named = { ...init, headers: { ...init.headers, 'x-sandbox-scenario': name } }
        // The first one is never answered.
        if (name === 'hang') void send(sandbox, path, named)
        else await send(sandbox, path, named)
      }
    }
    expect(trips.texts().length).toBeGreaterThan(samples(500))
    expect(trips.differences(sandbox)).toEqual([])
  }, 240_000)

  const effects: Record<string, object | object[]> = {
    error: { error: 'RATE_LIMIT_ERROR', message: 'Zu viele — später.' },
    invalid: { invalid: ['amount must be less'] },
    'a bare effect': { unauthenticated: true },
    'not found': { not_found: 'customer_id' },
    'a scope taken away': [{ missing_scope: 'TRANSACTION_INTENT_WRITE' }],
    'a version that is gone': { unsupported_version: { supported: ['2026-10-13'] } },
    'any answer': [{ respond: { status: 502, headers: { 'x-via': 'a "proxy"' }, body: '<h1>bad</h1>' } }],
    'an answer without a body': { respond: { status: 204 } },
    'a fault before': { transport: 'reset' },
    'a fault after': { transport: 'truncate', at: 'after' },
    dripping: { transport: { drip: { bytes_per_second: 1_000_000 } } },
    'a wait': { latency: 1 },
    'rows that change before': { change: { customers: { $customer_id: { first_name: 'Other' } } } },
    'rows that are made and deleted after': {
      change: {
        rewards: {
          rwd_ada_pending: null,
          rwd_new: { customer_id: 'cus_ada', amount: 5, type: 'OFFER', status: 'PENDING' },
        },
      },
      at: 'after',
    },
    'a change that cannot be': { change: { rewards: { rwd_none: { amount: 5 } } } },
    'a rewrite': { rewrite: [{ op: 'add', path: '/more', value: { exact: 1 } }] },
    'a rewrite that does nothing': { rewrite: [{ op: 'remove', path: '/none' }] },
  }

  it.each(Object.entries(effects))('the effect of a scenario that is gone by then: %s', async (_, effect) => {
    const trips = roundTrips()
    const sandbox = await open()
    await sandbox.scenarios.register({
      name: 'own',
      description: 'One of this workspace.',
      rules: [
        { on: 'createTransactionIntent', when: { body: { amount: 1 } }, effect: 'unauthenticated' },
        { on: 'retrieveReward', effect: 'unauthenticated' },
        { on: 'createTransactionIntent', calls: 'every 2', off_contract: true, effect },
      ],
    })
    await sandbox.scenarios.activate('own', 'rate-limited')
    for (let n = 0; n < 4; n++) await send(sandbox, intents, json('POST', intent))
    await sandbox.scenarios.deactivate()
    expect(await sandbox.scenarios.unregister('own')).toBe(true)
    await send(sandbox, reward)
    expect(sandbox.requests.list()).toHaveLength(5)
    expect(trips.differences(sandbox)).toEqual([])
  })

  const stub = {
    method: 'GET',
    path: '/v2/customers/{customer_id}/notes',
    collection: 'customers',
    id: '{customer_id}',
  }
  const own = { headers: { authorization: '' } }

  type Kind = { options?: WideOptions; calls: [path: string, init?: Init][] }
  const kinds: Record<string, Kind> = {
    'HEAD and OPTIONS': {
      calls: [
        [reward, { method: 'HEAD' }],
        ['/v2/rewards/none', { method: 'HEAD' }],
        [reward, { method: 'OPTIONS' }],
        [
          reward,
          { method: 'OPTIONS', headers: { origin: 'http://a', 'access-control-request-method': 'PATCH' } },
        ],
      ],
    },
    'no endpoint': {
      calls: [['/v2/reward/x'], [reward, { method: 'DELETE' }], ['/v2/customers/'], ['/v2/%ZZ?%E0%A4=1&=']],
    },
    'a prefix, and a slash at the end': {
      options: { baseUrl: 'http://sandbox.example/pre' },
      calls: [[`/pre${reward}?x=1`], [`/pre${reward}/`], ['/pre/v2/rewards/none'], ['/v2/customers?']],
    },
    'stubs, with values of their paths': {
      options: { fixtures: ['fixtures/default.json', { stubs: [stub] }] },
      calls: [
        ['/v2/customers/cus_ada/notes'],
        ['/v2/customers/none/notes'],
        ['/v2/customers/cus_ada/notes', own],
      ],
    },
    'a parameter that a scenario has name nothing': {
      options: { assume: { payment_methods_unknown_customer: 'empty_list' } },
      calls: [
        [
          '/v2/payment_methods',
          {
            ...json('POST', { customer_id: 'cus_ada' }),
            headers: { 'content-type': 'application/json', 'x-sandbox-scenario': 'not-found-customer' },
          },
        ],
      ],
    },
    'credentials of every kind': {
      calls: [
        {},
        { authorization: 'JWT x' },
        { authorization: 'Bearer sk_sandbox_ful' },
        { authorization: `Bearer ${fullKey}.w9` },
        { authorization: `Bearer ${fullKey}.w-`.repeat(20) },
        { authorization: `Bearer ${fullKey}.no name` },
        { authorization: 'Bearer nobody.w3' },
        { authorization: 'Bearer key_full' },
        { authorization: 'Bearer sk_production_full' },
        basic('key_full', 'wrong'),
        basic('key_full', 'secret_full'),
        basic(fullKey),
        basic(fullKey, 'password'),
        { 'x-service-merchant-key': 'mk_none' },
        { authorization: 'Bearer sk_sandbox_multi' },
        { 'x-service-version': 'latest' },
        { 'x-service-version': '2025-5-5' },
        { 'x-service-version': '' },
      ].map((headers): [string, Init] => [reward, { headers }]),
    },
    'bodies of every kind': {
      calls: [
        [intents, json('POST', { ...intent, metadata: { id: 'x' } })],
        [intents, { ...json('POST', {}), body: '{"customer_id":"cus_ada","amount":9223372036854775807}' }],
        [
          intents,
          {
            ...json('POST', {}),
            body: '{"customer_id":"cus_ada","amount":1,"currency":"USD","metadata":{"n":9223372036854775807,"__proto__":-0}}',
          },
        ],
        [intents, { ...json('POST', {}), body: '\ufeff{"customer_id":"cus_ada"}' }],
        [intents, { ...json('POST', {}), body: '{"customer_id":"Zoë 🙂"}' }],
        [intents, { ...json('POST', {}), body: Buffer.from([0xff, 0xfe, 0x00, 0x7b, 0x22]) }],
        [intents, { ...json('POST', {}), body: '' }],
        [intents, { method: 'POST', body: 'text' }],
        [intents, json('POST', { ...intent, note: 'a'.repeat(10_000) })],
        [intents, json('POST', { ...intent, note: 'é'.repeat(10_000) })],
        [intents, json('POST', { ...intent, note: '🙂'.repeat(1_020) })],
        [intents, json('POST', { ...intent, note: '\0'.repeat(1_000) })],
        ['/v2/customers?limit=20'],
        ['/v2/customers?limit=100'],
      ],
    },
  }

  it.each(Object.entries(kinds))('%s', async (_, { options, calls: sent }) => {
    const trips = roundTrips()
    const sandbox = await open(options)
    for (const [path, init] of sent) await send(sandbox, path, init)
    expect(trips.texts().length).toBeGreaterThan(0)
    expect(trips.differences(sandbox)).toEqual([])
  })

  it('rows that changed: what they were then, and who changed them', async () => {
    const trips = roundTrips()
    const sandbox = await open()
    await send(sandbox, reward, json('PATCH', { amount: 5 }))
    await send(sandbox, reward)
    await send(sandbox, '/v2/order_events/ord_ada_1', { method: 'DELETE' })
    await send(sandbox, '/v2/order_events/ord_ada_1', { method: 'DELETE' })
    await send(sandbox, '/v2/keys', { method: 'POST' })
    await send(sandbox, '/v2/customers/cus_ada/link', json('POST', { partner_customer_id: 'p-1' }))
    await send(sandbox, intents, json('POST', intent))
    expect(sandbox.requests.list().flatMap(({ changes }) => changes)).toHaveLength(5)
    expect(trips.differences(sandbox)).toEqual([])
  })
})
