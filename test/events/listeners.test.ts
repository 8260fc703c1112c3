// The end of an attempt of a listener that waits for the report.
import { describe, expect, it } from 'vitest'
import { Changes } from '../../src/events/changes.ts'
import { Listeners } from '../../src/events/listeners.ts'
import { standard } from '../../src/events/presets/standard.ts'

const attempt = {
  event: {
    id: 'evt_1',
    type: 'reward.updated',
    time: '2026-11-28T12:00:00.000Z',
    source: 'trigger',
    data: {},
    previous: null,
    request_id: null,
    deliveries: [],
  },
  attempt: {
    n: 1,
    endpoint_id: 'we_1',
    due: '2026-11-28T12:00:00.000Z',
    at: null,
    state: 'waiting',
    status: null,
    reason: 'the first attempt',
  },
  endpoint: {
    id: 'we_1',
    url: 'http://localhost/',
    events: ['*'],
    enabled: true,
    created_at: '2026-11-28T12:00:00.000Z',
    listener: true,
  },
} satisfies Parameters<Listeners['deliver']>[0]

/** An occurrence when the delivery is sent. */
type Sent = (world: World) => void

interface World {
  /** The attempt gets an outcome. */
  end(): void
  disconnect(): void
}

/** Makes the attempt. @returns its outcome, and how often it was sent. */
async function outcomeOf(sent: Sent): Promise<[outcome: unknown, sent: number]> {
  const changes = new Changes()
  let isOver = false
  let count = 0
  const listeners = new Listeners(changes)
  const world: World = {
    end() {
      isOver = true
      changes.notify()
    },
    disconnect: listeners.connect('we_1', () => {
      count += 1
      sent(world)
    }),
  }
  const delivery = { headers: {}, body: '{}' }
  const outcome = await listeners.deliver(attempt, delivery, standard, () => isOver)
  return [outcome, count]
}

const failed = (reason: string): object => ({ state: 'failed', status: null, reason, disables: false })

describe('an attempt of a listener', () => {
  it.each<[string, Sent, outcome: unknown, sent: number]>([
    ['reported -> the report has recorded its outcome', (world) => world.end(), undefined, 1],
    [
      'disconnected before the report -> failed',
      (world) => world.disconnect(),
      failed('the listener has disconnected'),
      1,
    ],
  ])('%s', async (_, happening, outcome, sent) => {
    expect(await outcomeOf(happening)).toEqual([outcome, sent])
  })
})
