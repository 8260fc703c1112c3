// The lines of the write-ahead journal: a commit as a line with its checksum, and reading lines whose end may be torn.
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { collectionNames } from '../store/rows.ts'

/** One row as a commit left it, or the list of stubs; without a row, it is gone. */
const written = z.strictObject({
  collection: z.enum([...collectionNames, 'account', 'stubs']),
  id: z.string(),
  row: z.custom<object>((value) => isJsonObject(value) || Array.isArray(value)).optional(),
})

const entrySchema = z.strictObject({
  /** Counts commits; a snapshot says up to which one it goes. */
  seq: z.int(),
  /** The last entry that was kept for certain when this one was written. */
  kept: z.int(),
  /** Where the id sequence stands. */
  ids: z.int(),
  /** Only when it was set or frozen. */
  clock: z.strictObject({ now: z.string(), frozen: z.boolean() }).optional(),
  ops: z.array(written),
})

/** What one commit did. */
export type Entry = z.infer<typeof entrySchema>

/** An entry as a line of the journal: a checksum, a space, JSON. */
export function lineOf(entry: Entry): string {
  const text = JSON.stringify(entry)
  return `${checksum(text)} ${text}\n`
}

/** The entry of a line without its end; undefined when the line is not as it was written. */
export function entryOf(line: Uint8Array): Entry | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  const json = text.subarray(checksumLength + 1)
  if (text.toString('latin1', 0, checksumLength + 1) !== `${checksum(json)} `) return undefined
  try {
    return entrySchema.safeParse(JSON.parse(json.toString())).data
  } catch {
    return undefined
  }
}

const checksumLength = 8

function checksum(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}

/** An entry and the line it stands in, counted from 1. */
export interface JournalLine {
  line: number
  entry: Entry
}

/** Thrown for a journal that is not as it was written, and whose damage is no torn end. */
export class JournalError extends Error {
  readonly line: number
  /** The entries before the damage. */
  readonly before: readonly JournalLine[]

  constructor(message: string, line: number, before: readonly JournalLine[]) {
    super(message)
    this.line = line
    this.before = before
  }
}

const newline = 0x0a

/**
 * Reads a journal. What its end lost when the machine stopped is left out: nobody was told that it was kept. That is
 * the last line, or of lines that were written together all from the first bad one on.
 *
 * @throws {JournalError} for a bad line that was kept for certain, as a later one says.
 */
export function readJournal(bytes: Uint8Array): JournalLine[] {
  const lines: JournalLine[] = []
  let bad: { line: number; offset: number } | undefined
  for (const { line, offset, text } of linesOf(bytes)) {
    const entry = entryOf(text)
    const last = lines.at(-1)?.entry.seq
    if (entry === undefined) bad ??= { line, offset }
    else if (bad === undefined) lines.push({ line, entry })
    else if (last === undefined || entry.kept > last) {
      throw new JournalError(`is damaged at byte ${bad.offset}`, bad.line, lines)
    }
  }
  return lines
}

/** The lines that have an end. */
function* linesOf(bytes: Uint8Array): Generator<{ line: number; offset: number; text: Uint8Array }> {
  let offset = 0
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(newline, offset)
    if (end === -1) return
    yield { line, offset, text: bytes.subarray(offset, end) }
    offset = end + 1
  }
}

/**
 * The entries that a snapshot does not hold yet.
 * @throws {JournalError} when one is missing in between: then the two do not belong together.
 */
export function entriesAfter(lines: readonly JournalLine[], seq: number): JournalLine[] {
  const after: JournalLine[] = []
  let expected = seq + 1
  for (const line of lines) {
    if (line.entry.seq <= seq) continue
    if (line.entry.seq !== expected) {
      throw new JournalError(
        `goes on at write ${line.entry.seq}, but write ${expected} comes next`,
        line.line,
        after,
      )
    }
    after.push(line)
    expected += 1
  }
  return after
}
