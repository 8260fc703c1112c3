// The order in which the attempts to deliver events are made, and the attempts that wait for the next event.
import type { EventRow } from './rows.ts'

type Attempt = EventRow['deliveries'][number]

/** Sorts ids such as `evt_10` by their number. */
export const numberedOrder = (id: string): string => id.slice(id.indexOf('_') + 1).padStart(15, '0')

/**
 * Returns a sortable text: attempts are made by the time at which they are due, then by the number of their event. An
 * attempt with `after` comes after all attempts of that event.
 */
export function attemptOrder({ id }: Pick<EventRow, 'id'>, { due, after, n }: Attempt): string {
  const position = numberedOrder(after ?? id) + (after === undefined ? '0' : '1')
  return dueOrder(due) + position + numberedOrder(id) + String(n).padStart(9, '0')
}

/** The latest instant that JavaScript has (ms): added, so that no number is negative. */
const span = 8.64e15

const dueOrder = (due: string): string => String(Date.parse(due) + span).padStart(17, '0')

/** Whether an attempt waits for the next event of its endpoint, to be made after it. */
export const isHeld = ({ state, faults, after }: Attempt): boolean =>
  state === 'waiting' && after === undefined && faults?.includes('reorder') === true
