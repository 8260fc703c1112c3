// Deliveries by a listener, over HTTP: its stream, its reports, and what ends them.
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { EventReader as ServerEvents, type ServerEvent } from '../../src/runtime/server-events.ts'
import { startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'

type Serving = Sandbox & { call: CallApi }

const serve = (): Promise<Serving> => startSandbox({ webhooks: 'standard' })

const url = 'http://10.0.0.1/hook'

const trigger = ({ events }: Pick<Sandbox, 'events'>): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

/** The stream of an endpoint. */
interface Listening {
  /** The next event; undefined at the end. */
  next: () => Promise<ServerEvent | undefined>
  cancel: () => Promise<void>
}

async function open(sandbox: Sandbox, endpoint = 'we_1'): Promise<Listening> {
  const { body, status } = await sandbox.fetch(`/_sandbox/stream?endpoint=${endpoint}`)
  if (!body || status !== 200) throw new Error(`it answered ${status}`)
  const reader = body.getReader()
  const events = new ServerEvents()
  const read: ServerEvent[] = []
  return {
    async next() {
      while (read.length === 0) {
        const { done, value } = await reader.read()
        if (done) return undefined
        read.push(...events.read(new TextDecoder().decode(value)))
      }
      return read.shift()
    },
    cancel: () => reader.cancel(),
  }
}

/** The status and the body of an answer to a report. */
async function report(
  sandbox: Sandbox,
  body: unknown,
  path = 'evt_1/deliveries/1',
): Promise<[number, { error?: unknown; deliveries?: unknown }]> {
  const answer = await sandbox.fetch(`/_sandbox/events/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
  return [answer.status, (await answer.json()) as { error?: unknown; deliveries?: unknown }]
}

const attempt = (changes: object): object => ({
  n: 1,
  endpoint_id: 'we_1',
  due: testNow,
  at: testNow,
  status: null,
  ...changes,
})

/** Waits until an event is in this state for each of its attempts. */
async function until(sandbox: Sandbox, id: string, ...states: string[]): Promise<void> {
  const current = () => sandbox.events.get(id)?.deliveries.map(({ state }) => state)
  while (JSON.stringify(current()) !== JSON.stringify(states)) await setImmediate()
}

describe('the stream of an endpoint with a listener', () => {
  it('sends a delivery that the secret of the endpoint signs; the report is its outcome', async () => {
    const sandbox = await serve()
    const { secret } = sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    const sent = await listening.next()
    const { request, ...delivery } = JSON.parse(sent?.data ?? '')
    expect([sent?.event, delivery]).toEqual([
      'delivery',
      { event_id: 'evt_1', n: 1, endpoint_id: 'we_1', type: 'reward.updated', timeout_ms: 15_000 },
    ])
    expect(Object.keys(request)).toEqual(['method', 'headers', 'body'])
    expect(request.method).toBe('POST')
    expect(new Webhook(secret).verify(request.body, request.headers)).toMatchObject({ id: 'evt_1' })
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      attempt({ at: null, state: 'waiting', reason: 'the first attempt' }),
    ])
    const [status, event] = await report(sandbox, { status: 204, duration_ms: 12.4 })
    expect(status).toBe(200)
    expect(event).toEqual(sandbox.events.get('evt_1'))
    expect(event.deliveries).toEqual([
      attempt({ state: 'delivered', status: 204, reason: 'answered 204 (12 ms)' }),
    ])
  })

  it.each<[object, object]>([
    [
      { status: 500, duration_ms: 3 },
      { state: 'failed', status: 500, reason: 'answered 500 (3 ms)' },
    ],
    [
      { status: null, duration_ms: 3, error: 'connect ECONNREFUSED 127.0.0.1:3000' },
      { state: 'failed', reason: 'connect ECONNREFUSED 127.0.0.1:3000 (3 ms)' },
    ],
    [
      { status: 500, duration_ms: 3, body: 'no card 4242424242424242', retry_after: '2' },
      {
        state: 'failed',
        status: 500,
        reason: 'answered 500 (3 ms)',
        response_body: 'no card ************4242',
      },
    ],
    [
      { status: 200, duration_ms: 3, error: 'closed the connection in its answer 200' },
      { state: 'failed', status: 200, reason: 'closed the connection in its answer 200 (3 ms)' },
    ],
    [
      { status: null, duration_ms: 3, error: 'x'.repeat(1000) },
      { state: 'failed', reason: `${'x'.repeat(500)} (3 ms)` },
    ],
  ])('a report %j -> recorded, and repeated as the description says', async (body, outcome) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    await listening.next()
    const [, { deliveries }] = await report(sandbox, body)
    const retry = {
      n: 2,
      due: '2026-11-21T12:00:05.000Z',
      at: null,
      state: 'waiting',
      reason: 'retry 1 of 9',
    }
    expect(deliveries).toEqual([attempt(outcome), attempt(retry)])
    const [status, refusal] = await report(sandbox, { status: 204, duration_ms: 1 }, 'evt_1/deliveries/2')
    const message = 'attempt 2 of evt_1 was not made: it is due at 2026-11-21T12:00:05.000Z'
    expect([status, refusal]).toMatchObject([409, { error: { message } }])
    const advanced = sandbox.clock.advance({ seconds: 5 })
    expect(JSON.parse((await listening.next())?.data ?? '')).toMatchObject({ event_id: 'evt_1', n: 2 })
    await report(sandbox, { status: 204, duration_ms: 1 }, 'evt_1/deliveries/2')
    await advanced
    expect(sandbox.events.get('evt_1')?.deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered'])
  })

  it('a report of 410 -> the endpoint is disabled', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    await listening.next()
    const [, { deliveries }] = await report(sandbox, { status: 410, duration_ms: 1 })
    expect(deliveries).toEqual([
      attempt({ state: 'failed', status: 410, reason: 'answered 410, which disabled the endpoint (1 ms)' }),
    ])
    expect(sandbox.webhooks.list()).toMatchObject([{ enabled: false }])
  })

  it('a drain waits for the report, and counts it', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    const drained = sandbox.events.drain()
    await listening.next()
    await report(sandbox, { status: 204, duration_ms: 1 })
    expect(await drained).toEqual({ delivered: 1, failed: 0, waiting: 0 })
  })

  it('that is opened after the event -> gets its delivery', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    trigger(sandbox)
    await setImmediate()
    const listening = await open(sandbox)
    expect(JSON.parse((await listening.next())?.data ?? '')).toMatchObject({ event_id: 'evt_1', n: 1 })
    await report(sandbox, { status: 204, duration_ms: 1 })
  })

  it('that is canceled before the report -> the attempt fails, and a later stream gets the next one', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const first = await open(sandbox)
    trigger(sandbox)
    await first.next()
    await first.cancel()
    await until(sandbox, 'evt_1', 'failed', 'waiting')
    expect(sandbox.events.get('evt_1')?.deliveries[0]).toEqual(
      attempt({ state: 'failed', reason: 'the listener has disconnected' }),
    )
    const second = await open(sandbox)
    const advanced = sandbox.clock.advance({ seconds: 5 })
    expect(JSON.parse((await second.next())?.data ?? '')).toMatchObject({ n: 2 })
    await report(sandbox, { status: 204, duration_ms: 1 }, 'evt_1/deliveries/2')
    await advanced
  })

  it('a second stream -> takes the place of the first', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const first = await open(sandbox)
    const second = await open(sandbox)
    trigger(sandbox)
    expect((await second.next())?.event).toBe('delivery')
    await report(sandbox, { status: 204, duration_ms: 1 })
    await first.cancel()
    trigger(sandbox)
    expect(JSON.parse((await second.next())?.data ?? '')).toMatchObject({ event_id: 'evt_2' })
    await report(sandbox, { status: 204, duration_ms: 1 }, 'evt_2/deliveries/1')
  })

  it.each<[string, (sandbox: Sandbox) => unknown]>([
    ['its endpoint is removed', (sandbox) => sandbox.webhooks.remove('we_1')],
    ['the row of its endpoint is deleted', (sandbox) => sandbox.state.delete('webhook_endpoints', 'we_1')],
    ['the workspace is reset', (sandbox) => sandbox.reset()],
    ['the sandbox closes', (sandbox) => sandbox.close()],
  ])('%s -> the stream ends', async (_, act) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    await act(sandbox)
    expect(await listening.next()).toBeUndefined()
  })

  it.each([
    ['removed', '/_sandbox/webhook_endpoints/we_1'],
    ['deleted as a row', '/_sandbox/state/webhook_endpoints/we_1'],
  ])('%s while an attempt waits for the report -> skipped', async (_, path) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    await listening.next()
    expect((await sandbox.fetch(path, { method: 'DELETE' })).status).toBe(204)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      attempt({ at: null, state: 'skipped', reason: 'the endpoint was removed' }),
    ])
    expect(await report(sandbox, { status: 204, duration_ms: 1 })).toEqual([
      409,
      { error: { type: 'CONFLICT', message: 'attempt 1 of evt_1 has no listener' } },
    ])
  })

  it('counts toward the limit of streams', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    for (let count = 0; count < 99; count++) await sandbox.fetch('/_sandbox/stream')
    const listening = await open(sandbox)
    expect((await sandbox.fetch('/_sandbox/stream?endpoint=we_1')).status).toBe(429)
    await listening.cancel()
    expect((await sandbox.fetch('/_sandbox/stream?endpoint=we_1')).status).toBe(200)
  })
})

describe('refusals', () => {
  it.each<[string, number, string, string]>([
    ['we_9', 404, 'NOT_FOUND', "no endpoint is called 'we_9', did you mean 'we_1'?"],
    ['we_1', 409, 'CONFLICT', 'we_1 has no listener: add an endpoint with listener: true'],
  ])('the stream of %s -> %i', async (id, status, type, message) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url: 'http://192.0.2.1/' })
    const answer = await sandbox.fetch(`/_sandbox/stream?endpoint=${id}`)
    expect([answer.status, await answer.json()]).toEqual([status, { error: { type, message } }])
  })

  const fine = { status: 204, duration_ms: 1 }
  it.each<[string, unknown, number, string, string]>([
    ['evt_9/deliveries/1', fine, 404, 'NOT_FOUND', "no event has the id 'evt_9', did you mean 'evt_1'?"],
    ['evt_1/deliveries/3', fine, 404, 'NOT_FOUND', 'evt_1 has no attempt 3'],
    ['evt_1/deliveries/01', fine, 404, 'NOT_FOUND', 'evt_1 has no attempt 01'],
    ['evt_1/deliveries/2', fine, 409, 'CONFLICT', 'attempt 2 of evt_1 has no listener'],
    ['evt_1/deliveries/1', {}, 400, 'INVALID', 'report status: is required'],
    [
      'evt_1/deliveries/1',
      { status: 99, duration_ms: 1 },
      400,
      'INVALID',
      'report status: must be 100 to 599',
    ],
    [
      'evt_1/deliveries/1',
      { status: 204, duration_ms: -1 },
      400,
      'INVALID',
      'report duration_ms: must be 0 or more',
    ],
    [
      'evt_1/deliveries/1',
      { status: null, duration_ms: 1 },
      400,
      'INVALID',
      'report error: is required without a status',
    ],
  ])('a report to %s of %j -> %i', async (path, body, status, type, message) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    sandbox.webhooks.add({ url: 'http://192.0.2.1/' })
    const listening = await open(sandbox)
    trigger(sandbox)
    await listening.next()
    const [answered, { error }] = await report(sandbox, body, path)
    expect([answered, error]).toEqual([status, expect.objectContaining({ type })])
    expect(error).toMatchObject({ message: expect.stringContaining(message) })
    await report(sandbox, fine)
  })

  it('a second report -> 409, and the first one stays', async () => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url, listener: true })
    const listening = await open(sandbox)
    trigger(sandbox)
    await listening.next()
    await report(sandbox, fine)
    expect(await report(sandbox, { status: 500, duration_ms: 1 })).toEqual([
      409,
      { error: { type: 'CONFLICT', message: 'attempt 1 of evt_1 is delivered already' } },
    ])
    expect(sandbox.events.get('evt_1')?.deliveries).toHaveLength(1)
  })
})
