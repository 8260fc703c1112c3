// A workspace after all of its rows were replaced: the answer of reset, restore and upload, and its text.
import { z } from 'zod'
import type { ClockReading } from '../runtime/clock.ts'
import { clockReading, clockText } from './clock.ts'

/** The workspace after a reset, a restored snapshot or an upload has replaced its rows. */
export const replaced = z.object({ workspace: z.string(), rows: z.number(), clock: clockReading })

type Replaced = z.output<typeof replaced>

/** The parts of a workspace that the answer names. */
export interface ReplacedWorkspace {
  name: string
  state: { size(): number }
  clock: { read(): ClockReading }
}

/** Returns the state of a workspace after all of it was replaced. */
export function summaryOf({ name, state, clock }: ReplacedWorkspace): Replaced {
  return { workspace: name, rows: state.size(), clock: clock.read() }
}

/** "1 row", "212 rows" */
export function rowCount(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`
}

/** The end of a line: "212 rows, clock 2026-11-21T12:00:00.000Z (frozen)". */
export function replacedText({ rows, clock }: Replaced): string {
  return `${rowCount(rows)}, clock ${clockText(clock)}`
}
