import { loadKept, type Kept } from './load-kept.ts'
import { DocumentError } from '../reading/problems.ts'
import type { DataFile } from './data-file.ts'
import { entriesAfter, JournalError, readJournal } from './read-journal.ts'
import { recoverData, type RecoverOptions } from './recover-data.ts'

/** How a data file is read. */
export interface ReadOptions extends RecoverOptions {
  /** Go back to what can be used when the file cannot. */
  recover: boolean
}

/**
 * Reads a data file: the snapshot, and what was committed after it. Undefined when there is none.
 *
 * @throws {DocumentError} when it cannot be used; it is left as it is.
 */
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

async function readAll(
  { bytes, journal }: { bytes: Uint8Array | undefined; journal: Uint8Array },
  options: ReadOptions,
): Promise<Kept | undefined> {
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
  const more = error.problems.length - told.length
  return new DocumentError([
    ...told,
    ...(more > 0 ? [{ source: name, path: '', message: `has ${more} more problems` }] : []),
    {
      source: name,
      path: '',
      message: `was left as it is. Repair it${orPrevious}, or move it away to begin anew`,
    },
  ])
}
