// The order in which the attempts to deliver events are made, and the attempts that wait for the next event.
import type { EventRow } from './rows.ts'

type Attempt = EventRow['deliveries'][number]

/** Sorts ids such as `evt_10` by their number, which grows in each state, whatever workspace and generation they name. */
export const numberedOrder = (id: string): string => sortable(id.slice(id.lastIndexOf('_') + 1))

/**
 * Returns a sortable text: attempts are made by the time at which they are due, then by the number of their event. An
 * attempt with `after` comes after all attempts of that event.
 */
export function attemptOrder({ id }: Pick<EventRow, 'id'>, { due, after, n }: Attempt): string {
  const own = numberedOrder(id)
  const position = after === undefined ? `${own}0` : `${numberedOrder(after)}1${own}`
  return `${dueOrder(due)}${position}${sortable(String(n))}`
}

/** Sorts numbers of up to 35 digits: a longer one is greater. */
const sortable = (digits: string): string => digits.length.toString(36) + digits

/** Most instants are in the form of the clock, which is sortable itself. */
const dueOrder = (due: string): string => (/^.{10}T.{12}Z$/.test(due) ? due : new Date(due).toISOString())

/** Whether an attempt waits for the next event of its endpoint, to be made after it. */
export const isHeld = ({ state, faults, after }: Attempt): boolean =>
  state === 'waiting' && after === undefined && faults?.includes('reorder') === true
