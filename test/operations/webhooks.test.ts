import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { standard } from '../../src/events/presets/standard.ts'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import type { WebhookHandler } from '../../src/events/endpoints.ts'
import { callsOf, remainsOf } from '../../src/inspector/trace.ts'
import type { WorkspaceVerbs } from '../../src/operations/sandbox-workspace.ts'
import { EventsTimeoutError } from '../../src/operations/webhook-event.ts'
import { packageVersion } from '../../src/runtime/host.ts'
import type { Sandbox, SandboxSnapshot, SandboxWorkspace } from '../../src/index.ts'
import { callerFor, startSandbox, testNow, type CallApi, type WideOptions } from '../helpers/sandbox.ts'

type World = Sandbox & { call: CallApi }

const start = (options: WideOptions = {}): Promise<World> =>
  startSandbox({ webhooks: 'standard', ...options })

/** A sandbox whose description differs from `standard`. */
const startWith = (changes: Partial<WebhookDescription>, options: WideOptions = {}): Promise<World> =>
  start({ webhooks: { ...standard, ...changes }, ...options })

const startTime = Date.parse(testNow)

/** The instant some time after the start of the clock. */
const after = (seconds: number): string => new Date(startTime + seconds * 1000).toISOString()

const trigger = ({ events }: Pick<SandboxWorkspace, 'events'>): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

interface Seen {
  id: string | null
  /** On the clock of the sandbox. */
  at: string
}

/** Adds a handler that answers the statuses in turn, and the last one from then on. */
function receive(
  { webhooks, clock }: Pick<SandboxWorkspace, 'webhooks' | 'clock'>,
  ...statuses: number[]
): { id: string; secret: string; seen: Seen[] } {
  const seen: Seen[] = []
  const { id, secret } = webhooks.add({
    handler(request) {
      const status = statuses[Math.min(seen.length, statuses.length - 1)] ?? 204
      seen.push({ id: request.headers.get('webhook-id'), at: clock.now() })
      return new Response(null, { status })
    },
  })
  return { id, secret, seen }
}

/** The attempts of an event, as short as tests compare them. */
const attempts = ({ events }: Pick<SandboxWorkspace, 'events'>, id = 'evt_1'): unknown[] =>
  (events.get(id)?.deliveries ?? []).map(({ endpoint_id, state, reason }) => [endpoint_id, state, reason])

/** A promise that a test settles. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** Replaces the timers of the test. */
function useFakeTimers(): void {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
}

/** Whether a secret signs a request; the library compares its time with the machine's clock. */
async function isSignedBy(request: Request, secret: string): Promise<boolean> {
  try {
    new Webhook(secret).verify(await request.clone().text(), Object.fromEntries(request.headers))
    return true
  } catch {
    return false
  }
}

const settle = (call: CallApi): ReturnType<CallApi> =>
  call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })

const ok = (): Response => new Response()

/** Why an attempt to http://192.0.2.1/hook is skipped. */
const notAllowed =
  '192.0.2.1 is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow 192.0.2.1'

describe('endpoints', () => {
  it('added -> listed without their secrets, addresses first', async () => {
    const { webhooks, clock } = await start()
    const first = webhooks.add({ handler: ok })
    await clock.advance({ minutes: 1 })
    const second = webhooks.add({ handler: ok, events: ['reward.updated', 'reward.created'] })
    const third = webhooks.add({ url: 'http://192.0.2.1/hook', events: ['*'] })
    const listed = [
      {
        id: 'we_1',
        url: 'http://192.0.2.1/hook',
        events: ['*'],
        enabled: true,
        created_at: after(60),
        warning: notAllowed,
      },
      { id: 'handler_1', url: null, events: ['*'], enabled: true, created_at: testNow },
      {
        id: 'handler_2',
        url: null,
        events: ['reward.updated', 'reward.created'],
        enabled: true,
        created_at: after(60),
      },
    ]
    expect(webhooks.list()).toEqual(listed)
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect([third, first, second]).toEqual(listed.map((endpoint) => ({ ...endpoint, secret })))
    const secrets = [first, second, third].map((endpoint) => endpoint.secret)
    expect(new Set([...secrets, webhooks.secret]).size).toBe(4)
  })

  it.each<[string, input: unknown, message: string]>([
    ['no handler', {}, 'must have either a handler or a url'],
    ['both', { handler: ok, url: 'https://a.example' }, 'must have either a handler or a url'],
    ['a handler that is no function', { handler: 'app' }, 'must be a function that takes a Request'],
    [
      'a handler of three arguments, as an Express app is',
      { handler: (_request: unknown, answer: { end(): void }, next: () => void) => (answer.end(), next()) },
      'must take a Request and return a Response. For Express, start your app on a port and forward',
    ],
    [
      'a handler with listen, as the app of a framework has',
      { handler: Object.assign(() => ok(), { listen: () => undefined }) },
      'must take a Request and return a Response. For Express, start your app on a port and forward',
    ],
    ['an address of another protocol', { url: 'ftp://a.example' }, 'must be a URL with http or https'],
    ['no types', { handler: ok, events: [] }, 'must have a type, or * for all'],
    ['an unknown type', { handler: ok, events: ['reward'] }, 'events[0]'],
    ['an unknown field', { handler: ok, event: ['*'] }, "did you mean 'events'?"],
  ])('%s -> an error, and no endpoint', async (_, input, message) => {
    const { webhooks } = await start()
    expect(() => webhooks.add(input as { url: string })).toThrow(message)
    expect(webhooks.list()).toEqual([])
  })

  it.each<[string, (of: World['webhooks']) => unknown, message: string]>([
    ['update of an unknown id', (of) => of.update('handler_2', {}), 'handler_2'],
    ['rotate of an unknown id', (of) => of.rotate('handler_2'), 'handler_2'],
    ['update of an unknown field', (of) => of.update('handler_1', { on: true } as object), 'on'],
    [
      'update with no boolean',
      (of) => of.update('handler_1', { enabled: 'no' } as object),
      'must be true or false',
    ],
    [
      'update with no types',
      (of) => of.update('handler_1', { events: [] }),
      'must have a type, or * for all',
    ],
  ])('%s -> an error, and nothing changes', async (_, act, message) => {
    const { webhooks } = await start()
    webhooks.add({ handler: ok })
    const before = webhooks.list()
    expect(() => act(webhooks)).toThrow(message)
    expect(webhooks.list()).toEqual(before)
  })

  it('events -> only these types are delivered', async () => {
    const sandbox = await start()
    const seen: unknown[] = []
    sandbox.webhooks.add({
      events: ['transaction.captured'],
      handler: async (request) => Response.json(seen.push(JSON.parse(await request.text()).type)),
    })
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    await sandbox.events.drain()
    expect(seen).toEqual(['transaction.captured'])
    expect(sandbox.events.list().map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([
      ['collected'],
      ['delivered'],
    ])
  })

  it('update of events -> applies to later events', async () => {
    const sandbox = await start()
    const { id, seen } = receive(sandbox)
    expect(sandbox.webhooks.update(id, { events: ['reward.created'] })).toMatchObject({
      events: ['reward.created'],
    })
    trigger(sandbox)
    await sandbox.events.drain()
    sandbox.webhooks.update(id, { events: ['*'] })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(seen.map((one) => one.id)).toEqual(['evt_2'])
  })

  it('disabled -> waiting attempts are skipped, events are collected; enabled -> later events are delivered', async () => {
    const sandbox = await start()
    const { id, seen } = receive(sandbox, 500, 200)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(sandbox.webhooks.update(id, { enabled: false })).toMatchObject({ id, enabled: false })
    trigger(sandbox)
    await sandbox.clock.advance({ days: 1 })
    sandbox.webhooks.update(id, { enabled: true })
    await sandbox.clock.advance({ days: 1 })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(attempts(sandbox)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', 'the endpoint was disabled'],
    ])
    expect(attempts(sandbox, 'evt_2')).toEqual([[null, 'collected', 'no endpoint receives this type']])
    expect(seen.map((one) => one.id)).toEqual(['evt_1', 'evt_3'])
  })

  it('removed -> waiting attempts are skipped, and its id is not used again', async () => {
    const sandbox = await start()
    const { id, seen } = receive(sandbox, 500)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(sandbox.webhooks.remove(id)).toBe(true)
    expect(sandbox.webhooks.remove(id)).toBe(false)
    expect(sandbox.webhooks.list()).toEqual([])
    await sandbox.clock.advance({ days: 1 })
    expect(attempts(sandbox)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', 'the endpoint was removed'],
    ])
    expect(seen).toHaveLength(1)
    expect(sandbox.webhooks.add({ handler: ok }).id).toBe('handler_2')
  })

  it('an address that is not allowed -> listed, changed and removed; its attempts are skipped, and not repeated', async () => {
    const sandbox = await start()
    const { id } = sandbox.webhooks.add({ url: 'http://192.0.2.1/hook' })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    expect(attempts(sandbox)).toEqual([[id, 'skipped', notAllowed]])
    expect(sandbox.webhooks.update(id, { url: 'https://partner.example/new', enabled: false })).toEqual({
      id,
      url: 'https://partner.example/new',
      events: ['*'],
      enabled: false,
      created_at: testNow,
      warning:
        'partner.example is not allowed unless it resolves to a loopback address. Start the sandbox with --webhook-allow partner.example',
    })
    expect(sandbox.webhooks.remove(id)).toBe(true)
    expect(sandbox.webhooks.list()).toEqual([])
  })

  it('a reset and a restore -> handlers stay', async () => {
    const sandbox = await start()
    const before = sandbox.snapshot()
    const { seen } = receive(sandbox)
    sandbox.reset()
    sandbox.restore(before)
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(seen).toEqual([{ id: 'evt_default_2_1', at: testNow }])
  })

  it('each change -> one entry of the timeline', async () => {
    const { webhooks, timeline } = await start()
    const { id } = webhooks.add({ handler: ok })
    webhooks.update(id, { enabled: false, events: ['*'] })
    webhooks.rotate(id)
    webhooks.remove(id)
    webhooks.remove(id)
    expect(timeline().map(({ kind, summary }) => [kind, summary])).toEqual([
      ['webhook', 'Removed handler_1'],
      ['webhook', 'Rotated the secret of handler_1'],
      ['webhook', expect.stringMatching(/^Changed (events, enabled|enabled, events) of handler_1$/)],
      ['webhook', 'Added handler_1'],
    ])
  })
})

describe('rotate', () => {
  it('both secrets sign for 24 hours of the clock of the sandbox, then only the new one', async () => {
    const sandbox = await start()
    const requests: Request[] = []
    const { id, secret: old } = sandbox.webhooks.add({
      handler(request) {
        requests.push(request)
        return ok()
      },
    })
    const { secret } = sandbox.webhooks.rotate(id)
    expect(secret).not.toBe(old)
    const seen: unknown[] = []
    for (const move of [{ seconds: 0 }, { hours: 23, minutes: 59, seconds: 59.999 }, { seconds: 0.001 }]) {
      await sandbox.clock.advance(move)
      trigger(sandbox)
      await sandbox.events.drain()
      const request = requests.at(-1)
      if (!request) throw new Error('no delivery')
      seen.push([
        request.headers.get('webhook-signature')?.split(' ').length,
        await isSignedBy(request, secret),
        await isSignedBy(request, old),
      ])
    }
    expect(seen).toEqual([
      [2, true, true],
      [2, true, true],
      [1, true, false],
    ])
  })

  it('twice -> the first secret is no longer valid', async () => {
    const sandbox = await start()
    const requests: Request[] = []
    const handler: WebhookHandler = (request) => (requests.push(request), ok())
    const { id, secret: first } = sandbox.webhooks.add({ handler })
    const { secret: second } = sandbox.webhooks.rotate(id)
    const { secret: third } = sandbox.webhooks.rotate(id)
    trigger(sandbox)
    await sandbox.events.drain()
    const [request] = requests
    if (!request) throw new Error('no delivery')
    const valid = await Promise.all([first, second, third].map((secret) => isSignedBy(request, secret)))
    expect(valid).toEqual([false, true, true])
  })

  it('of an address -> its row keeps no secret', async () => {
    const { webhooks, state } = await start()
    const { id, secret } = webhooks.add({ url: 'https://partner.example/hook' })
    const rotated = webhooks.rotate(id)
    expect(rotated.secret).not.toBe(secret)
    expect(state.document().webhook_endpoints).toEqual([
      {
        id,
        url: 'https://partner.example/hook',
        events: ['*'],
        enabled: true,
        created_at: testNow,
        rotation: { count: 1, at: testNow },
      },
    ])
  })
})

it('has the headers that a delivery over HTTP has', async () => {
  const sandbox = await startWith({ headers: { 'webhook-id': '{event.id}' }, signing: { algorithm: 'none' } })
  const seen: unknown[] = []
  sandbox.webhooks.add({
    async handler(request) {
      const size = (await request.clone().arrayBuffer()).byteLength
      seen.push([Object.fromEntries(request.headers), size])
      return ok()
    },
  })
  const { id } = sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending', data: { note: 'é' } })
  await sandbox.events.drain()
  const request = sandbox.events.request(id)
  const size = (await request.clone().arrayBuffer()).byteLength
  const headers = {
    'content-length': String(size),
    'content-type': 'application/json',
    'user-agent': `partner-rewards-sandbox/${packageVersion()}`,
    'webhook-id': id,
  }
  expect(seen).toEqual([[headers, size]])
  expect(Object.fromEntries(request.headers)).toEqual(headers)
})

describe('limits', () => {
  it('a workspace has 100 endpoints, handlers and addresses together', async () => {
    const { webhooks } = await start()
    for (let count = 0; count < 50; count++) {
      webhooks.add({ handler: ok })
      webhooks.add({ url: 'http://localhost/hook' })
    }
    const message = 'the workspace has 100 endpoints, which is the maximum: remove one first'
    expect(() => webhooks.add({ handler: ok })).toThrow(message)
    expect(() => webhooks.add({ url: 'http://localhost/hook' })).toThrow(message)
    webhooks.remove('handler_1')
    webhooks.add({ handler: ok })
    expect(webhooks.list()).toHaveLength(100)
  })

  it('a document has 100 endpoints', async () => {
    const rows = Array.from({ length: 101 }, (_, at) => ({
      id: `we_${at + 1}`,
      url: 'http://localhost/hook',
    }))
    await start({ fixtures: { webhook_endpoints: rows.slice(1) } })
    await expect(start({ fixtures: { webhook_endpoints: rows } })).rejects.toThrow(
      'must have at most 100 endpoints, not 101',
    )
  })

  it('an event has 100 attempts: then it is neither resent nor repeated', async () => {
    const sandbox = await start()
    let status = 204
    sandbox.webhooks.add({ handler: () => new Response(null, { status }) })
    const id = trigger(sandbox)
    await sandbox.events.drain()
    for (let count = 2; count < 100; count++) await sandbox.events.resend(id)
    status = 500
    const { deliveries } = await sandbox.events.resend(id)
    expect(deliveries).toHaveLength(100)
    expect(deliveries[99]).toMatchObject({
      state: 'failed',
      reason: 'answered 500; not repeated, as an event has at most 100 attempts',
    })
    await expect(sandbox.events.resend(id)).rejects.toThrow(
      `${id} has 100 attempts, and an event has at most 100: cause another event`,
    )
  })

  it('an event has 100 attempts: each of its endpoints gets as many duplicates', async () => {
    const duplicates = Array.from({ length: 60 }, () => ({ on: '*', effect: { event: 'duplicate' } }))
    const scenario = { name: 'many', description: 'Sixty duplicates.', rules: duplicates }
    const sandbox = await start({ scenarios: [scenario] })
    const [first, second] = [receive(sandbox), receive(sandbox)]
    trigger(sandbox)
    await sandbox.events.drain()
    expect([first.seen.length, second.seen.length]).toEqual([50, 50])
  })
})

describe('the first attempt', () => {
  it('follows the answer of the call, without a drain', async () => {
    const sandbox = await start()
    const order: string[] = []
    const { opened, open } = gate()
    const bodies: unknown[] = []
    const { secret } = sandbox.webhooks.add({
      async handler(request) {
        order.push('attempt')
        bodies.push([request.method, request.url, request.headers.get('content-type')])
        bodies.push(await isSignedBy(request, secret), JSON.parse(await request.text()))
        open()
        return ok()
      },
    })
    const { json } = await settle(sandbox.call)
    order.push('answer')
    await opened
    expect(order).toEqual(['answer', 'attempt'])
    expect(bodies).toEqual([
      ['POST', 'http://receiver.invalid/', 'application/json'],
      true,
      { id: 'evt_1', type: 'reward.updated', timestamp: testNow, data: json },
    ])
    expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      {
        n: 1,
        endpoint_id: 'handler_1',
        due: testNow,
        at: testNow,
        state: 'delivered',
        status: 200,
        reason: 'answered 200',
      },
    ])
  })

  it.each<[string, (sandbox: World) => unknown]>([
    ['a simulation', ({ simulate }) => simulate.transaction({ intent_id: 'int_ada_1' })],
    ['a trigger', trigger],
    [
      'a scenario whose call is refused',
      ({ call }) =>
        call('PATCH', '/v2/rewards/rwd_ada_pending', {
          json: { status: 'AVAILABLE' },
          headers: { 'x-sandbox-scenario': 'reward-settled-before-update' },
        }),
    ],
  ])('of %s -> without a drain', async (_, act) => {
    const sandbox = await start()
    const { opened, open } = gate()
    sandbox.webhooks.add({ handler: () => (open(), ok()) })
    await act(sandbox)
    await opened
  })

  it('several endpoints -> one attempt each, in order; their numbers count over all', async () => {
    const sandbox = await start()
    sandbox.webhooks.add({ url: 'http://192.0.2.1/hook' })
    const order: string[] = []
    const add = (name: string, status: number): unknown =>
      sandbox.webhooks.add({ handler: () => (order.push(name), new Response(null, { status })) })
    add('a', 500)
    add('b', 200)
    trigger(sandbox)
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 2, failed: 2, waiting: 2 })
    expect(order).toEqual(['a', 'b', 'a', 'b'])
    expect(
      sandbox.events.get('evt_1')?.deliveries.map(({ n, endpoint_id, due }) => [n, endpoint_id, due]),
    ).toEqual([
      [1, 'we_1', testNow],
      [2, 'handler_1', testNow],
      [3, 'handler_2', testNow],
      [4, 'handler_1', after(5)],
    ])
  })
})

describe('retries', () => {
  const cumulated = [0, 5, 305, 2105, 9305, 27_305, 63_305, 113_705, 185_705, 272_105]

  it('an advance -> each at its own instant, until the last', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 503)
    trigger(sandbox)
    await sandbox.clock.advance({ days: 10 })
    expect(seen).toEqual(cumulated.map((seconds) => ({ id: 'evt_1', at: after(seconds) })))
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual(
      cumulated.map((seconds, at) => ({
        n: at + 1,
        endpoint_id: 'handler_1',
        due: after(seconds),
        at: after(seconds),
        state: 'failed',
        status: 503,
        reason: 'answered 503',
      })),
    )
    expect(sandbox.clock.read()).toEqual({ now: after(864_000), frozen: true })
  })

  it('a step at a time -> made when its time comes, and not before', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 500, 500, 200)
    trigger(sandbox)
    const seenAfter: unknown[] = []
    for (const seconds of [0, 4.999, 0.001, 299.999, 0.001, 100_000]) {
      await sandbox.clock.advance({ seconds })
      const { waiting } = await sandbox.events.drain()
      seenAfter.push([seen.length, waiting])
    }
    expect(seenAfter).toEqual([
      [1, 1],
      [1, 1],
      [2, 1],
      [2, 1],
      [3, 0],
      [3, 0],
    ])
    expect(seen.map(({ at }) => at)).toEqual([testNow, after(5), after(305)])
  })

  it('clock.set -> the same as advance', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 500, 200)
    trigger(sandbox)
    await sandbox.clock.set({ now: after(60), frozen: true })
    expect(seen.map(({ at }) => at)).toEqual([testNow, after(5)])
    expect(sandbox.clock.now()).toBe(after(60))
  })

  it('of two events -> in the order in which they fall due', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 500)
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 3 })
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 400 })
    expect(seen).toEqual([
      { id: 'evt_1', at: testNow },
      { id: 'evt_2', at: after(3) },
      { id: 'evt_1', at: after(5) },
      { id: 'evt_2', at: after(8) },
      { id: 'evt_1', at: after(305) },
      { id: 'evt_2', at: after(308) },
    ])
  })

  it('an event that a handler causes in turn -> at the instant of its cause', async () => {
    const sandbox = await start()
    const seen: Seen[] = []
    sandbox.webhooks.add({
      async handler(request) {
        const id = request.headers.get('webhook-id')
        seen.push({ id, at: sandbox.clock.now() })
        if (id === 'evt_1' && seen.length === 1) return new Response(null, { status: 500 })
        if (id === 'evt_1') await settle(sandbox.call)
        return ok()
      },
    })
    trigger(sandbox)
    await sandbox.clock.advance({ hours: 1 })
    expect(seen).toEqual([
      { id: 'evt_1', at: testNow },
      { id: 'evt_1', at: after(5) },
      { id: 'evt_2', at: after(5) },
    ])
    expect(sandbox.events.get('evt_2')).toMatchObject({ time: after(5), source: 'api' })
  })

  it('none -> one attempt', async () => {
    const sandbox = await startWith({ retries: 'none' })
    const { seen } = receive(sandbox, 500)
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 0 })
    await sandbox.clock.advance({ days: 10 })
    expect(seen).toHaveLength(1)
  })

  it('a step back -> refused, and nothing is delivered', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 500)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(() => sandbox.clock.set('2020-01-01T00:00:00Z')).toThrow()
    expect(() => sandbox.clock.advance({ seconds: -1 })).toThrow()
    expect(seen).toHaveLength(1)
  })

  it('nothing falls due -> the clock has moved when the call returns', async () => {
    const sandbox = await start()
    receive(sandbox)
    const moved = sandbox.clock.advance({ days: 1 })
    expect(sandbox.clock.now()).toBe(after(86_400))
    await moved
  })
})

describe('an answer', () => {
  type Answer = Partial<WebhookDescription>
  it.each<[string, Answer, status: number, state: string, reason: string, enabled: boolean]>([
    ['2xx, lowest', {}, 200, 'delivered', 'answered 200', true],
    ['2xx, highest', {}, 299, 'delivered', 'answered 299', true],
    ['a redirect', {}, 302, 'failed', 'answered 302', true],
    ['a client error', {}, 400, 'failed', 'answered 400', true],
    ['gone', {}, 410, 'failed', 'answered 410, which disabled the endpoint', false],
    ['gone without disable_on', { disable_on: undefined }, 410, 'failed', 'answered 410', true],
    ['in success', { success: [202, 302] }, 302, 'delivered', 'answered 302', true],
    ['not in success', { success: [202] }, 200, 'failed', 'answered 200', true],
    ['in success and in disable_on', { success: [410] }, 410, 'delivered', 'answered 410', true],
  ])('%s', async (_, changes, status, state, reason, enabled) => {
    const sandbox = await startWith(changes)
    receive(sandbox, status)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(sandbox.events.get('evt_1')?.deliveries[0]).toMatchObject({ state, status, reason, at: testNow })
    expect(sandbox.webhooks.list().map((endpoint) => endpoint.enabled)).toEqual([enabled])
  })

  it('that disables -> no retry, and other waiting attempts are skipped', async () => {
    const sandbox = await start()
    const { id, seen } = receive(sandbox, 500, 410)
    trigger(sandbox)
    await sandbox.events.drain()
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 0 })
    expect(attempts(sandbox)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', 'the endpoint was disabled'],
    ])
    expect(attempts(sandbox, 'evt_2')).toEqual([[id, 'failed', 'answered 410, which disabled the endpoint']])
    await sandbox.clock.advance({ days: 1 })
    expect(seen).toHaveLength(2)
  })

  it.each<[string, handler: () => unknown, reason: string]>([
    [
      'an error',
      () => {
        throw new Error('no database')
      },
      'threw: no database',
    ],
    ['a rejection', () => Promise.reject(new Error('no database')), 'threw: no database'],
    [
      'a text',
      () => {
        // oxlint-disable-next-line no-throw-literal -- a handler may throw anything
        throw 'no database'
      },
      'threw: no database',
    ],
    [
      'a value without a text',
      () => {
        // oxlint-disable-next-line no-throw-literal -- a handler may throw anything
        throw Object.create(null)
      },
      'threw: a value without a text',
    ],
    [
      'an error after a turn of the event loop',
      async () => {
        await setImmediate()
        throw new Error('no database')
      },
      'threw: no database',
    ],
    [
      'an answer whose status throws',
      () => ({
        get status(): number {
          throw new Error('no database')
        },
      }),
      'threw: no database',
    ],
    ['a long message', () => Promise.reject(new Error('x'.repeat(600))), `threw: ${'x'.repeat(493)}`],
    ['nothing', () => undefined, 'the handler returned no Response'],
    ['a promise of nothing', () => Promise.resolve(null), 'the handler returned no Response'],
    ['a text', () => 'ok', 'the handler returned no Response'],
    ['a status that is no number', () => ({ status: '200' }), 'the handler returned no Response'],
  ])('a handler throws or returns %s -> failed, and a retry waits', async (_, handler, reason) => {
    const sandbox = await start()
    sandbox.webhooks.add({ handler: handler as WebhookHandler })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 1 })
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      { n: 1, endpoint_id: 'handler_1', due: testNow, at: testNow, state: 'failed', status: null, reason },
      {
        n: 2,
        endpoint_id: 'handler_1',
        due: after(5),
        at: null,
        state: 'waiting',
        status: null,
        reason: 'retry 1 of 9',
      },
    ])
  })

  it.each<[string, Response, string]>([
    [
      'to another address',
      Response.redirect('http://receiver.invalid/login', 302),
      'answered 302, a redirect to http://receiver.invalid/login, which is not followed',
    ],
    [
      'to a very long address',
      new Response(null, { status: 307, headers: { location: `/${'x'.repeat(600)}` } }),
      `answered 307, a redirect to /${'x'.repeat(299)}…, which is not followed`,
    ],
    ['without an address', new Response(null, { status: 302 }), 'answered 302'],
  ])('a redirect %s -> failed, and the reason names the address', async (_, answer, reason) => {
    const sandbox = await startWith({ retries: 'none' })
    sandbox.webhooks.add({ handler: () => answer })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(attempts(sandbox)).toEqual([['handler_1', 'failed', reason]])
  })

  it('a failure in the last second of the year 9999 -> the retry is due at its end', async () => {
    const sandbox = await start()
    sandbox.clock.set('9999-12-31T23:59:59Z')
    sandbox.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(sandbox.events.get('evt_1')?.deliveries[1]?.due).toBe('9999-12-31T23:59:59.999Z')
  })

  it('a handler that hangs -> failed after the timeout, its signal is aborted, and the next event is delivered', async () => {
    const sandbox = await startWith({ timeout: '1s' })
    const signals: AbortSignal[] = []
    sandbox.webhooks.add({
      handler({ signal }) {
        signals.push(signal)
        return signals.length === 1 ? new Promise<never>(() => undefined) : ok()
      },
    })
    trigger(sandbox)
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 1, waiting: 1 })
    expect(attempts(sandbox)).toEqual([
      ['handler_1', 'failed', 'did not answer within 1s'],
      ['handler_1', 'waiting', 'retry 1 of 9'],
    ])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
  })
})

describe('a handler', () => {
  it('may call the API, drain, advance and list', async () => {
    const sandbox = await start()
    const results: unknown[] = []
    sandbox.webhooks.add({
      async handler(request) {
        const id = request.headers.get('webhook-id')
        if (id !== 'evt_1') return ok()
        results.push((await settle(sandbox.call)).status)
        results.push(await sandbox.events.drain())
        await sandbox.clock.advance({ minutes: 1 })
        results.push(sandbox.clock.now(), sandbox.events.list().length)
        return ok()
      },
    })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 2, failed: 0, waiting: 0 })
    expect(results).toEqual([200, { delivered: 0, failed: 0, waiting: 2 }, after(60), 2])
  })

  it('of each of two workspaces that drains the other -> both are delivered', async () => {
    const sandbox = await start()
    const other = sandbox.workspace('w1')
    sandbox.webhooks.add({
      async handler() {
        trigger(other)
        await other.events.drain()
        return ok()
      },
    })
    other.webhooks.add({ handler: async () => Response.json(await sandbox.events.drain()) })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(attempts(other, 'evt_w1_1_1')).toEqual([['handler_1', 'delivered', 'answered 200']])
  })

  it('two drains at once -> each attempt is made once', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox)
    trigger(sandbox)
    const drained = await Promise.all([sandbox.events.drain(), sandbox.events.drain()])
    expect(drained.map(({ delivered }) => delivered)).toEqual([1, 0])
    expect(seen).toHaveLength(1)
  })
})

describe('an attempt that is not over', () => {
  /** A sandbox, or a workspace of it, in which a handler has not answered yet. */
  async function pending(name = 'default'): Promise<{
    sandbox: World
    workspace: SandboxWorkspace
    signals: AbortSignal[]
    drained: Promise<unknown>
    answer: () => void
  }> {
    const sandbox = await start()
    const workspace = name === 'default' ? sandbox : sandbox.workspace(name)
    const [called, answered] = [gate(), gate()]
    const signals: AbortSignal[] = []
    workspace.webhooks.add({
      async handler({ signal }) {
        signals.push(signal)
        called.open()
        await answered.opened
        return ok()
      },
    })
    trigger(workspace)
    const drained = workspace.events.drain()
    await called.opened
    return { sandbox, workspace, signals, drained, answer: answered.open }
  }

  it('when the workspace is reset -> ends at once and counts for nothing', async () => {
    const { sandbox, drained, signals, answer } = await pending()
    sandbox.reset()
    trigger(sandbox)
    answer()
    await drained
    await sandbox.events.drain()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(sandbox.events.list()).toHaveLength(1)
    expect(sandbox.events.get('evt_default_2_1')?.deliveries.map(({ n, state }) => [n, state])).toEqual([
      [1, 'delivered'],
    ])
  })

  it.each<[title: string, act: (sandbox: World, id: string) => void, reason: string]>([
    [
      'disabled',
      (sandbox, id) => void sandbox.webhooks.update(id, { enabled: false }),
      'the endpoint was disabled',
    ],
    ['removed', (sandbox, id) => void sandbox.webhooks.remove(id), 'the endpoint was removed'],
  ])('when its endpoint is %s -> ends at once, and is skipped', async (_title, act, reason) => {
    const { sandbox, drained, signals } = await pending()
    act(sandbox, 'handler_1')
    expect(await drained).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      expect.objectContaining({ n: 1, at: null, state: 'skipped', reason }),
    ])
  })

  it('when the workspace is reset, with a handler that never answers -> ends at once', async () => {
    const { sandbox, drained } = await pending()
    sandbox.reset()
    expect(await drained).toEqual({ delivered: 0, failed: 0, waiting: 0 })
  })

  it.each<[title: string, replace: (sandbox: World, before: SandboxSnapshot) => void]>([
    ['is reset', (sandbox) => sandbox.reset()],
    ['gets an earlier state', (sandbox, before) => sandbox.restore(before)],
  ])('when the workspace %s while the clock advances -> its clock does not move', async (_title, replace) => {
    const sandbox = await start()
    const before = sandbox.snapshot()
    const called = gate()
    sandbox.webhooks.add({
      async handler() {
        called.open()
        return new Promise<Response>(() => undefined)
      },
    })
    trigger(sandbox)
    const advanced = sandbox.clock.advance({ days: 3 })
    await called.opened
    replace(sandbox, before)
    await advanced
    expect(sandbox.clock.now()).toBe(testNow)
  })

  it('when the workspace is deleted -> ends at once, and the handler is not called again', async () => {
    const { sandbox, workspace, drained, signals } = await pending('w1')
    trigger(workspace)
    sandbox.workspaces.delete('w1')
    expect(await drained).toMatchObject({ delivered: 0, failed: 0 })
    await workspace.events.drain()
    expect(signals).toHaveLength(1)
    expect(sandbox.workspace('w1').events.list()).toEqual([])
  })

  it('when an earlier state is restored, and there is a new event -> the new one is delivered by itself', async () => {
    const sandbox = await start()
    const before = sandbox.snapshot()
    const [called, answered] = [gate(), gate()]
    const bodies: unknown[] = []
    sandbox.webhooks.add({
      async handler(request) {
        const { type } = JSON.parse(await request.text())
        bodies.push(type)
        called.open()
        if (bodies.length === 1) await answered.opened
        return ok()
      },
    })
    trigger(sandbox)
    const drained = sandbox.events.drain()
    await called.opened
    sandbox.restore(before)
    sandbox.events.trigger('reward.created', { id: 'rwd_ada_pending' })
    answered.open()
    await drained
    await sandbox.events.drain()
    expect(bodies).toEqual(['reward.updated', 'reward.created'])
    expect(attempts(sandbox, 'evt_default_2_1')).toEqual([['handler_1', 'delivered', 'answered 200']])
  })

  it('when the sandbox closes -> the handler is not called again', async () => {
    const { sandbox, drained, signals } = await pending()
    trigger(sandbox)
    await sandbox.close()
    await drained
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })
})

describe('a running clock', () => {
  it.each<[string, prepare: () => void]>([
    ['with the timers of the machine', () => undefined],
    ['with fake timers', useFakeTimers],
  ])('%s -> a retry is delivered by a timer', async (_, prepare) => {
    const sandbox = await start({ frozen: false })
    const { opened, open } = gate()
    let calls = 0
    sandbox.webhooks.add({
      handler() {
        calls += 1
        if (calls === 1) return new Response(null, { status: 500 })
        open()
        return ok()
      },
    })
    prepare()
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ seconds: 4.98 })
    await opened
    await sandbox.events.drain()
    expect(attempts(sandbox)).toEqual([
      ['handler_1', 'failed', 'answered 500'],
      ['handler_1', 'delivered', 'answered 200'],
    ])
  })

  it('that is frozen -> no timer; unfrozen -> the retry is delivered', async () => {
    const sandbox = await start()
    const { opened, open } = gate()
    let calls = 0
    sandbox.webhooks.add({
      handler() {
        calls += 1
        if (calls === 2) open()
        return new Response(null, { status: calls === 1 ? 500 : 200 })
      },
    })
    trigger(sandbox)
    await sandbox.clock.advance({ seconds: 4.99 })
    expect(calls).toBe(1)
    sandbox.clock.unfreeze()
    await opened
    expect(calls).toBe(2)
  })
})

describe('fake timers', () => {
  it.each<[string, options: WideOptions]>([
    ['a frozen clock', {}],
    ['a running clock', { frozen: false }],
  ])(
    '%s, and timers that are fake after the start -> attempts are made, waitFor ends',
    async (_, options) => {
      const sandbox = await startWith({ timeout: '1s' }, options)
      useFakeTimers()
      const { opened, open } = gate()
      let calls = 0
      sandbox.webhooks.add({
        handler() {
          calls += 1
          if (calls > 1) return new Promise<never>(() => undefined)
          open()
          return new Response(null, { status: 500 })
        },
      })
      const found = sandbox.events.waitFor()
      await settle(sandbox.call)
      await opened
      expect(await found).toHaveLength(1)
      await expect(sandbox.events.waitFor({ count: 2 }, { timeout: 20 })).rejects.toThrow('1 of 2 events')
      await sandbox.clock.advance({ seconds: 6 })
      expect(attempts(sandbox)).toEqual([
        ['handler_1', 'failed', 'answered 500'],
        ['handler_1', 'failed', 'did not answer within 1s'],
        ['handler_1', 'waiting', 'retry 2 of 9'],
      ])
    },
  )
})

describe('waitFor', () => {
  it('events that there are already -> resolves with them, oldest first', async () => {
    const { events, ...sandbox } = await start()
    for (let at = 0; at < 11; at++) trigger({ events })
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    const found = await events.waitFor(
      { type: 'reward.updated', source: 'trigger', count: 11 },
      { timeout: 0 },
    )
    expect(found.map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, at) => `evt_${at + 1}`))
    expect(await events.waitFor({ type: 'transaction.captured' })).toEqual([events.get('evt_12')])
  })

  it.each<[string, (sandbox: World) => unknown]>([
    ['a call', ({ call }) => settle(call)],
    ['a trigger', trigger],
  ])('an event that %s creates later -> resolves', async (_, act) => {
    const sandbox = await start()
    const found = sandbox.events.waitFor({ type: 'reward.updated' })
    await act(sandbox)
    expect(await found).toEqual([sandbox.events.get('evt_1')])
  })

  it('as many as count -> resolves only then', async () => {
    const sandbox = await start()
    let isDone = false
    const found = sandbox.events.waitFor({ count: 2 }).finally(() => (isDone = true))
    trigger(sandbox)
    await setImmediate()
    expect(isDone).toBe(false)
    trigger(sandbox)
    expect((await found).map(({ id }) => id)).toEqual(['evt_1', 'evt_2'])
  })

  it.each<[expected: object, timeout: number, message: string, ids: string[]]>([
    [{}, 0, '1 of 2 events arrived within 0 ms: evt_1 reward.updated', ['evt_1']],
    [
      { type: 'reward.created' },
      20,
      '0 of 2 events of type reward.created arrived within 20 ms: none; others: evt_1 reward.updated (trigger)',
      ['evt_1'],
    ],
    [
      { type: 'reward.updated', source: 'api' },
      0,
      '0 of 2 events of type reward.updated from api arrived within 0 ms: none; others: evt_1 reward.updated (trigger)',
      ['evt_1'],
    ],
    [{ since: after(1) }, 0, '0 of 2 events arrived within 0 ms: none', []],
  ])('%j within %i ms -> an error with those that arrived', async (expected, timeout, message, ids) => {
    const { events } = await start()
    trigger({ events })
    const error: unknown = await events
      .waitFor({ ...expected, count: 2 }, { timeout })
      .catch((e: unknown) => e)
    expect(error).toBeInstanceOf(EventsTimeoutError)
    expect((error as EventsTimeoutError).message).toBe(message)
    expect((error as EventsTimeoutError).events).toEqual(ids.map((id) => events.get(id)))
  })

  it.each<[object, number | undefined, string]>([
    [{ count: 0 }, undefined, 'count'],
    [{ type: 'reward' }, undefined, 'type'],
    [{ limit: 1 }, undefined, 'limit'],
    [{}, -1, 'timeout'],
    [{}, 600_001, 'timeout'],
  ])('%j, timeout %j -> an error', async (expected, timeout, message) => {
    const { events } = await start()
    const options = timeout === undefined ? {} : { timeout }
    await expect(events.waitFor(expected, options)).rejects.toThrow(message)
  })

  it('that has resolved -> leaves no timer that keeps the process alive', async () => {
    const sandbox = await start()
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const found = sandbox.events.waitFor({}, { timeout: 60_000 })
    await setImmediate()
    trigger(sandbox)
    await found
    // Timers of earlier tests may end meanwhile.
    expect(timers()).toBeLessThanOrEqual(before)
  })
})

describe('request', () => {
  it('the delivery, signed with the secret of the workspace and the time of the machine', async () => {
    const sandbox = await start()
    const { json } = await settle(sandbox.call)
    const request = sandbox.events.request('evt_1')
    expect([request.method, request.url]).toEqual(['POST', 'http://receiver.invalid/'])
    expect(await isSignedBy(request, sandbox.webhooks.secret)).toBe(true)
    expect(Object.fromEntries(request.headers)).toEqual({
      'content-length': String((await request.clone().arrayBuffer()).byteLength),
      'content-type': 'application/json',
      'user-agent': `partner-rewards-sandbox/${packageVersion()}`,
      'webhook-id': 'evt_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
    expect(await request.json()).toEqual({
      id: 'evt_1',
      type: 'reward.updated',
      timestamp: testNow,
      data: json,
    })
    expect(sandbox.events.get('evt_1')?.deliveries).toHaveLength(1)
  })

  it.each<[at: string, seconds: number]>([
    ['sandbox', startTime / 1000],
    ['2020-01-01T00:00:00Z', 1_577_836_800],
    ['2020-01-01T01:00:00.999+01:00', 1_577_836_800],
  ])('at %s -> signed at that time, which a library refuses as too old or too new', async (at, seconds) => {
    const sandbox = await start()
    trigger(sandbox)
    const request = sandbox.events.request('evt_1', { at })
    const body = await request.text()
    expect(request.headers.get('webhook-timestamp')).toBe(String(seconds))
    const verifier = new Webhook(sandbox.webhooks.secret)
    expect(request.headers.get('webhook-signature')).toBe(
      verifier.sign('evt_1', new Date(seconds * 1000), body),
    )
    expect(() => verifier.verify(body, Object.fromEntries(request.headers))).toThrow(
      /timestamp too (old|new)/,
    )
  })

  it.each<[string, id: string, options: object, message: string]>([
    ['an unknown id', 'evt_2', {}, "no event has the id 'evt_2'"],
    ['no instant', 'evt_1', { at: 'now' }, 'RFC 3339 date-time'],
    ['an unknown option', 'evt_1', { time: 'sandbox' }, 'time'],
  ])('%s -> an error', async (_, id, options, message) => {
    const sandbox = await start()
    trigger(sandbox)
    expect(() => sandbox.events.request(id, options)).toThrow(message)
  })

  it('the secret is the same in every workspace and in every run', async () => {
    const [first, second] = [await start(), await start()]
    const secrets = [first, first.workspace('w1'), second].map(({ webhooks }) => webhooks.secret)
    expect(new Set(secrets).size).toBe(1)
  })
})

describe('resend', () => {
  it('a delivered event -> delivered once more', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox)
    trigger(sandbox)
    await sandbox.events.drain()
    const event = await sandbox.events.resend('evt_1')
    expect(seen.map(({ id }) => id)).toEqual(['evt_1', 'evt_1'])
    expect(event).toEqual(sandbox.events.get('evt_1'))
    expect(event.deliveries.map(({ n, state }) => [n, state])).toEqual([
      [1, 'delivered'],
      [2, 'delivered'],
    ])
  })

  it('an event whose retry waits -> delivered now, and the retry is not sent again', async () => {
    const sandbox = await start()
    const { seen } = receive(sandbox, 500, 200)
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.events.resend('evt_1')
    expect(seen.map(({ at }) => at)).toEqual([testNow, testNow])
    await sandbox.clock.advance({ days: 1 })
    expect(seen).toHaveLength(2)
    expect(sandbox.events.get('evt_1')?.deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered'])
  })

  it('an event that was collected -> to the handler that was added later', async () => {
    const sandbox = await start()
    trigger(sandbox)
    const { seen } = receive(sandbox)
    await sandbox.events.resend('evt_1')
    expect(seen).toHaveLength(1)
  })

  it('an event for one of two handlers -> only to that one', async () => {
    const sandbox = await start()
    const first = receive(sandbox)
    trigger(sandbox)
    await sandbox.events.drain()
    const second = receive(sandbox)
    await sandbox.events.resend('evt_1')
    expect([first.seen.length, second.seen.length]).toEqual([2, 0])
  })

  it.each<[string, id: string, message: string]>([
    ['no handler', 'evt_1', 'no enabled endpoint receives reward.updated: add one by webhooks add URL'],
    ['an unknown id', 'evt_9', "no event has the id 'evt_9'"],
  ])('%s -> an error', async (_, id, message) => {
    const sandbox = await start()
    trigger(sandbox)
    await expect(sandbox.events.resend(id)).rejects.toThrow(message)
  })
})

describe('the answer of a receiver', () => {
  const bodies = async (sandbox: World, answer: () => Response): Promise<unknown[]> => {
    sandbox.webhooks.add({ handler: answer })
    trigger(sandbox)
    await sandbox.events.drain()
    return (
      sandbox.events.get('evt_1')?.deliveries.map(({ status, response_body }) => [status, response_body]) ??
      []
    )
  }

  it.each<[string, string | null, string | undefined]>([
    ['no body', null, undefined],
    ['an empty body', '', undefined],
    ['a text', 'no such customer: cus_ada\n', 'no such customer: cus_ada\n'],
    ['a long text', 'é'.repeat(3_000), 'é'.repeat(1_024)],
    ['a character that is cut', `x${'é'.repeat(3_000)}`, `x${'é'.repeat(1_023)}`],
    ['a card number', '{"pan":"4242424242424242"}', '{"pan":"************4242"}'],
    ['a secret field', '{"cvv":"123"}', '{"cvv": ***}'],
  ])('%s -> its status and what is kept of it', async (_, body, kept) => {
    const sandbox = await start()
    expect(await bodies(sandbox, () => new Response(body, { status: 200 }))).toEqual([[200, kept]])
  })

  it('a secret of the sandbox -> is masked, also where it would be cut', async () => {
    const sandbox = await start()
    const answer = `${'x'.repeat(2_040)}${sandbox.webhooks.secret}`
    expect(await bodies(sandbox, () => new Response(answer, { status: 400 }))).toEqual([
      [400, `${'x'.repeat(2_040)}***`],
      [null, undefined],
    ])
  })

  it('a body that breaks off -> the status counts', async () => {
    const sandbox = await start()
    const body = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(Buffer.from('accep'))
          controller.error(new Error('lost'))
        },
      })
    expect(await bodies(sandbox, () => new Response(body()))).toEqual([[200, undefined]])
  })

  it('a body without an end -> is canceled once enough was read', async () => {
    const sandbox = await start()
    let isCanceled = false
    const body = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(Buffer.from('x'.repeat(1_000))),
        cancel: () => void (isCanceled = true),
      })
    expect(await bodies(sandbox, () => new Response(body()))).toEqual([[200, 'x'.repeat(2_048)]])
    expect(isCanceled).toBe(true)
  })

  it.each<[string, header: string, waits: number, reason: string]>([
    ['seconds', '60', 60, 'retry 1 of 2, postponed by Retry-After'],
    ['less than the step', '1', 5, 'retry 1 of 2'],
    ['more than the next step', '3600', 300, 'retry 1 of 2, postponed by Retry-After'],
    [
      'an HTTP date',
      new Date(Date.now() + 3_600_000).toUTCString(),
      300,
      'retry 1 of 2, postponed by Retry-After',
    ],
    ['a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', 5, 'retry 1 of 2'],
    ['another text', 'soon', 5, 'retry 1 of 2'],
  ])('Retry-After with %s -> the next attempt', async (_, header, waits, reason) => {
    const sandbox = await startWith({ retries: ['5s', '5m'] })
    await bodies(sandbox, () => new Response(null, { status: 503, headers: { 'retry-after': header } }))
    const [, next] = sandbox.events.get('evt_1')?.deliveries ?? []
    expect(next).toMatchObject({ due: after(waits), reason })
    await sandbox.clock.advance({ seconds: waits })
    expect(sandbox.events.get('evt_1')?.deliveries.at(-1)).toMatchObject({
      due: after(waits + 300),
      reason: 'retry 2 of 2',
    })
  })

  it('a status of give_up_on -> is final', async () => {
    const sandbox = await startWith({ give_up_on: [400, 404] })
    await bodies(sandbox, () => new Response(null, { status: 404 }))
    expect(attempts(sandbox)).toEqual([['handler_1', 'failed', 'answered 404, which is final']])
    expect(sandbox.webhooks.list()).toMatchObject([{ enabled: true }])
  })
})

describe('the clock of a handler', () => {
  it('sandbox -> signs the time of the sandbox, for verifiers under faked time', async () => {
    const sandbox = await start()
    const seen: Record<string, string | null> = {}
    for (const clock of ['sandbox', undefined] as const) {
      const { id, secret } = sandbox.webhooks.add({
        ...(clock && { clock }),
        async handler(request) {
          seen[id] = request.headers.get('webhook-timestamp')
          if (!clock) return new Response()
          const verify = new Webhook(secret)
          vi.useFakeTimers({ now: Date.parse(sandbox.clock.now()), toFake: ['Date'] })
          try {
            verify.verify(await request.text(), Object.fromEntries(request.headers))
          } finally {
            vi.useRealTimers()
          }
          return new Response()
        },
      })
    }
    await sandbox.clock.advance({ days: 2 })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 2, failed: 0, waiting: 0 })
    expect(seen['handler_1']).toBe(String(Date.parse(sandbox.clock.now()) / 1000))
    expect(Number(seen['handler_2']) * 1000).toBeGreaterThan(Date.now() - 60_000)
  })

  it('an HTTP date in Retry-After -> counts from the time of the sandbox', async () => {
    const sandbox = await startWith({ retries: ['5s', '5m'] })
    const header = new Date(startTime + 60_000).toUTCString()
    sandbox.webhooks.add({
      clock: 'sandbox',
      handler: () => new Response(null, { status: 503, headers: { 'retry-after': header } }),
    })
    trigger(sandbox)
    await sandbox.events.drain()
    expect(sandbox.events.get('evt_1')?.deliveries.at(-1)).toMatchObject({ due: after(60) })
  })

  it('of a url -> an error', async () => {
    const sandbox = await start()
    const add = (endpoint: object): unknown => sandbox.webhooks.add(endpoint as never)
    expect(() => add({ url: 'http://localhost:1/', clock: 'sandbox' })).toThrow(
      'clock: must be omitted with a url: only handlers run under faked time',
    )
    expect(() => add({ handler: () => new Response(), clock: 'machine' })).toThrow(
      'clock: must be one of sandbox',
    )
  })
})

describe('the secret of an endpoint', () => {
  const own = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludCwgMzIgYnl0ZXM='

  it('in a fixture -> signs until it is rotated, and with the new one for 24 hours', async () => {
    const webhook_endpoints = [{ id: 'we_mine', url: 'http://192.0.2.1/hook', secret: own }]
    const sandbox = await start({ fixtures: ['default', { webhook_endpoints }] })
    const request = () => sandbox.events.request('evt_1', { endpoint: 'we_mine' })
    trigger(sandbox)
    expect(sandbox.webhooks.list({ secrets: true })).toMatchObject([{ id: 'we_mine', secret: own }])
    expect(await isSignedBy(request(), own)).toBe(true)
    expect(await isSignedBy(request(), sandbox.webhooks.secret)).toBe(false)
    const { secret } = sandbox.webhooks.rotate('we_mine')
    expect([await isSignedBy(request(), own), await isSignedBy(request(), secret)]).toEqual([true, true])
    await sandbox.clock.advance({ days: 1 })
    expect([await isSignedBy(request(), own), await isSignedBy(request(), secret)]).toEqual([false, true])
  })

  it('of a handler -> signs its deliveries', async () => {
    const sandbox = await start()
    const requests: Request[] = []
    const added = sandbox.webhooks.add({
      secret: own,
      handler(request) {
        requests.push(request)
        return new Response()
      },
    })
    trigger(sandbox)
    await sandbox.events.drain()
    const [request] = requests
    expect([added.secret, request && (await isSignedBy(request, own))]).toEqual([own, true])
  })

  it('is in no list without secrets, and in no trace', async () => {
    const sandbox = await start({
      fixtures: [
        'default',
        { webhook_endpoints: [{ id: 'we_mine', url: 'http://192.0.2.1/hook', secret: own }] },
      ],
    })
    const verbs = sandbox as unknown as WorkspaceVerbs
    const shown = JSON.stringify([sandbox.webhooks.list(), await remainsOf(verbs)])
    expect(shown).toContain('we_mine')
    expect(shown).not.toContain(own)
    expect(sandbox.state.get('webhook_endpoints', 'we_mine')).toMatchObject({ secret: own })
  })

  it.each<[key: 'whsec' | 'hex' | 'base64', string, string]>([
    ['whsec', 'whsec_not base64', 'secret: must be 8 to 200 printable ASCII characters without spaces'],
    ['whsec', 'whsec_not-base64', 'secret: must be whsec_ and base64, as signing.key is whsec'],
    ['hex', 'abcdefgh', 'secret: must be hex digits, as signing.key is hex'],
    ['base64', 'whsec_c2Vj', 'secret: must be base64, as signing.key is base64'],
  ])(
    'in another form than %s: %s -> refused, and no delivery from a fixture',
    async (key, secret, message) => {
      const signing = { ...standard.signing, algorithm: 'hmac-sha256', signed: '{body}', key } as const
      const sandbox = await startWith({ signing })
      expect(() => sandbox.webhooks.add({ url: 'http://localhost:1/', secret })).toThrow(message)
      if (secret.includes(' ')) return
      sandbox.state.put('webhook_endpoints', 'we_mine', { url: 'http://localhost:1/', secret })
      trigger(sandbox)
      await sandbox.events.drain()
      const reason = message.replace('secret:', 'the secret of we_mine')
      expect(attempts(sandbox)[0]).toEqual(['we_mine', 'failed', reason])
    },
  )

  it('of an unknown endpoint -> an error with those that there are', async () => {
    const sandbox = await start()
    trigger(sandbox)
    sandbox.webhooks.add({ url: 'http://localhost:1/' })
    expect(() => sandbox.events.request('evt_1', { endpoint: 'we_2' })).toThrow("did you mean 'we_1'?")
  })
})

describe('secrets', () => {
  it('are in no list, dump, journal, explanation, timeline or data of a trace', async () => {
    const sandbox = await start()
    const secrets: string[] = []
    const { id, secret } = sandbox.webhooks.add({
      handler: () => Promise.reject(new Error(`the secrets are ${secrets.join(' and ')}`)),
    })
    secrets.push(secret, sandbox.webhooks.rotate(id).secret, sandbox.webhooks.secret)
    secrets.push(sandbox.webhooks.add({ url: 'http://192.0.2.1/hook' }).secret)
    await sandbox.call('POST', '/v2/transaction_intents', {
      json: { customer_id: 'cus_ada', amount: 1, currency: 'USD' },
      headers: { 'x-note': secrets.join(',') },
    })
    await sandbox.clock.advance({ minutes: 1 })
    expect(attempts(sandbox).at(-2)).toEqual([
      'handler_1',
      'failed',
      'threw: the secrets are *** and *** and *** and ***',
    ])
    const verbs = sandbox as unknown as WorkspaceVerbs
    const shown = {
      events: sandbox.events.list(),
      endpoints: sandbox.webhooks.list(),
      state: sandbox.state.document(),
      rows: sandbox.state.list('events'),
      requests: sandbox.requests.list(),
      request: sandbox.requests.get('req_default_1'),
      explanation: sandbox.requests.explain('req_default_1'),
      har: sandbox.requests.har(),
      timeline: sandbox.timeline(),
      trace: [await callsOf(verbs), await remainsOf(verbs)],
    }
    const found = Object.entries(shown).flatMap(([where, value]) => {
      const text = JSON.stringify(value)
      return secrets.filter((one) => text.includes(one.slice('whsec_'.length, -1))).map(() => where)
    })
    expect(found).toEqual([])
  })
})

describe('partners', () => {
  it('two workspaces -> other secrets, and events of their own', async () => {
    const sandbox = await start({ isolation: 'partner', adminToken: 'the-token-of-the-operator', seed: 1 })
    const acme = await sandbox.workspaces.create({ name: 'acme' })
    const beta = await sandbox.workspaces.create({ name: 'beta' })
    const [inAcme, inBeta] = [receive(acme), receive(beta)]
    const secrets = [acme, beta, sandbox].map(({ webhooks }) => webhooks.secret)
    expect(new Set([...secrets, inAcme.secret, inBeta.secret]).size).toBe(5)
    await settle(callerFor({ fetch: (path, init) => acme.fetch(path, withKey(init, acme.apiKey)) }))
    await acme.events.drain()
    expect(acme.events.list()).toHaveLength(1)
    expect([beta.events.list(), sandbox.events.list()]).toEqual([[], []])
    expect([inAcme.seen.length, inBeta.seen.length]).toEqual([1, 0])
    const request = acme.events.request('evt_acme_1_1')
    expect([
      await isSignedBy(request, acme.webhooks.secret),
      await isSignedBy(request, beta.webhooks.secret),
    ]).toEqual([true, false])
    expect(() => beta.events.request('evt_1')).toThrow("no event has the id 'evt_1'")
  })

  it('an equal seed -> other secrets in another sandbox', async () => {
    const options: WideOptions = { isolation: 'partner', adminToken: 'the-token-of-the-operator', seed: 1 }
    const [first, second] = [await start(options), await start(options)]
    expect(first.webhooks.secret).not.toBe(second.webhooks.secret)
  })
})

/** The init of a call with another key. */
function withKey(init: RequestInit | undefined, key: string): RequestInit {
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${key}`)
  return { ...init, headers }
}
