import type { Assumptions } from '../contract/assumptions.ts'
import { loadKept, type Kept } from '../seed/load-kept.ts'
import { DocumentError } from '../seed/problems.ts'
import type { DataFile } from '../store/data-file/data-file.ts'
import { entriesAfter, JournalError, readJournal, type JournalLine } from '../store/data-file/read-journal.ts'

/** How a data file is read. */
export interface ReadOptions {
  /** How messages name the file. */
  name: string
  /** Go back to what can be used when the file cannot. */
  recover: boolean
  assumptions: Assumptions
  seed: number | undefined
  signal?: AbortSignal
  /** Told what became of the file. */
  onNotice(line: string): void
}

/**
 * Reads a data file: the snapshot, and what was committed after it. Undefined when there is none.
 *
 * @throws {DocumentError} when it cannot be used; it is left as it is.
 */
export async function readData(file: DataFile, options: ReadOptions): Promise<Kept | undefined> {
  const bytes = await file.read()
  const journal = await file.readJournal()
  try {
    const lines = readJournal(journal)
    if (bytes !== undefined)
      return await load(bytes, options.name, (seq) => entriesAfter(lines, seq), options)
    if (lines.length === 0) return undefined
    throw missing(options, lines.length)
  } catch (error) {
    if (options.recover) return recover(file, { bytes, journal, error }, options)
    throw withHint(error, options, (await file.readPrevious()) !== undefined)
  }
}

/** @param shown how messages name the snapshot. @param later the commits after it. */
function load(
  bytes: Uint8Array,
  shown: string,
  later: (seq: number) => readonly JournalLine[],
  options: ReadOptions,
): Promise<Kept> {
  return loadKept({ bytes, name: shown, journalName: `${options.name}.wal`, later }, options)
}

function missing({ name }: ReadOptions, writes: number): DocumentError {
  const message = `is not there, but ${name}.wal holds ${writes} ${writes === 1 ? 'write' : 'writes'} on top of it`
  return new DocumentError([{ source: name, path: '', message }])
}

/** How many problems of a file are told beside what can be done about them. */
const mostTold = 50

/** Adds what can be done about a file that cannot be used. */
function withHint(error: unknown, { name }: ReadOptions, hasPrevious: boolean): unknown {
  if (error instanceof JournalError) {
    const source = `${name}.wal`
    const hint = 'was left as it is. Start with --recover to go on with the writes before that line'
    return new DocumentError([
      { source, line: error.line, path: '', message: error.message },
      { source, path: '', message: hint },
    ])
  }
  if (!(error instanceof DocumentError)) return error
  const told = error.problems.slice(0, mostTold)
  const more = error.problems.length - told.length
  const orPrevious = hasPrevious ? `, or start with --recover to go back to ${name}.prev, which is older` : ''
  const hint = `was left as it is. Repair it${orPrevious}, or move it away to begin anew`
  return new DocumentError([
    ...told,
    ...(more > 0 ? [{ source: name, path: '', message: `has ${more} more problems` }] : []),
    { source: name, path: '', message: hint },
  ])
}

interface Found {
  /** The snapshot, if there is one. */
  bytes: Uint8Array | undefined
  journal: Uint8Array
  /** Why they cannot be used as they are. */
  error: unknown
}

/**
 * Goes on with what can be used: the snapshot with the commits before the damage in its journal, else the snapshot
 * before that one. What is left out is kept under another name.
 */
async function recover(file: DataFile, found: Found, options: ReadOptions): Promise<Kept> {
  const { name, onNotice } = options
  const { usable, isDamaged } = usableLines(found.journal)
  const attempt = async (bytes: Uint8Array | undefined, shown: string): Promise<Kept | undefined> => {
    if (bytes === undefined) return undefined
    try {
      return await load(bytes, shown, (seq) => entriesUpToHole(usable, seq), options)
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }
  const leaveOut = async (kept: Kept): Promise<string[]> => {
    const isLeftOut = isDamaged || usable.some(({ entry }) => entry.seq > kept.seq)
    return isLeftOut ? [await file.keepAside('journal')] : []
  }
  const tell = (what: string, aside: readonly string[]): void => {
    const kept = aside.map((path) => `${name}${path.slice(file.paths.file.length)}`).join(' and ')
    onNotice(`recovered: ${what}${kept === '' ? '' : `; what was left out is kept in ${kept}`}`)
  }

  const current = await attempt(found.bytes, name)
  if (current) {
    tell(`${name} with the writes of ${name}.wal that could be used`, await leaveOut(current))
    return current
  }
  const previous = await file.readPrevious()
  const earlier = await attempt(previous?.bytes, `${name}.prev`)
  if (!previous || !earlier) throw withHint(found.error, options, false)
  const aside = found.bytes === undefined ? [] : [await file.keepAside('file')]
  tell(`${name}.prev of ${previous.at.toISOString()}`, [...aside, ...(await leaveOut(earlier))])
  return earlier
}

function usableLines(journal: Uint8Array): { usable: readonly JournalLine[]; isDamaged: boolean } {
  try {
    return { usable: readJournal(journal), isDamaged: false }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { usable: error.before, isDamaged: true }
  }
}

function entriesUpToHole(lines: readonly JournalLine[], seq: number): readonly JournalLine[] {
  try {
    return entriesAfter(lines, seq)
  } catch (error) {
    if (error instanceof JournalError) return error.before
    throw error
  }
}
