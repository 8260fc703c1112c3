// Calls and actions of a workspace in one order, newest first.
import type { TimelineEntry } from '../../workspaces/timeline.ts'

/** A call or an action, as a list shows it. */
export type Happening<Call> = { call: Call; action?: never } | { call?: never; action: TimelineEntry }

type InRun = { sequence?: number }

/**
 * Merges two lists, both newest first. An action names the request that it followed, as times do not decide with a
 * frozen clock; in the trace of a run, where numbers of requests repeat, both have a sequence.
 * @example inOrder([{ id: 'req_w_2' }, { id: 'req_w_1' }], [{ id: 'act_w_1_1', … }])   // call 2, the action, call 1
 */
export function inOrder<Call extends { id: string } & InRun>(
  calls: Iterable<Call>,
  actions: readonly (TimelineEntry & InRun)[],
): Happening<Call>[] {
  // A reset clears the journal, so earlier entries are older than every call.
  const reset = actions.findIndex(({ kind, sequence }) => kind === 'reset' && sequence === undefined)
  const end = reset === -1 ? actions.length : reset
  const merged: Happening<Call>[] = []
  let next = 0
  for (const call of calls) {
    const number = call.sequence ?? numberOf(call.id)
    for (
      let action = actions[next];
      action && next < end && isAfter(action, number);
      action = actions[next]
    ) {
      merged.push({ action })
      next += 1
    }
    merged.push({ call })
  }
  return [...merged, ...actions.slice(next).map((action) => ({ action }))]
}

const isAfter = ({ id, sequence }: TimelineEntry & InRun, call: number): boolean =>
  sequence === undefined ? requestOf(id) >= call : sequence > call

/** Calls are numbered as they come. @example numberOf('req_default_12')   // 12 */
export const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('_') + 1))

/** @example requestOf('act_default_12_3')   // 12 */
const requestOf = (id: string): number => Number(id.split('_').at(-2))

const day = 86_400_000

/** The date of a time, where it differs from that of the neighbor by a day or more. */
export function dateMark(at: string, neighbor: string | undefined): string | undefined {
  if (neighbor === undefined || at.slice(0, 10) === neighbor.slice(0, 10)) return undefined
  return Math.abs(Date.parse(at) - Date.parse(neighbor)) >= day ? at.slice(0, 10) : undefined
}
