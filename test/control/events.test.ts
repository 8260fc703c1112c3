// Webhook events over HTTP: whole answers, and refusals.
import { describe, expect, it } from 'vitest'
import { askControl } from '../helpers/control.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'
import { settle, start } from '../helpers/webhook-events.ts'

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
    const sandbox = await start()
    const { json } = await settle(sandbox.call)
    const event = eventOf(json)
    const list = await askControl(sandbox, 'GET', '/events')
    expect([list.status, list.json]).toEqual([200, { events: [event], dropped: 0 }])
    const one = await askControl(sandbox, 'GET', '/events/evt_1')
    expect([one.status, one.json]).toEqual([200, event])
  })

  it('are filtered as the library filters them', async () => {
    const sandbox = await start()
    await settle(sandbox.call)
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    for (const [query, ids] of [
      [`source=simulation&limit=1&since=${testNow}`, ['evt_3']],
      ['source=simulation&type=reward.created', ['evt_2']],
    ] as const) {
      const { json } = await askControl(sandbox, 'GET', `/events?${query}`)
      expect(json.events.map(({ id }: { id: string }) => id)).toEqual(ids)
    }
  })

  it('have a signed request, with the time that is asked for', async () => {
    const sandbox = await start()
    await settle(sandbox.call)
    const answer = await askControl(sandbox, 'GET', '/events/evt_1/request?at=sandbox')
    const request = sandbox.events.request('evt_1', { at: 'sandbox' })
    expect(answer.json).toEqual({
      method: 'POST',
      url: 'http://receiver.invalid/',
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    })
    expect(request.headers.get('webhook-timestamp')).toBe(String(Date.parse(testNow) / 1000))
  })

  it('are delivered by drain, by resend and by a moved clock, whose answers come after the handlers', async () => {
    const sandbox = await start()
    const statuses = [500, 500, 204, 204]
    sandbox.webhooks.add({ handler: () => new Response(null, { status: statuses.shift() ?? 204 }) })
    await settle(sandbox.call)
    const drained = await askControl(sandbox, 'POST', '/events/drain')
    expect(drained.json).toEqual({ delivered: 0, failed: 1, waiting: 1 })
    const moved = await askControl(sandbox, 'POST', '/clock/advance', { seconds: 5 })
    expect(moved.json).toEqual({ now: '2026-11-21T12:00:05.000Z', frozen: true })
    const set = await askControl(sandbox, 'PUT', '/clock', { now: '2026-11-21T13:00:00Z' })
    expect(set.json).toEqual({ now: '2026-11-21T13:00:00.000Z', frozen: true })
    const resent = await askControl(sandbox, 'POST', '/events/evt_1/resend')
    expect(resent.status).toBe(200)
    expect(resent.json.deliveries.map(({ state, at }: { state: string; at: string }) => [state, at])).toEqual(
      [
        ['failed', testNow],
        ['failed', '2026-11-21T12:00:05.000Z'],
        ['delivered', '2026-11-21T12:05:05.000Z'],
        ['delivered', '2026-11-21T13:00:00.000Z'],
      ],
    )
  })

  it('are waited for', async () => {
    const sandbox = await start()
    const waiting = askControl(sandbox, 'POST', '/events/wait', { type: 'reward.updated', count: 1 })
    const { json } = await settle(sandbox.call)
    expect((await waiting).json).toEqual({ events: [eventOf(json)] })
    const late = await askControl(sandbox, 'POST', '/events/wait', { count: 2, timeout_ms: 1 })
    expect([late.status, late.json]).toEqual([
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
    const sandbox = await start()
    await settle(sandbox.call)
    expect(sandbox.requests.explain('req_default_1')?.sections).toContainEqual({
      about: 'events',
      facts: [
        {
          name: 'evt_1',
          value: 'reward.updated',
          note: 'It was collected: no endpoint receives this type.',
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
    const sandbox = await start()
    await settle(sandbox.call)
    const answer = await askControl(sandbox, method, path, body)
    expect(answer.status).toBe(status)
    const text = answer.text
    expect(text + String(answer.headers.get('allow'))).toContain(JSON.stringify(message).slice(1, -1))
  })

  it.each([
    ['GET', '/events/evt_1'],
    ['POST', '/events/trigger'],
    ['GET', '/webhook_endpoints/we_1'],
    ['PATCH', '/webhook_endpoints/we_1'],
    ['DELETE', '/webhook_endpoints/we_1'],
  ])('%s %s answers 404 with the option, where no events are served', async (method, path) => {
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined
    const answer = await askControl(await startSandbox(), method, path, body)
    expect([answer.status, answer.json]).toEqual([
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
