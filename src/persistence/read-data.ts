// Reads a data file at the start, and recovers what can be used of a damaged one (--recover).
import { DocumentError } from '../reading/problems.ts'
import type { DataFile } from './data-file.ts'
import { entriesAfter, JournalError, readJournal, type JournalLine } from './journal-lines.ts'
import { loadKept, type Kept, type KeptOptions } from './load-kept.ts'

/** How a data file is read. */
export interface ReadOptions extends KeptOptions {
  /** How messages name the file. */
  name: string
  /** Told what became of the file. */
  onNotice(line: string): void
  /** Go back to what can be used when the file cannot. */
  recover: boolean
}

/** Undefined when there is none. @throws {DocumentError} when it cannot be used; it is left as it is. */
export async function readData(file: DataFile, options: ReadOptions): Promise<Kept | undefined> {
  const found = { bytes: await file.read(), journal: await file.readJournal() }
  try {
    return await readAll(found, options)
  } catch (error) {
    const recovered = options.recover ? await recoverData(file, found, options) : undefined
    if (recovered) return recovered
    const hasPrevious = !options.recover && (await file.readPrevious()) !== undefined
    throw withHint(error, options, hasPrevious)
  }
}

/** The snapshot, if there is one, and the journal. */
interface Found {
  bytes: Uint8Array | undefined
  journal: Uint8Array
}

async function readAll({ bytes, journal }: Found, options: ReadOptions): Promise<Kept | undefined> {
  const { name } = options
  const journalName = `${name}.wal`
  const lines = readJournal(journal)
  if (bytes === undefined && lines.length === 0) return undefined
  if (bytes === undefined) throw new JournalError(`belongs to ${name}, which is not there`, 1, lines)
  return loadKept({ bytes, name, journalName, later: (seq) => entriesAfter(lines, seq) }, options)
}

/** How many problems of a file are told beside what can be done about them. */
const mostTold = 50

/** Adds what can be done about a file that cannot be used. */
function withHint(error: unknown, { name }: ReadOptions, hasPrevious: boolean): unknown {
  const orPrevious = hasPrevious ? `, or start with --recover to go back to ${name}.prev, which is older` : ''
  if (error instanceof JournalError) {
    const source = `${name}.wal`
    const message = `was left as it is. Start with --recover to go on with what can be used, or move ${source} away to go on without it`
    return new DocumentError([
      { source, line: error.line, path: '', message: error.message },
      { source, path: '', message },
    ])
  }
  if (!(error instanceof DocumentError)) return error
  const told = error.problems.slice(0, mostTold)
  const more = error.problems.length + error.more - told.length
  const messages = [
    ...(more > 0 ? [`has ${more} more problems`] : []),
    `was left as it is. Repair it${orPrevious}, or move it away to begin anew`,
  ]
  return new DocumentError([...told, ...messages.map((message) => ({ source: name, path: '', message }))])
}

/**
 * Goes on with what can be used: the snapshot with the commits before the damage in its journal, else the snapshot
 * before that one. What is left out is kept under another name. Undefined when nothing can be used.
 */
async function recoverData(
  file: DataFile,
  { bytes, journal }: Found,
  options: ReadOptions,
): Promise<Kept | undefined> {
  const { name, onNotice } = options
  const { lines: usable, isDamaged } = untilDamage(() => readJournal(journal))
  const attempt = async (snapshot: Uint8Array | undefined, shown: string): Promise<Kept | undefined> => {
    if (snapshot === undefined) return undefined
    const later = (seq: number) => untilDamage(() => entriesAfter(usable, seq)).lines
    try {
      return await loadKept({ bytes: snapshot, name: shown, journalName: `${name}.wal`, later }, options)
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }
  const tell = async (what: string, kept: Kept, isFileLeftOut: boolean): Promise<Kept> => {
    const isJournalLeftOut = isDamaged || usable.some(({ entry }) => entry.seq > kept.seq)
    const aside = [
      ...(isFileLeftOut ? [await file.keepAside('file')] : []),
      ...(isJournalLeftOut ? [await file.keepAside('journal')] : []),
    ].map((path) => `${name}${path.slice(file.paths.file.length)}`)
    const where = aside.length === 0 ? '' : `; what was left out is kept in ${aside.join(' and ')}`
    onNotice(`recovered: ${what}${where}`)
    return kept
  }

  const current = await attempt(bytes, name)
  if (current) return tell(`${name} with the writes of ${name}.wal that could be used`, current, false)
  const previous = await file.readPrevious()
  const earlier = await attempt(previous?.bytes, `${name}.prev`)
  if (!previous || !earlier) return undefined
  return tell(`${name}.prev of ${previous.at.toISOString()}`, earlier, bytes !== undefined)
}

/** What can be used of a journal: the lines before the first that is damaged or missing. */
function untilDamage(read: () => readonly JournalLine[]) {
  try {
    return { lines: read(), isDamaged: false }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { lines: error.before, isDamaged: true }
  }
}
