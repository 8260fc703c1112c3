// Limits of a call as text: bodies and rows up to a limit each, and less of a call that is still too large.

/** Maximum size of a body in bytes. */
export const writtenOfBody = 4 * 1024

/** Maximum size of complete rows in bytes. */
const writtenOfRows = 4 * 1024

/** Maximum size of a call in bytes: a journal of a mebibyte then holds 50 of the largest. */
export const maxWritten = 20 * 1024

export interface Extent {
  /** Maximum size of the rows that are written completely. */
  rows: number
  /** Whether looked-up rows are among them; if not, they are written as ids. */
  rowsOfReads: boolean
  /** Whether scenarios are written with the results of their rules. */
  verdicts: boolean
  /** Maximum size of each list and each text whose length a client or a scenario controls. */
  each: number
}

const whole = { rows: writtenOfRows, rowsOfReads: true, verdicts: true, each: Number.POSITIVE_INFINITY }
const withoutRowsOfReads = { ...whole, rowsOfReads: false }
const withoutVerdicts = { ...withoutRowsOfReads, verdicts: false }

/** A call that is too large loses the least important parts: rows of reads, why rules did not act, long headers. */
export const extents: readonly Extent[] = [
  whole,
  withoutRowsOfReads,
  withoutVerdicts,
  { ...withoutVerdicts, each: 4 * 1024 },
  // This is short enough for any call.
  { ...withoutVerdicts, rows: 512, each: 512 },
]

/**
 * Returns the beginning of a list that takes at most so many bytes as JSON.
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

/** Returns the beginning of a text, in the same way. */
export function beginning(text: string, most: number): string {
  if (most === Number.POSITIVE_INFINITY || bytesOf(text) <= most) return text
  // No character takes more than six, as `\u0000` does.
  return text.slice(0, most / 6)
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
