// The built-in scenarios of events, each against the example receiver of docs/events.md.
import { Hono } from 'hono'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { receiverPointIds, type ReceiverPointId } from '../../src/events/receiver-points.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import type { ScenarioName } from '../../src/scenarios/scenario-name.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

/** The receiver of docs/events.md, which verifies signatures and remembers ids, with a log of its answers. */
function receiver(config: { secret: string }) {
  const seen = new Map<string, unknown>()
  const log: [id: string | undefined, status: number, type: unknown][] = []
  const app = new Hono().post('/', async (c) => {
    const body = await c.req.text()
    const entry = (status: number): void => {
      log.push([c.req.header('webhook-id'), status, JSON.parse(body).type])
    }
    try {
      new Webhook(config.secret).verify(body, c.req.header())
    } catch {
      entry(400)
      return c.text('refused', 400)
    }
    const { id, data } = JSON.parse(body)
    if (!seen.has(id)) seen.set(id, data)
    entry(204)
    return c.body(null, 204)
  })
  return { app, seen, log }
}

/** The points that the receiver covered. */
async function covered({ coverage }: Sandbox): Promise<ReceiverPointId[]> {
  const { receiver: points = [] } = await coverage.get()
  return points.flatMap((point) => (point.covered ? [point.id] : []))
}

const trigger = ({ events }: SandboxWorkspace): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

const eventType = 'reward.updated'

interface Expected {
  /** The requests that the receiver got until the clock moved, and those afterwards. */
  now: unknown[]
  later?: unknown[]
  covers: ReceiverPointId[]
}

const both = (status: number): unknown[] => [
  ['evt_1', status, eventType],
  ['evt_2', status, eventType],
]

/** A scenario whose first attempts the receiver refuses. */
const refusedFirst = (name: ScenarioName, point: ReceiverPointId): [ScenarioName, Expected] => [
  name,
  { now: both(400), later: both(204), covers: ['accepted', 'accepted_after_retry', point] },
]

/** A scenario whose attempts the receiver accepts. */
const accepted = (name: ScenarioName, point: ReceiverPointId): [ScenarioName, Expected] => [
  name,
  { now: both(204), covers: ['accepted', point] },
]

/** Each scenario with what the receiver gets of two events, and the points that it covers. */
const scenarios: [name: ScenarioName, expected: Expected][] = [
  [
    'event-duplicate',
    {
      now: [
        ['evt_1', 204, eventType],
        ['evt_1', 204, eventType],
        ['evt_2', 204, eventType],
        ['evt_2', 204, eventType],
      ],
      covers: ['accepted', 'duplicate_accepted'],
    },
  ],
  [
    'event-concurrent',
    {
      now: [
        ['evt_1', 204, eventType],
        ['evt_1', 204, eventType],
        ['evt_2', 204, eventType],
        ['evt_2', 204, eventType],
      ],
      covers: ['accepted', 'concurrent_accepted'],
    },
  ],
  ['event-drop', { now: [['evt_2', 204, eventType]], covers: ['accepted'] }],
  [
    'event-reorder',
    {
      now: [
        ['evt_2', 204, eventType],
        ['evt_1', 204, eventType],
      ],
      covers: ['accepted'],
    },
  ],
  [
    'event-late',
    {
      now: [],
      later: [
        ['evt_1', 204, eventType],
        ['evt_2', 204, eventType],
      ],
      covers: ['accepted'],
    },
  ],
  refusedFirst('event-bad-signature', 'bad_signature_refused'),
  refusedFirst('event-no-signature', 'no_signature_refused'),
  refusedFirst('event-malformed-signature', 'malformed_signature_refused'),
  refusedFirst('event-stale-timestamp', 'stale_timestamp_refused'),
  refusedFirst('event-future-timestamp', 'future_timestamp_refused'),
  [
    'event-unknown-type',
    {
      now: [
        ['evt_1', 204, 'reward.unknown'],
        ['evt_2', 204, eventType],
      ],
      covers: ['accepted', 'unknown_type_accepted'],
    },
  ],
  accepted('event-unknown-fields', 'unknown_fields_accepted'),
  accepted('event-same-json-other-bytes', 'same_json_other_bytes_accepted'),
  accepted('event-large', 'large_accepted'),
]

describe('a built-in scenario against the receiver of the page of events', () => {
  it.each(scenarios)('%s', async (name, { now, later = [], covers }) => {
    const sandbox = await startSandbox({ webhooks: 'standard', scenarios: name })
    const config = { secret: '' }
    const { app, log } = receiver(config)
    config.secret = sandbox.webhooks.add({ handler: app.fetch }).secret
    trigger(sandbox)
    trigger(sandbox)
    await sandbox.events.drain()
    expect(log.splice(0)).toEqual(now)
    await sandbox.clock.advance({ minutes: 5 })
    expect(log).toEqual(later)
    expect(await covered(sandbox)).toEqual(covers)
  })

  it('event-early is planned for the events of calls, which wait with this fault', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard', scenarios: 'event-early' })
    const config = { secret: '' }
    const { app, log } = receiver(config)
    config.secret = sandbox.webhooks.add({ handler: app.fetch }).secret
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    await sandbox.events.drain()
    expect(log).toEqual([['evt_1', 204, eventType]])
    const [attempt] = sandbox.events.get('evt_1')?.deliveries ?? []
    expect(attempt).toMatchObject({ state: 'delivered', faults: ['early'], due: testNow })
    expect(await covered(sandbox)).toEqual(['accepted', 'early_accepted'])
  })

  it('all of them together -> every point of the receiver', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    const config = { secret: '' }
    const { app } = receiver(config)
    config.secret = sandbox.webhooks.add({ handler: app.fetch }).secret
    for (const [name] of scenarios) {
      await sandbox.scenarios.activate(name)
      trigger(sandbox)
      await sandbox.events.drain()
      await sandbox.clock.advance({ minutes: 5 })
    }
    await sandbox.scenarios.activate('event-early')
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    expect(await covered(sandbox)).toEqual(receiverPointIds)
  })
})
