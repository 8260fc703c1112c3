// How much of a call is written as text: bodies and rows up to a limit each, and less of a call that is too
// large even so.

/** How much of a body is written, in bytes. */
export const writtenOfBody = 4 * 1024

/** How much of the rows is written whole, in bytes. */
const writtenOfRows = 4 * 1024

/** What a call may take, in bytes: a journal of a mebibyte then holds 50 of the largest. */
export const maxWritten = 20 * 1024

export interface Extent {
  /** How many bytes of rows are written whole. */
  rows: number
  /** What the handler looked up is among these rows; else it is written as ids. */
  rowsOfReads: boolean
  /** Scenarios are written with what became of their rules. */
  verdicts: boolean
  /** How many bytes each list and each text may take that a client or a scenario makes as long as it likes. */
  each: number
}

const whole = { rows: writtenOfRows, rowsOfReads: true, verdicts: true, each: Number.POSITIVE_INFINITY }
const withoutRowsOfReads = { ...whole, rowsOfReads: false }
const withoutVerdicts = { ...withoutRowsOfReads, verdicts: false }

/** A call that is too large loses what is missed least: rows of reads, why rules did not act, long headers. */
export const extents: readonly Extent[] = [
  whole,
  withoutRowsOfReads,
  withoutVerdicts,
  { ...withoutVerdicts, each: 4 * 1024 },
  // Whatever comes in, this is short enough.
  { ...withoutVerdicts, rows: 512, each: 512 },
]

/**
 * The beginning of a list that takes no more than so many bytes as JSON.
 *
 * @param step how many items belong together.
 */
export function fitting<T>(list: readonly T[], most: number, step = 1): readonly T[] {
  if (most === Number.POSITIVE_INFINITY) return list
  let left = most
  for (let at = 0; at < list.length; at += step) {
    left -= bytesOf(list.slice(at, at + step))
    if (left < 0) return list.slice(0, at)
  }
  return list
}

/** The beginning of a text, in the same way. */
export function beginning(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY || bytesOf(text) <= most) return text
  // No character takes more than six, as `\u0000` does.
  return text.slice(0, most / 6)
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
