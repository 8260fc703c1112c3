// The lines of the write-ahead journal: its name, then each commit, with checksums. Reads a journal that may end in a
// torn line.
import { z } from 'zod'
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { deltaSchema } from '../delta.ts'
import { checksum } from './checksum.ts'
import { rowOperations, stateTextOf } from './row-operations.ts'

const entrySchema = z.strictObject({
  /** The number of the last commit in the entry. A snapshot names the last commit that it contains. */
  seq: z.int(),
  /** The last commit that was certainly persisted when the entry was written. */
  kept: z.int(),
  /** The changes of all commits after `kept`. */
  delta: deltaSchema,
})

/** An entry of an earlier version: one commit. Several of them were written together after `kept`. */
const earlierEntry = rowOperations.extend({
  seq: z.int(),
  kept: z.int(),
  clock: z.strictObject({ now: z.string(), frozen: z.boolean() }).optional(),
})

/** The first line: the name of this journal. Its snapshot has the same name. */
const headerSchema = z.strictObject({ journal: z.string() })

/** The changes of the commits of one group. */
export type Entry = z.infer<typeof entrySchema>

/** An entry, and the number of its first commit. */
interface ReadEntry {
  entry: Entry
  first: number
}

function readEntry(json: unknown): ReadEntry | undefined {
  const entry = entrySchema.safeParse(json).data
  if (entry) return { entry, first: entry.kept + 1 }
  const earlier = earlierEntry.safeParse(json).data
  if (!earlier) return undefined
  const { seq, kept, clock, ...operations } = earlier
  const at = clock ? Date.parse(clock.now) : 0
  const standing = { offset: 0, ...(clock ? { set: true } : {}), ...(clock?.frozen ? { frozenAt: at } : {}) }
  const delta = { at, state: stateTextOf(operations), clock: standing }
  return { entry: { seq, kept, delta }, first: seq }
}

/** Returns an entry as a line of the journal: a checksum, a space, JSON. */
export function lineOf(entry: Entry): string {
  return checkedLine(stringify(entry))
}

/** Returns the first line of a journal. */
export function headerOf(journal: string): string {
  return checkedLine(JSON.stringify({ journal }))
}

function checkedLine(json: string): string {
  return `${checksum(json)} ${json}\n`
}

/** Returns the JSON of a line without its end; undefined if its checksum is wrong. */
function jsonOf(line: Uint8Array): unknown {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  const json = text.subarray(checksumLength + 1)
  if (text.toString('latin1', 0, checksumLength + 1) !== `${checksum(json)} `) return undefined
  try {
    return parseExact(json.toString())
  } catch {
    return undefined
  }
}

const checksumLength = 8

/** An entry with its position: the line, counted from 1, and the byte at which the line begins. */
export interface JournalLine extends ReadEntry {
  line: number
  offset: number
}

/** The contents of a journal. */
export interface Journal {
  /** Its name; undefined for a journal of version 0.1.0, or if the first line is lost. */
  name: string | undefined
  lines: JournalLine[]
  /** Whether it ends in a line that was being written when the machine stopped. */
  isUnfinished: boolean
  /** Why nothing after these lines can be used. */
  damage: JournalError | undefined
}

/** Thrown for a damaged journal, or one that does not belong to its snapshot. */
export class JournalError extends Error {
  /** Undefined if there is none. */
  readonly line: number | undefined
  /** The entries before the damage. */
  readonly before: readonly JournalLine[]

  constructor(message: string, line: number | undefined, before: readonly JournalLine[]) {
    super(message)
    this.line = line
    this.before = before
  }
}

const newline = 0x0a

/** Size of the smallest unit in bytes that a disk writes or loses. */
const sector = 512

/**
 * Reads a journal. It ignores the part at the end that was lost when the machine stopped, as it was never acknowledged:
 * a last line without its end, or, of lines that were written together, all from the first one on that did not reach
 * the disk. Any other line with a wrong checksum is damage.
 */
export function readJournal(bytes: Uint8Array): Journal {
  const journal: Journal = { name: undefined, lines: [], isUnfinished: false, damage: undefined }
  let torn: JournalError | undefined
  for (const { line, offset, text } of linesOf(bytes)) {
    const json = jsonOf(text)
    const header = line === 1 ? headerSchema.safeParse(json).data : undefined
    const read = readEntry(json)
    const last = journal.lines.at(-1)?.entry.seq
    if (header) {
      journal.name = header.journal
    } else if (read === undefined) {
      const damage = `is damaged at byte ${offset}: the checksum of the line is wrong`
      const error = new JournalError(damage, line, journal.lines)
      if (!isTorn(bytes, offset, text.length)) return { ...journal, damage: torn ?? error }
      torn ??= error
    } else if (torn === undefined) {
      journal.lines.push({ line, offset, ...read })
    } else if (last === undefined || read.entry.kept > last) {
      return { ...journal, damage: torn }
    }
  }
  return { ...journal, isUnfinished: torn !== undefined }
}

/**
 * Whether a stopped machine can leave such a line: it has no end, or it has zeros where a sector was never written,
 * from the start of the line or sector to the end of a sector or of the file.
 */
function isTorn(bytes: Uint8Array, offset: number, length: number): boolean {
  if (offset + length === bytes.length) return true
  const first = bytes.subarray(offset, offset + length).indexOf(0)
  if (first === -1 || (first !== 0 && (offset + first) % sector !== 0)) return false
  let end = offset + first
  while (bytes[end] === 0) end += 1
  return end % sector === 0
}

/** Yields the lines without their ends, including a last one that has none. */
function* linesOf(bytes: Uint8Array): Generator<{ line: number; offset: number; text: Uint8Array }> {
  let offset = 0
  for (let line = 1; offset < bytes.length; line++) {
    const found = bytes.indexOf(newline, offset)
    const end = found === -1 ? bytes.length : found
    yield { line, offset, text: bytes.subarray(offset, end) }
    offset = end + 1
  }
}

/**
 * Returns the entries that a snapshot does not contain yet.
 * @throws {JournalError} if one is missing in between: then the two do not belong together.
 */
export function entriesAfter(lines: readonly JournalLine[], seq: number): JournalLine[] {
  const after: JournalLine[] = []
  let expected = seq + 1
  for (const line of lines) {
    if (line.entry.seq <= seq) continue
    if (line.first !== expected) {
      throw new JournalError(
        `continues at byte ${line.offset} with commit ${line.first}, but commit ${expected} comes next`,
        line.line,
        after,
      )
    }
    after.push(line)
    expected = line.entry.seq + 1
  }
  return after
}
