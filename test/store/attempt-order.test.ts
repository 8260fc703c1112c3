import fc from 'fast-check'
import { expect, it } from 'vitest'
import { attemptOrder } from '../../src/store/attempt-order.ts'
import type { EventRow } from '../../src/store/rows.ts'

interface Position {
  /** Seconds since 1970. */
  due: number
  event: number
  /** The number of the event after which it is made; 0 for none. */
  after: number
  n: number
}

function orderOf({ due, event, after, n }: Position): string {
  const attempt: EventRow['deliveries'][number] = {
    n,
    endpoint_id: 'a',
    due: new Date(due * 1000).toISOString(),
    at: null,
    state: 'waiting',
    status: null,
    reason: '',
    ...(after > 0 && { after: `evt_${after}` }),
  }
  return attemptOrder({ id: `evt_${event}` }, attempt)
}

/** The order in words: by time, then by event, those after an event behind its own, then by their own event and number. */
function compare(one: Position, other: Position): number {
  const keys = ({ due, event, after, n }: Position): number[] => [
    due,
    after || event,
    after > 0 ? 1 : 0,
    event,
    n,
  ]
  const [first, second] = [keys(one), keys(other)]
  const at = first.findIndex((key, place) => key !== second[place])
  return at === -1 ? 0 : (first[at] ?? 0) - (second[at] ?? 0)
}

it('sorts attempts by time, event, and number', () => {
  const position = fc.record({
    due: fc.integer({ min: -10, max: 2_000_000_000 }),
    event: fc.integer({ min: 1, max: 20 }),
    after: fc.integer({ min: 0, max: 20 }),
    n: fc.integer({ min: 1, max: 12 }),
  })
  const near = fc.record({
    due: fc.integer({ min: 0, max: 2 }),
    event: fc.integer({ min: 8, max: 12 }),
    after: fc.constantFrom(0, 8, 9, 10, 11),
    n: fc.integer({ min: 8, max: 12 }),
  })
  const any = fc.oneof(position, near)
  fc.assert(
    fc.property(any, any, (one, other) => {
      const [first, second] = [orderOf(one), orderOf(other)]
      expect(Math.sign(compare(one, other))).toBe(first === second ? 0 : first < second ? -1 : 1)
    }),
  )
})
