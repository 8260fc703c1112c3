// Webhook events over HTTP: whole answers, and refusals.
import { describe, expect, it } from 'vitest'
import { startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'
import type { Sandbox } from '../../src/index.ts'

type Serving = Sandbox & { call: CallApi }

const serve = (): Promise<Serving> => startSandbox({ webhooks: 'standard' })

const control = (sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Response> =>
  sandbox.fetch(`/_sandbox${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const settle = (call: CallApi) =>
  call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })

/** The event of a settled reward, as long as no endpoint receives it. */
const eventOf = (data: unknown) => ({
  id: 'evt_1',
  type: 'reward.updated',
  time: testNow,
  source: 'api',
  data,
  request_id: 'req_default_1',
  deliveries: [
    {
      n: 1,
      endpoint_id: null,
      due: testNow,
      at: null,
      state: 'collected',
      status: null,
      reason: 'no endpoint receives this type',
    },
  ],
})

describe('the events of a sandbox that serves them', () => {
  it('are listed and shown whole', async () => {
    const sandbox = await serve()
    const { json } = await settle(sandbox.call)
    const event = eventOf(json)
    const list = await control(sandbox, 'GET', '/events')
    expect([list.status, await list.json()]).toEqual([200, { events: [event], dropped: 0 }])
    const one = await control(sandbox, 'GET', '/events/evt_1')
    expect([one.status, await one.json()]).toEqual([200, event])
  })

  it.each([
    ['type=reward.updated', ['evt_1']],
    ['type=transaction.captured', ['evt_2']],
    ['type=reward.created', ['evt_3']],
    ['type=customer.linked', []],
    ['source=simulation', ['evt_3', 'evt_2']],
    ['limit=1', ['evt_3']],
    [`since=${testNow}`, ['evt_3', 'evt_2', 'evt_1']],
    ['since=2099-01-01T00:00:00Z', []],
  ])('by %s: %j', async (query, ids) => {
    const sandbox = await serve()
    await settle(sandbox.call)
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    const answer = await control(sandbox, 'GET', `/events?${query}`)
    const { events } = (await answer.json()) as { events: { id: string }[] }
    expect(events.map(({ id }) => id)).toEqual(ids)
  })

  it('have a signed request, with the time that is asked for', async () => {
    const sandbox = await serve()
    await settle(sandbox.call)
    const answer = await control(sandbox, 'GET', '/events/evt_1/request?at=sandbox')
    const request = sandbox.events.request('evt_1', { at: 'sandbox' })
    expect(await answer.json()).toEqual({
      method: 'POST',
      url: 'http://receiver.invalid/',
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    expect(request.headers.get('webhook-timestamp')).toBe(String(Date.parse(testNow) / 1000))
  })

  it('are triggered', async () => {
    const sandbox = await serve()
    const sent = { type: 'reward.updated', id: 'rwd_ada_pending', data: { status: 'CANCELED' } }
    const answer = await control(sandbox, 'POST', '/events/trigger', sent)
    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({
      id: 'evt_1',
      source: 'trigger',
      data: { status: 'CANCELED' },
    })
  })

  it('are delivered by drain, by resend and by a moved clock, whose answers come after the handlers', async () => {
    const sandbox = await serve()
    const statuses = [500, 500, 204, 204]
    sandbox.webhooks.add({ handler: () => new Response(null, { status: statuses.shift() ?? 204 }) })
    await settle(sandbox.call)
    const drained = await control(sandbox, 'POST', '/events/drain')
    expect(await drained.json()).toEqual({ delivered: 0, failed: 1, waiting: 1 })
    const moved = await control(sandbox, 'POST', '/clock/advance', { seconds: 5 })
    expect(await moved.json()).toEqual({ now: '2026-11-21T12:00:05.000Z', frozen: true })
    const set = await control(sandbox, 'PUT', '/clock', { now: '2026-11-21T13:00:00Z' })
    expect(await set.json()).toEqual({ now: '2026-11-21T13:00:00.000Z', frozen: true })
    const resent = await control(sandbox, 'POST', '/events/evt_1/resend')
    expect(resent.status).toBe(200)
    const { deliveries } = (await resent.json()) as { deliveries: { state: string; at: string }[] }
    expect(deliveries.map(({ state, at }) => [state, at])).toEqual([
      ['failed', testNow],
      ['failed', '2026-11-21T12:00:05.000Z'],
      ['delivered', '2026-11-21T12:05:05.000Z'],
      ['delivered', '2026-11-21T13:00:00.000Z'],
    ])
  })

  it('are waited for', async () => {
    const sandbox = await serve()
    const waiting = control(sandbox, 'POST', '/events/wait', { type: 'reward.updated', count: 1 })
    const { json } = await settle(sandbox.call)
    expect(await (await waiting).json()).toEqual({ events: [eventOf(json)] })
    const late = await control(sandbox, 'POST', '/events/wait', { count: 2, timeout_ms: 1 })
    expect([late.status, await late.json()]).toEqual([
      409,
      {
        error: {
          type: 'CONFLICT',
          message: '1 of 2 events arrived within 1 ms: evt_1 reward.updated',
        },
        events: [eventOf(json)],
      },
    ])
  })

  it('are named by the explanation of their call', async () => {
    const sandbox = await serve()
    await settle(sandbox.call)
    expect(sandbox.requests.explain('req_default_1')?.sections).toContainEqual({
      about: 'events',
      facts: [
        {
          name: 'evt_1',
          value: 'reward.updated',
          note: 'Its reward was created by step txe_ada_1. It was collected: no endpoint receives this type.',
        },
      ],
    })
  })
})

describe('refusals', () => {
  const cases: [string, string, unknown, number, string][] = [
    ['GET', '/events?limit=0', undefined, 400, 'filter limit: must be from 1 to 1000'],
    ['GET', '/events?kind=x', undefined, 400, "unknown query parameter 'kind'"],
    ['GET', '/events/evt_2', undefined, 404, "no event has the id 'evt_2', did you mean 'evt_1'?"],
    ['GET', '/events/evt_1/request?at=now', undefined, 400, 'request at: must be'],
    ['POST', '/events/trigger', {}, 400, 'trigger type'],
    ['POST', '/events/trigger', { type: 'reward.updated', id: 'x' }, 404, "rewards: no row has the id 'x'"],
    [
      'POST',
      '/events/evt_1/resend',
      undefined,
      409,
      'no enabled endpoint receives reward.updated: add one by webhooks add URL',
    ],
    ['POST', '/events/drain', { now: true }, 400, 'This request must have no body.'],
    ['POST', '/events/wait', { counts: 1 }, 400, "did you mean 'count'?"],
    ['DELETE', '/events/evt_1', undefined, 405, 'GET'],
  ]
  it.each(cases)('%s %s with %j answers %i', async (method, path, body, status, message) => {
    const sandbox = await serve()
    await settle(sandbox.call)
    const answer = await control(sandbox, method, path, body)
    expect(answer.status).toBe(status)
    const text = await answer.text()
    expect(text + String(answer.headers.get('allow'))).toContain(JSON.stringify(message).slice(1, -1))
  })

  const paths: [string, string][] = [
    ['GET', '/events'],
    ['GET', '/events/evt_1'],
    ['GET', '/events/evt_1/request'],
    ['POST', '/events/evt_1/resend'],
    ['POST', '/events/trigger'],
    ['POST', '/events/drain'],
    ['POST', '/events/wait'],
  ]
  it.each(paths)('%s %s answers 404 with the option, where no events are served', async (method, path) => {
    const answer = await control(
      await startSandbox(),
      method,
      path,
      path === '/events/trigger' ? {} : undefined,
    )
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        error: {
          type: 'NOT_FOUND',
          message:
            'no webhook events are served (assumption webhook_events): set webhooks to a preset or a file, such as --webhooks standard',
        },
      },
    ])
  })
})
