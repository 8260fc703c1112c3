import { loadKept, type Kept, type KeptOptions } from './load-kept.ts'
import { DocumentError } from '../reading/problems.ts'
import type { DataFile } from './data-file.ts'
import { entriesAfter, JournalError, readJournal, type JournalLine } from './read-journal.ts'

/** What was found, of which something cannot be used. */
export interface Found {
  /** The snapshot, if there is one. */
  bytes: Uint8Array | undefined
  journal: Uint8Array
}

/** How a data file is recovered. */
export interface RecoverOptions extends KeptOptions {
  /** How messages name the file. */
  name: string
  /** Told what became of the file. */
  onNotice(line: string): void
}

/**
 * Goes on with what can be used: the snapshot with the commits before the damage in its journal, else the snapshot
 * before that one. What is left out is kept under another name. Undefined when nothing can be used.
 */
export async function recoverData(
  file: DataFile,
  { bytes, journal }: Found,
  options: RecoverOptions,
): Promise<Kept | undefined> {
  const { name, onNotice } = options
  const { usable, isDamaged } = usableLines(journal)
  const attempt = async (snapshot: Uint8Array | undefined, shown: string): Promise<Kept | undefined> => {
    if (snapshot === undefined) return undefined
    const later = (seq: number): readonly JournalLine[] => entriesUpToHole(usable, seq)
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
