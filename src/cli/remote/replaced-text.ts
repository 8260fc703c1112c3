// The size and the clock of a workspace as text.
import type { z } from 'zod'
import type { replaced } from '../../control/answers.ts'
import { clockText } from '../../operations/clock.ts'

/** "1 row", "212 rows" */
export function rowCount(rows: number): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'}`
}

/** The end of a line: "212 rows, clock 2026-11-21T12:00:00.000Z (frozen)". */
export function replacedText({ rows, clock }: z.output<typeof replaced>): string {
  return `${rowCount(rows)}, clock ${clockText(clock)}`
}
