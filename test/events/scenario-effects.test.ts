// Effects of scenarios on deliveries: what a receiver gets, and what the attempts say.
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { eventTypeNames } from '../../src/contract/event-types.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { presets } from '../../src/events/presets/index.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { startSandbox, testNow, type CallApi, type WideOptions } from '../helpers/sandbox.ts'

type World = Sandbox & { call: CallApi }

interface Rule {
  on?: string | string[]
  calls?: string
  effect: unknown
}

const scenario = (name: string, ...rules: Rule[]): object => ({
  name,
  description: 'A scenario of this test.',
  rules: rules.map((rule) => ({ on: '*', ...rule })),
})

/** A sandbox in which one scenario with these effects is active. */
const startWith = (effect: unknown, options: WideOptions = {}): Promise<World> =>
  startSandbox({ webhooks: 'standard', scenarios: scenario('x', { effect }), ...options })

const startTime = Date.parse(testNow)
const after = (seconds: number): string => new Date(startTime + seconds * 1000).toISOString()

interface Received {
  id: string | null
  body: Record<string, unknown>
  /** Whether the secret of the endpoint signed it, not long ago. */
  isGenuine: boolean
}

/** Adds a receiver that answers these statuses in turn, and the last one from then on. */
function receive(workspace: SandboxWorkspace, statuses: number[] = [204], events?: ['statement.created']) {
  const got: Received[] = []
  const { id, secret } = workspace.webhooks.add({
    ...(events && { events }),
    async handler(request) {
      const text = await request.text()
      const status = statuses[Math.min(got.length, statuses.length - 1)] ?? 204
      got.push({
        id: request.headers.get('webhook-id'),
        body: JSON.parse(text) as Record<string, unknown>,
        isGenuine: isSigned(text, request.headers, secret),
      })
      return new Response(null, { status })
    },
  })
  return { id, got, ids: () => got.map((one) => one.id) }
}

function isSigned(text: string, headers: Headers, secret: string): boolean {
  try {
    new Webhook(secret).verify(text, Object.fromEntries(headers))
    return true
  } catch {
    return false
  }
}

const trigger = ({ events }: SandboxWorkspace): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

const settle = (call: CallApi, headers: Record<string, string> = {}, key?: string): ReturnType<CallApi> =>
  call('PATCH', '/v2/rewards/rwd_ada_pending', {
    json: { status: 'AVAILABLE' },
    headers,
    ...(key !== undefined && { key }),
  })

const deliveries = ({ events }: SandboxWorkspace, id = 'evt_1') => events.get(id)?.deliveries

const first = {
  n: 1,
  endpoint_id: 'handler_1',
  due: testNow,
  at: null,
  state: 'waiting',
  status: null,
  reason: 'the first attempt, changed by scenario x',
} as const

/** The first attempt of an event, before it is made. */
const planned: [title: string, effect: unknown, attempts: object[]][] = [
  ['duplicate', { event: 'duplicate' }, [first, { ...first, n: 2, reason: 'a duplicate, by scenario x' }]],
  [
    'two duplicates',
    [{ event: 'duplicate' }, { event: 'duplicate' }],
    [first, ...[2, 3].map((n) => ({ ...first, n, reason: 'a duplicate, by scenario x' }))],
  ],
  [
    'concurrent',
    { event: 'concurrent' },
    [
      { ...first, faults: ['concurrent'] },
      { ...first, n: 2, reason: 'a duplicate, by scenario x', faults: ['concurrent'] },
    ],
  ],
  ['drop', { event: 'drop' }, [{ ...first, state: 'skipped', reason: 'dropped by scenario x' }]],
  [
    'drop, with others that then do nothing',
    [{ event: 'duplicate' }, { event: { delay: '5m' } }, { event: 'drop' }, { event: 'bad_signature' }],
    [{ ...first, state: 'skipped', reason: 'dropped by scenario x' }],
  ],
  ['delay', { event: { delay: '5m' } }, [{ ...first, due: after(300) }]],
  [
    'two delays and a duplicate',
    [{ event: { delay: '5m' } }, { event: { delay: '1s' } }, { event: 'duplicate' }],
    [
      { ...first, due: after(301) },
      { ...first, n: 2, due: after(301), reason: 'a duplicate, by scenario x' },
    ],
  ],
  [
    'reorder',
    { event: 'reorder' },
    [{ ...first, due: after(5), reason: 'waits for the next event, by scenario x', faults: ['reorder'] }],
  ],
  [
    'reorder and delay: the delay is how long it waits for the next event',
    [{ event: 'reorder' }, { event: { delay: '1m' } }],
    [{ ...first, due: after(60), reason: 'waits for the next event, by scenario x', faults: ['reorder'] }],
  ],
  [
    'a wrong signature, an old timestamp, and contents that are not known',
    ['bad_signature', 'stale_timestamp', 'unknown_type', 'unknown_fields'].map((event) => ({ event })),
    [{ ...first, faults: ['bad_signature', 'stale_timestamp', 'unknown_type', 'unknown_fields'] }],
  ],
  [
    'early, for an event that no call caused',
    { event: 'early' },
    [{ ...first, reason: `${first.reason}; early does nothing: no call caused the event` }],
  ],
]

describe('the attempts of a new event', () => {
  it.each(planned)('%s', async (_title, effect, attempts) => {
    const sandbox = await startWith(effect)
    receive(sandbox)
    trigger(sandbox)
    expect(deliveries(sandbox)).toEqual(attempts)
    expect(sandbox.events.get('evt_1')?.scenario_rules).toEqual(['x#1'])
  })

  it('without a rule that acts -> as usual, and no rule is named', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario('x', { on: 'reward.created', effect: { event: 'drop' } }),
    })
    receive(sandbox)
    trigger(sandbox)
    expect(deliveries(sandbox)).toEqual([{ ...first, reason: 'the first attempt' }])
    expect(sandbox.events.get('evt_1')).not.toHaveProperty('scenario_rules')
  })

  it('several scenarios add up, and each is named', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: [
        scenario('later', { effect: { event: { delay: '1m' } } }),
        scenario('twice', { effect: { event: 'duplicate' } }),
      ],
    })
    receive(sandbox)
    trigger(sandbox)
    expect(deliveries(sandbox)).toEqual([
      { ...first, due: after(60), reason: 'the first attempt, changed by scenario later, twice' },
      { ...first, n: 2, due: after(60), reason: 'a duplicate, by scenario later, twice' },
    ])
    expect(sandbox.events.get('evt_1')?.scenario_rules).toEqual(['later#1', 'twice#1'])
  })

  it('every endpoint gets its own duplicate', async () => {
    const sandbox = await startWith({ event: 'duplicate' })
    const one = receive(sandbox)
    const other = receive(sandbox)
    trigger(sandbox)
    await sandbox.events.drain()
    expect([one.ids(), other.ids()]).toEqual([
      ['evt_1', 'evt_1'],
      ['evt_1', 'evt_1'],
    ])
    expect(deliveries(sandbox)?.map(({ n, endpoint_id }) => [n, endpoint_id])).toEqual([
      [1, 'handler_1'],
      [2, 'handler_1'],
      [3, 'handler_2'],
      [4, 'handler_2'],
    ])
  })

  it('a duplicate that failed with its original -> the retry is the first one', async () => {
    const sandbox = await startWith({ event: 'duplicate' })
    receive(sandbox, [500])
    trigger(sandbox)
    await sandbox.events.drain()
    expect(deliveries(sandbox)?.map(({ due, state, reason }) => [due, state, reason])).toEqual([
      [testNow, 'failed', 'answered 500'],
      [testNow, 'failed', 'answered 500'],
      [after(5), 'waiting', 'retry 1 of 9'],
    ])
  })
})

describe('reorder', () => {
  it('the event comes right after the next one, at the same instant of a frozen clock', async () => {
    const sandbox = await startWith({ event: 'reorder' })
    const { ids } = receive(sandbox)
    for (let count = 0; count < 5; count += 1) trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 4, failed: 0, waiting: 1 })
    expect(ids()).toEqual(['evt_2', 'evt_1', 'evt_4', 'evt_3'])
    await sandbox.clock.advance({ seconds: 5 })
    expect(ids().at(-1)).toBe('evt_5')
    expect(sandbox.events.get('evt_2')?.deliveries[0]).not.toHaveProperty('faults')
  })

  it('every second event -> the first comes as usual', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario('x', { calls: 'every 2', effect: { event: 'reorder' } }),
    })
    const { ids } = receive(sandbox)
    for (let count = 0; count < 5; count += 1) trigger(sandbox)
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_1', 'evt_3', 'evt_2', 'evt_5', 'evt_4'])
  })

  it('the next event comes later -> the attempt waits until its instant, and says so', async () => {
    const sandbox = await startWith({ event: 'reorder' })
    const { ids } = receive(sandbox)
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 4 })
    trigger(sandbox)
    expect(deliveries(sandbox)).toEqual([
      { ...first, due: after(4), reason: 'made after evt_2, by scenario x', faults: ['reorder'] },
    ])
    expect(deliveries(sandbox, 'evt_2')).toEqual([
      { ...first, due: after(4), reason: 'made before an earlier event, by scenario x' },
    ])
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_2', 'evt_1'])
  })

  it('no next event -> five seconds later', async () => {
    const sandbox = await startWith({ event: 'reorder' })
    const { ids } = receive(sandbox)
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 4 })
    expect(ids()).toEqual([])
    await sandbox.clock.advance({ seconds: 1 })
    expect(ids()).toEqual(['evt_1'])
  })

  it('the next event of another endpoint, and one that is dropped, release nothing', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario(
        'x',
        { calls: '1', effect: { event: 'reorder' } },
        { on: 'customer.linked', effect: { event: 'drop' } },
      ),
    })
    const { ids } = receive(sandbox)
    const statements = receive(sandbox, [204], ['statement.created'])
    trigger(sandbox)
    sandbox.events.trigger('customer.linked', { id: 'cus_ada' })
    await sandbox.events.drain()
    expect(ids()).toEqual([])
    trigger(sandbox)
    await sandbox.events.drain()
    expect([ids(), statements.ids()]).toEqual([['evt_3', 'evt_1'], []])
  })

  it('the next event is late -> both are', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario(
        'x',
        { calls: '1', effect: { event: 'reorder' } },
        { calls: '2', effect: { event: { delay: '1m' } } },
      ),
    })
    const { ids } = receive(sandbox)
    trigger(sandbox)
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 59 })
    expect(ids()).toEqual([])
    await sandbox.clock.advance({ seconds: 1 })
    expect(ids()).toEqual(['evt_2', 'evt_1'])
  })

  it('resent while it waits -> immediately, and the next event does not move it', async () => {
    const sandbox = await startWith({ event: 'reorder' })
    const { ids } = receive(sandbox)
    trigger(sandbox)
    const { deliveries: attempts } = await sandbox.events.resend('evt_1')
    expect(attempts).toEqual([
      { ...first, at: testNow, state: 'delivered', status: 204, reason: 'answered 204' },
    ])
    expect(ids()).toEqual(['evt_1'])
  })

  it('two events of one call change places', async () => {
    const sandbox = await startWith({ event: 'reorder' })
    const { got } = receive(sandbox)
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    await sandbox.events.drain()
    const ids = got.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(['evt_2', 'evt_1'])
  })
})

describe('faults of one attempt', () => {
  it.each([
    ['bad_signature'],
    ['no_signature'],
    ['malformed_signature'],
    ['stale_timestamp'],
    ['future_timestamp'],
  ] as const)('%s -> only the first attempt cannot be verified', async (event) => {
    const sandbox = await startWith({ event })
    const { got } = receive(sandbox, [400, 500, 204])
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ days: 1 })
    await sandbox.events.resend('evt_1')
    expect(got.map(({ isGenuine }) => isGenuine)).toEqual([false, true, true, true])
    expect(deliveries(sandbox)?.map(({ faults }) => faults)).toEqual([
      [event],
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each([
    ['stale_timestamp', 600],
    ['future_timestamp', -600],
  ] as const)(
    '%s -> the signature is genuine, ten minutes from the time of the machine',
    async (event, expected) => {
      const sandbox = await startWith({ event })
      let age = 0
      sandbox.webhooks.add({
        handler(request) {
          age = Date.now() / 1000 - Number(request.headers.get('webhook-timestamp'))
          return new Response()
        },
      })
      trigger(sandbox)
      await sandbox.events.drain()
      expect(age).toBeGreaterThanOrEqual(expected)
      expect(age).toBeLessThan(expected + 30)
    },
  )

  it.each([
    ['no_signature', null],
    ['malformed_signature', 'v1,malformed'],
  ] as const)('%s -> the other headers are as usual', async (event, signature) => {
    const sandbox = await startWith({ event })
    const headers: (string | null)[] = []
    sandbox.webhooks.add({
      handler(request) {
        for (const name of ['webhook-id', 'webhook-signature']) headers.push(request.headers.get(name))
        return new Response()
      },
    })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(headers).toEqual(['evt_1', signature])
  })

  it('bad_signature while two secrets are valid -> one wrong signature', async () => {
    const sandbox = await startWith({ event: 'bad_signature' })
    const signatures: (string | null)[] = []
    const { id } = sandbox.webhooks.add({
      handler(request) {
        signatures.push(request.headers.get('webhook-signature'))
        return new Response()
      },
    })
    sandbox.webhooks.rotate(id)
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.events.resend('evt_1')
    expect(signatures.map((text) => text?.split(' ').length)).toEqual([1, 2])
  })

  const without: [fault: string, changes: Partial<WebhookDescription>, why: string][] = [
    ['bad_signature', { headers: {}, signing: { algorithm: 'none' } }, 'the description has no signature'],
    ['no_signature', { headers: {}, signing: { algorithm: 'none' } }, 'the description has no signature'],
    [
      'malformed_signature',
      { headers: {}, signing: { algorithm: 'none' } },
      'the description has no signature',
    ],
    ['stale_timestamp', presets.body_hmac, 'the description has no {attempt.time}'],
    ['future_timestamp', presets.body_hmac, 'the description has no {attempt.time}'],
    ['unknown_type', { body: { id: '{event.id}' } }, 'the description has no {event.type}'],
  ]
  it.each(without)('%s where nothing can show it -> the attempt says so', async (event, changes, why) => {
    const sandbox = await startWith({ event }, { webhooks: { ...presets.standard, ...changes } })
    receive(sandbox)
    trigger(sandbox)
    expect(deliveries(sandbox)).toEqual([
      { ...first, reason: `${first.reason}; ${event} does nothing: ${why}` },
    ])
  })

  /** A call whose early event reached a receiver, which answers this status when it is told to. */
  async function earlyCall(status: number) {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    let answer = (): void => undefined
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let reach = (): void => undefined
    const reached = new Promise<void>((resolve) => (reach = resolve))
    let count = 0
    sandbox.webhooks.add({
      async handler() {
        count += 1
        if (count > 1) return new Response(null, { status: 204 })
        reach()
        await answered
        return new Response(null, { status })
      },
    })
    const called = settle(sandbox.call, { 'x-sandbox-scenario': 'event-early' })
    await reached
    return { sandbox, called, answer: () => answer() }
  }

  it.each(['memory', 'a file'])(
    'early for calls in parallel, with rows in %s -> each is answered after its event',
    async (place) => {
      const options = place === 'memory' ? {} : { data: join(await folderWith({}), 'data.json') }
      const sandbox = await startSandbox({ webhooks: 'standard', scenarios: 'event-early', ...options })
      const log: string[] = []
      sandbox.webhooks.add({
        async handler(request) {
          const { id } = (await request.json()) as { id: string }
          await setImmediate()
          log.push(sandbox.events.get(id)?.request_id ?? '')
          return new Response(null, { status: 204 })
        },
      })
      const json = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
      const create = async (): Promise<void> => {
        const { headers } = await sandbox.call('POST', '/v2/transaction_intents', { json })
        log.push(`answer of ${headers.get('x-sandbox-request-id')}`)
      }
      await Promise.all([create(), create(), create()])
      const ids = ['req_default_1', 'req_default_2', 'req_default_3']
      expect(log.toSorted()).toEqual([...ids.map((id) => `answer of ${id}`), ...ids])
      for (const id of ids) expect(log.indexOf(id)).toBeLessThan(log.indexOf(`answer of ${id}`))
    },
  )

  it('early for a call of a handler -> it is answered at once, as the handler waits for it', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard', scenarios: 'event-early' })
    const json = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
    const create = () => sandbox.call('POST', '/v2/transaction_intents', { json })
    let count = 0
    const states: unknown[] = []
    sandbox.webhooks.add({
      async handler() {
        count += 1
        if (count === 1) {
          await create()
          states.push(deliveries(sandbox, 'evt_2')?.map(({ state }) => state))
        }
        return new Response(null, { status: 204 })
      },
    })
    await create()
    await sandbox.events.drain()
    expect([count, states]).toEqual([2, [['waiting']]])
  })

  it('a drain while an early attempt is made -> waits for it, and delivers what was due after it', async () => {
    const { sandbox, called, answer } = await earlyCall(204)
    trigger(sandbox)
    const drained = sandbox.events.drain()
    answer()
    expect(await drained).toEqual({ delivered: 2, failed: 0, waiting: 0 })
    await called
    const states = ['evt_1', 'evt_2'].map((id) => deliveries(sandbox, id)?.map(({ state }) => state))
    expect(states).toEqual([['delivered'], ['delivered']])
  })

  it('the clock advances while an early attempt is made that fails -> it is repeated on the way', async () => {
    const { sandbox, called, answer } = await earlyCall(500)
    const advanced = sandbox.clock.advance({ minutes: 1 })
    answer()
    await Promise.all([advanced, called])
    expect(deliveries(sandbox)?.map(({ at, status }) => [at, status])).toEqual([
      [testNow, 500],
      [after(5), 204],
    ])
  })

  it('early for a late event -> it is only late', async () => {
    const sandbox = await startWith([{ event: 'early' }, { event: { delay: '1m' } }])
    receive(sandbox)
    await settle(sandbox.call)
    const reason = `${first.reason}; early does nothing: another effect makes the event late`
    expect(deliveries(sandbox)).toEqual([{ ...first, due: after(60), reason }])
  })
})

describe('concurrent', () => {
  /** A receiver that answers when it is allowed to, and logs when it begins and ends. */
  function slowReceiver({ webhooks }: SandboxWorkspace) {
    const log: string[] = []
    let allow = (): void => undefined
    const allowed = new Promise<void>((resolve) => (allow = resolve))
    let reach = (): void => undefined
    const reached = new Promise<void>((resolve) => (reach = resolve))
    webhooks.add({
      async handler(request) {
        const id = request.headers.get('webhook-id')
        log.push(`begins ${id}`)
        if (log.length === 2) reach()
        await allowed
        log.push(`ends ${id}`)
        return new Response(null, { status: 204 })
      },
    })
    return { log, reached, allow: () => allow() }
  }

  it('the duplicate begins while the first is handled, and the next event after both', async () => {
    const sandbox = await startWith({ event: 'concurrent' })
    const { log, reached, allow } = slowReceiver(sandbox)
    trigger(sandbox)
    trigger(sandbox)
    const drained = sandbox.events.drain()
    await reached
    expect(log).toEqual(['begins evt_1', 'begins evt_1'])
    allow()
    expect(await drained).toEqual({ delivered: 4, failed: 0, waiting: 0 })
    expect(log).toEqual(
      ['evt_1', 'evt_2'].flatMap((id) => [`begins ${id}`, `begins ${id}`, `ends ${id}`, `ends ${id}`]),
    )
  })

  it('an early event -> both before the answer of the call', async () => {
    const sandbox = await startWith([{ event: 'concurrent' }, { event: 'early' }])
    const log: string[] = []
    sandbox.webhooks.add({
      async handler() {
        log.push('begins')
        await setImmediate()
        log.push('ends')
        return new Response(null, { status: 204 })
      },
    })
    await settle(sandbox.call)
    expect(log).toEqual(['begins', 'begins', 'ends', 'ends'])
  })

  it('both fail -> one retry, which is not concurrent', async () => {
    const sandbox = await startWith({ event: 'concurrent' })
    const { ids } = receive(sandbox, [500, 500, 204])
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ seconds: 5 })
    expect(ids()).toEqual(['evt_1', 'evt_1', 'evt_1'])
    expect(deliveries(sandbox)?.at(-1)).toMatchObject({ state: 'delivered', reason: 'answered 204' })
    expect(deliveries(sandbox)?.at(-1)).not.toHaveProperty('faults')
  })
})

describe('contents that a receiver does not know', () => {
  const extra = { sandbox_unknown_field: { added: 'in a later release' } }

  it('unknown_type -> in every attempt, when it is resent, and in its request', async () => {
    const sandbox = await startWith({ event: 'unknown_type' })
    const { got } = receive(sandbox, [500, 204])
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ seconds: 5 })
    await sandbox.events.resend('evt_1')
    expect(got.map(({ body, isGenuine }) => [body['type'], isGenuine])).toEqual([
      ['reward.unknown', true],
      ['reward.unknown', true],
      ['reward.unknown', true],
    ])
    const all = [1, 2, 3].map(() => ['unknown_type'])
    expect(deliveries(sandbox)?.map(({ faults }) => faults)).toEqual(all)
    const request = (await sandbox.events.request('evt_1').json()) as Record<string, unknown>
    expect([request['type'], sandbox.events.get('evt_1')?.type]).toEqual(['reward.unknown', 'reward.updated'])
  })

  it('same_json_other_bytes -> the same value in other bytes, signed as they are, in every attempt', async () => {
    const sandbox = await startWith({ event: 'same_json_other_bytes' })
    const { got } = receive(sandbox, [500, 204])
    const data = { metadata: { shop: 'Café a/b 🎁: "1, 2"' } }
    const { id } = sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending', data })
    await sandbox.events.drain()
    await sandbox.clock.advance({ seconds: 5 })
    const text = await sandbox.events.request(id).text()
    expect(text).toContain('"shop" : "Caf\\u00e9 a\\/b \\ud83c\\udf81: \\"1, 2\\""')
    const body = JSON.parse(text) as Record<string, unknown>
    expect(body['data']).toEqual(sandbox.events.get(id)?.data)
    expect([JSON.stringify(body), JSON.stringify(body, null, 2)]).not.toContain(text)
    expect(got).toEqual([1, 2].map(() => ({ id, body, isGenuine: true })))
  })

  it('large -> 300 kB of characters of several bytes, in every attempt', async () => {
    const sandbox = await startWith({ event: 'large' })
    const { got } = receive(sandbox, [500, 204])
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ seconds: 5 })
    const { sandbox_large_text: text, ...others } = got[0]?.body ?? {}
    expect(Buffer.byteLength(String(text))).toBe(300_000)
    expect(Object.keys(others)).toEqual(['id', 'type', 'timestamp', 'data'])
    expect(got.map(({ isGenuine, body }) => [isGenuine, body['sandbox_large_text'] === text])).toEqual(
      [1, 2].map(() => [true, true]),
    )
  })

  it('unknown_fields -> at the top of the body and in each object of the resource', async () => {
    const sandbox = await startWith({ event: 'unknown_fields' })
    trigger(sandbox)
    const data = sandbox.events.get('evt_1')?.data
    const request = (await sandbox.events.request('evt_1').json()) as object
    expect(request).toEqual({
      id: 'evt_1',
      type: 'reward.updated',
      timestamp: testNow,
      data: { ...data, ...extra },
      ...extra,
    })
    expect(deliveries(sandbox)).toMatchObject([{ state: 'collected', faults: ['unknown_fields'] }])
  })

  it('unknown_fields with a thin body -> in every object of it', async () => {
    const sandbox = await startWith({ event: 'unknown_fields' }, { webhooks: 'thin' })
    trigger(sandbox)
    const request = (await sandbox.events.request('evt_1').json()) as object
    expect(request).toEqual(expect.objectContaining({ ...extra, data: { id: 'rwd_ada_pending', ...extra } }))
  })
})

describe('which events a rule counts', () => {
  const uses = async ({ scenarios }: SandboxWorkspace): Promise<unknown> =>
    (await scenarios.get('x'))?.rules.map(({ calls, hits }) => [calls, hits])

  it('"*" counts events of every type, and no calls', async () => {
    const sandbox = await startWith({ event: 'drop' })
    await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    expect(await uses(sandbox)).toEqual([[0, 0]])
    await settle(sandbox.call)
    sandbox.events.trigger('customer.linked', { id: 'cus_ada' })
    expect(await uses(sandbox)).toEqual([[2, 2]])
  })

  it('a list of types, and the calls on which it acts', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario('x', {
        on: ['reward.updated', 'reward.created'],
        calls: 'every 2',
        effect: { event: 'drop' },
      }),
    })
    const { ids } = receive(sandbox)
    for (let count = 0; count < 4; count += 1) trigger(sandbox)
    sandbox.events.trigger('customer.linked', { id: 'cus_ada' })
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_1', 'evt_3', 'evt_5'])
    expect(await uses(sandbox)).toEqual([[4, 2]])
    await sandbox.scenarios.restart('x')
    expect(await uses(sandbox)).toEqual([[0, 0]])
  })

  it('a share of the events -> those that the seed chooses, in every run', async () => {
    const dropped = async (seed: number): Promise<string[]> => {
      const rule = { calls: '25%', effect: { event: 'drop' } }
      const sandbox = await startSandbox({ seed, webhooks: 'standard', scenarios: scenario('x', rule) })
      receive(sandbox)
      for (let count = 0; count < 40; count += 1) trigger(sandbox)
      return sandbox.events
        .list()
        .filter(({ deliveries: [one] }) => one?.state === 'skipped')
        .map(({ id }) => id)
    }
    const again = await dropped(1)
    expect(again).toEqual(['evt_30', 'evt_29', 'evt_28', 'evt_27', 'evt_20', 'evt_18', 'evt_9'])
    expect(await dropped(1)).toEqual(again)
    expect(await dropped(2)).not.toEqual(again)
  })

  it('a call that is refused, or lost before its commit, counts none; one that is lost after it does', async () => {
    const sandbox = await startWith({ event: 'drop' })
    await sandbox.call('PATCH', '/v2/rewards/rwd_missing', { json: { status: 'AVAILABLE' } })
    await sandbox.scenarios.activate('x', 'reset')
    await settle(sandbox.call).catch(() => undefined)
    expect(await uses(sandbox)).toEqual([[0, 0]])
    await sandbox.scenarios.activate('x')
    await settle(sandbox.call)
    expect(await uses(sandbox)).toEqual([[1, 1]])
  })

  it('a statement that a simulation creates', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario('x', { on: 'statement.created', effect: { event: 'drop' } }),
    })
    const { got } = receive(sandbox)
    sandbox.simulate.statement({ account_id: 'acct_ada' })
    await sandbox.events.drain()
    expect(got).toEqual([])
    expect(await uses(sandbox)).toEqual([[1, 1]])
  })

  it('the header -> for the events of this call alone, with a counter of its own', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    const { ids } = receive(sandbox)
    await settle(sandbox.call, { 'x-sandbox-scenario': 'event-duplicate' })
    await sandbox.events.drain()
    trigger(sandbox)
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_1', 'evt_1', 'evt_2'])
    expect((await sandbox.scenarios.get('event-duplicate'))?.rules).toEqual([
      { id: 'event-duplicate#1', calls: 1, hits: 1 },
    ])
  })

  it('the key -> for the events of its calls', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      fixtures: [
        'default',
        {
          api_keys: [
            {
              id: 'key_twice',
              secret: 'secret',
              api_key: 'sk_sandbox_twice',
              scopes: [],
              products: ['mk_summit'],
              environment: 'sandbox',
              scenarios: ['event-duplicate'],
            },
          ],
        },
      ],
    })
    const { ids } = receive(sandbox)
    await settle(sandbox.call, {}, 'sk_sandbox_twice')
    await sandbox.events.drain()
    trigger(sandbox)
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_1', 'evt_1', 'evt_2'])
  })

  it('rules that never acted are found, with the reason', async () => {
    const sandbox = await startSandbox({
      webhooks: 'standard',
      scenarios: scenario(
        'x',
        { on: 'statement.created', effect: { event: 'drop' } },
        { on: 'reward.updated', calls: '2', effect: { event: 'drop' } },
        { calls: '3', effect: { event: 'drop' } },
      ),
    })
    trigger(sandbox)
    expect(
      sandbox.findings.unfiredRules().map(({ id, events, reason }) => [id, events?.length, reason]),
    ).toEqual([
      ['x#1', 1, 'there was no event statement.created'],
      ['x#2', 1, "1 event matched it, and none is among its 'calls: 2'"],
      ['x#3', eventTypeNames.length, "1 event matched it, and none is among its 'calls: 3'"],
    ])
  })

  it('two sandboxes with equal calls -> equal attempts', async () => {
    const run = async (): Promise<unknown> => {
      const sandbox = await startSandbox({
        webhooks: 'standard',
        scenarios: ['event-reorder', 'event-duplicate'],
      })
      receive(sandbox, [500, 204])
      await settle(sandbox.call)
      trigger(sandbox)
      await sandbox.events.drain()
      await sandbox.clock.advance({ minutes: 1 })
      return sandbox.events.list()
    }
    expect(await run()).toEqual(await run())
  })
})

describe('with a data file', () => {
  it('a restart keeps the attempts that wait for the next event, and the active scenarios', async () => {
    const data = join(await folderWith({}), 'data.json')
    const before = await startSandbox({ webhooks: 'standard', data })
    await before.scenarios.activate('event-reorder')
    receive(before)
    trigger(before)
    await before.close()
    const sandbox = await startSandbox({ webhooks: 'standard', data })
    const { ids } = receive(sandbox)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(ids()).toEqual(['evt_2', 'evt_1'])
    trigger(sandbox)
    expect(deliveries(sandbox, 'evt_3')).toMatchObject([{ faults: ['reorder'] }])
  })
})

it('an attempt whose five seconds are over when its handler is added -> it is due, and the next event waits', async () => {
  const data = join(await folderWith({}), 'data.json')
  const before = await startWith({ event: 'reorder' }, { data })
  receive(before)
  trigger(before)
  await before.close()
  const sandbox = await startWith({ event: 'reorder' }, { data })
  await sandbox.clock.advance({ seconds: 10 })
  const { ids } = receive(sandbox)
  trigger(sandbox)
  expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 1 })
  expect(ids()).toEqual(['evt_1'])
})

describe('explained', () => {
  it('a call -> its events with their faults and rules', async () => {
    const sandbox = await startWith([{ event: 'bad_signature' }, { event: 'duplicate' }])
    receive(sandbox, [400, 204])
    const { requestId } = await settle(sandbox.call)
    await sandbox.events.drain()
    const { sections = [] } = (await sandbox.requests.explain(requestId ?? '')) ?? {}
    const facts = (about: string) => sections.find((section) => section.about === about)?.facts
    expect(facts('events')).toEqual([
      {
        name: 'evt_1',
        value: 'reward.updated',
        note: 'Its reward was created by step txe_ada_1. Attempt 1 (bad_signature) to handler_1 failed: answered 400. Attempt 2 (bad_signature) to handler_1 was delivered: answered 204. Scenario rule x#1 changed its deliveries.',
      },
    ])
    expect(facts('scenarios')).toEqual([
      { name: 'active', value: ['x'] },
      { name: 'x#1', value: 'did not apply', note: 'it is for events, not for answers' },
    ])
  })
})
