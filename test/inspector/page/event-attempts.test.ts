import { describe, expect, it } from 'vitest'
import { resentText, verdictOf } from '../../../src/inspector/page/event-attempts.ts'
import type { EventDelivery, WebhookEvent } from '../../../src/operations/webhook-event.ts'

type State = EventDelivery['state']

const attempt = (n: number, state: State, endpoint_id = 'we_1'): EventDelivery => ({
  n,
  endpoint_id,
  due: '2027-01-01T00:00:00.000Z',
  at: state === 'waiting' || state === 'skipped' ? null : '2027-01-01T00:00:00.000Z',
  state,
  status: null,
  reason: `reason ${n}`,
})

describe('the verdict of an attempt', () => {
  it.each<[State[], string | undefined]>([
    [['failed', 'delivered'], 'fixed'],
    [['failed', 'failed'], 'still failing'],
    [['delivered', 'failed'], 'regressed'],
    [['delivered', 'delivered'], undefined],
    [['failed', 'skipped', 'delivered'], 'fixed'],
    [['delivered'], undefined],
    [['failed', 'waiting'], undefined],
  ])('after %j -> %s', (states, verdict) => {
    const deliveries = states.map((state, at) => attempt(at + 1, state))
    expect(verdictOf(deliveries, deliveries.at(-1) as EventDelivery)).toBe(verdict)
  })

  it('is about attempts to the same endpoint', () => {
    const deliveries = [attempt(1, 'failed', 'we_2'), attempt(2, 'delivered')]
    expect(verdictOf(deliveries, attempt(2, 'delivered'))).toBeUndefined()
  })
})

describe('the message of a resend', () => {
  const event = (deliveries: EventDelivery[]): WebhookEvent => ({
    id: 'evt_1',
    type: 'reward.updated',
    time: '2027-01-01T00:00:00.000Z',
    source: 'trigger',
    data: {},
    request_id: null,
    deliveries,
  })

  it('has the verdict of each attempt that it made', () => {
    const before = event([attempt(1, 'failed'), attempt(2, 'delivered', 'we_2')])
    const after = event([...before.deliveries, attempt(3, 'delivered'), attempt(4, 'delivered', 'we_2')])
    expect(resentText(before, after)).toBe(
      'Resent evt_1: we_1 delivered (reason 3), fixed, we_2 delivered (reason 4).',
    )
  })

  it('an attempt that waits -> nothing was sent', () => {
    const before = event([attempt(1, 'waiting')])
    expect(resentText(before, before)).toBe('evt_1 was not sent: an attempt waits until it is due.')
  })
})
