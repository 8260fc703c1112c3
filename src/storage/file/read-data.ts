// Reads a data file at the start, and recovers the intact parts of a damaged one (--recover).
import { sandboxPart, type SandboxPart } from '../../fixtures/state-document.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { DocumentError, refusal } from '../../input/problems.ts'
import { checksum, sealOf } from './checksum.ts'
import type { DataFile } from './data-file.ts'
import { entriesAfter, JournalError, readJournal, type Journal, type JournalLine } from './journal-lines.ts'
import { ChecksumError, loadPersisted, type PersistedState, type LoadOptions } from './load-persisted.ts'

/** How to read a data file. */
export interface ReadOptions extends LoadOptions {
  /** The name of the file in messages. */
  name: string
  /** Called with the results of a recovery. */
  onNotice(line: string): void
  /** Recover intact parts if the file cannot be used. */
  recover: boolean
}

/**
 * Returns the state; undefined if there is none. @throws {DocumentError} if it cannot be used; the file is unchanged.
 */
export async function readData(file: DataFile, options: ReadOptions): Promise<PersistedState | undefined> {
  const found = await findData(file)
  try {
    return await readAll(found, options)
  } catch (error) {
    const recovered = options.recover ? await recoverData(file, found, options) : undefined
    if (recovered) return recovered
    throw withHint(error, found, options)
  }
}

/**
 * Returns the workspace part of a data file after checking that the file is complete. It reads no row if the checksum
 * is right. Undefined if there is none. @throws {DocumentError} as `readData`.
 */
export async function scanFile(file: DataFile, options: ReadOptions): Promise<SandboxPart | undefined> {
  const found = await findData(file)
  try {
    const part = found.bytes && sealedPart(found.bytes)
    if (!part) return (await readAll(found, { ...options, onNotice: () => undefined }))?.sandbox
    const journal = found.journal && readJournal(found.journal)
    if (journal?.damage) throw journal.damage
    commitsAfter(part, journal, options.name)
    return part
  } catch (error) {
    throw withHint(error, found, options)
  }
}

const partBegins = '\n  "sandbox": '

/** Returns the last part of a document whose checksum is right; each part begins a line, as the sandbox writes them. */
function sealedPart(bytes: Uint8Array): SandboxPart | undefined {
  const seal = sealOf(bytes)
  if (seal?.checksum !== checksum(bytes.subarray(0, bytes.length - (seal?.length ?? 0)))) return undefined
  return lastPart(bytes)
}

/**
 * Returns the workspace parts of a damaged file and of the previous one, for a caller that can verify them: any of them
 * may be wrong.
 */
export async function doubtfulParts(file: DataFile): Promise<SandboxPart[]> {
  const found = [file.read(), file.readPrevious().then((previous) => previous?.bytes)]
  const all = await Promise.all(found.map((bytes) => bytes.catch(() => undefined)))
  return all.flatMap((bytes) => (bytes && lastPart(bytes)) ?? [])
}

function lastPart(bytes: Uint8Array): SandboxPart | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const begin = buffer.lastIndexOf(partBegins)
  if (begin === -1) return undefined
  const text = buffer.toString('utf8', begin + partBegins.length).replace(/\}\s*$/, '')
  try {
    return sandboxPart.safeParse(parseExact(text)).data
  } catch {
    return undefined
  }
}

async function findData(file: DataFile): Promise<Found> {
  return {
    bytes: await file.read(),
    journal: await file.readJournal(),
    previous: await file.readEndOfPrevious(),
  }
}

/** The files on the disk; undefined for one that does not exist. */
interface Found {
  /** The snapshot. */
  bytes: Uint8Array | undefined
  journal: Uint8Array | undefined
  /** The end of the previous snapshot. */
  previous: Uint8Array | undefined
}

async function readAll(found: Found, options: ReadOptions): Promise<PersistedState | undefined> {
  const { name, onNotice } = options
  const journal = found.journal && readJournal(found.journal)
  if (journal?.damage) throw journal.damage
  if (found.bytes === undefined) {
    if (journal && journal.lines.length > 0)
      throw new JournalError(`belongs to ${name}, which does not exist`, 1, [])
    if (found.previous !== undefined) throw refusal(name, `does not exist, but ${name}.prev is`)
    // There is none yet; a first start that was stopped may have left an empty journal.
    return undefined
  }
  let replayed: readonly JournalLine[] = []
  const loaded = await loadPersisted(
    {
      bytes: found.bytes,
      name,
      journalName: `${name}.wal`,
      later: (part) => (replayed = commitsAfter(part, journal, name)),
    },
    options,
  )
  if (isOpen(loaded.sandbox) || replayed.length > 0 || journal?.isUnfinished) {
    const unfinished = journal?.isUnfinished ? '; an unfinished commit after it is ignored' : ''
    onNotice(`${name} was not closed, as after a crash: recovered up to commit ${loaded.seq}${unfinished}`)
  }
  if (!followsPrevious(loaded.sandbox, found)) {
    onNotice(
      `${name} does not continue ${name}.prev: one of them was copied from elsewhere. It is used anyway`,
    )
  }
  return loaded
}

/** Whether the document needs its journal. */
function isOpen({ journal, closed }: SandboxPart): boolean {
  return journal !== undefined && !closed
}

/** Whether the previous snapshot is the one that the document names, as far as both have names. */
function followsPrevious(part: SandboxPart, { bytes, previous }: Found): boolean {
  const found = previous && sealOf(previous)?.checksum
  if (part.previous === undefined || found === undefined || found === part.previous) return true
  // A machine that stops before a new snapshot gets its name leaves the same snapshot under both names.
  return bytes !== undefined && sealOf(bytes)?.checksum === found
}

/**
 * Returns the commits of the journal that the document does not contain yet.
 * @throws {JournalError} if the two do not belong together.
 */
function commitsAfter(part: SandboxPart, journal: Journal | undefined, name: string): JournalLine[] {
  const refuse = (message: string): JournalError => new JournalError(message, undefined, [])
  if (journal === undefined) {
    if (isOpen(part)) throw refuse(`does not exist, and ${name} needs it: it has the newest writes`)
    return []
  }
  if (journal.name === part.journal) return entriesAfter(journal.lines, part.seq ?? 0)
  if (isOpen(part)) {
    if (journal.name !== undefined) {
      throw new JournalError(`is the journal of another data file, and not that of ${name}`, 1, [])
    }
    const what =
      journal.lines.length > 0 || journal.isUnfinished ? 'does not begin with its name' : 'is empty'
    throw new JournalError(`${what}, at byte 0: ${name} needs it, as it has the newest writes`, 1, [])
  }
  // A journal that no snapshot names yet has no commits.
  if (journal.lines.length === 0) return []
  throw new JournalError(`does not belong to ${name}, which was closed or put there without it`, 1, [])
}

/** Maximum number of problems of a file that a message lists. */
const maxReported = 50

/** Adds the next step for a file that cannot be used. */
function withHint(error: unknown, { previous }: Found, { name, recover }: ReadOptions): unknown {
  const startEmpty = 'move it and the files next to it away to start with an empty state'
  if (error instanceof JournalError) {
    const source = `${name}.wal`
    const message = recover
      ? `was not changed. Nothing can be recovered; put ${name} back, or ${startEmpty}`
      : 'was not changed. Restore files that belong together, or start with --recover to use what is intact'
    return new DocumentError([
      { source, ...(error.line === undefined ? {} : { line: error.line }), path: '', message: error.message },
      { source, path: '', message },
    ])
  }
  if (!(error instanceof DocumentError)) return error
  const reported = error.problems.slice(0, maxReported)
  const more = error.problems.length + error.more - reported.length
  const canRecover = !recover && (previous !== undefined || error instanceof ChecksumError)
  const orRecover = canRecover ? ', or start with --recover to use what is intact' : ''
  const messages = [
    ...(more > 0 ? [`has ${more} more problems`] : []),
    `was not changed. Repair it or put it back${orRecover}, or ${startEmpty}`,
  ]
  return new DocumentError([...reported, ...messages.map((message) => ({ source: name, path: '', message }))])
}

/** A recovered state, with the parts that are missing. */
interface Recovered {
  loaded: PersistedState
  /** Its sources, as messages name them. */
  from: string
  /** The part of the journal that could not be used. */
  lost: JournalError | undefined
  isDoubtful: boolean
}

/**
 * Recovers the best state: the snapshot with the commits before the damage in its journal; if that fails, the previous
 * snapshot; if that fails, the snapshot despite its wrong checksum. It saves skipped parts under another name.
 * Undefined if nothing can be used.
 */
async function recoverData(
  file: DataFile,
  found: Found,
  options: ReadOptions,
): Promise<PersistedState | undefined> {
  const { name } = options
  const journal = found.journal && readJournal(found.journal)
  const attempt = async (
    bytes: Uint8Array | undefined,
    from: string,
    laterOf: (part: SandboxPart) => JournalLine[],
    isDoubtful = false,
  ): Promise<Recovered | undefined> => {
    if (bytes === undefined) return undefined
    let lost = journal?.damage
    const later = (part: SandboxPart): readonly JournalLine[] => {
      try {
        return laterOf(part)
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        lost = error
        return error.before
      }
    }
    try {
      const loaded = await loadPersisted(
        { bytes, name: from, journalName: `${name}.wal`, later, isDoubtful },
        options,
      )
      return { loaded, from, lost, isDoubtful }
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }
  const ofCurrent = (part: SandboxPart): JournalLine[] => commitsAfter(part, journal, name)
  // It may be the snapshot from which the journal began, which then continues it.
  const ofPrevious = ({ seq = 0 }: SandboxPart): JournalLine[] => entriesAfter(journal?.lines ?? [], seq)

  const current = await attempt(found.bytes, name, ofCurrent)
  if (current) return tellRecovered(file, found, options, current)
  const previous = await file.readPrevious()
  const earlier = await attempt(previous?.bytes, `${name}.prev`, ofPrevious)
  const doubtful = await attempt(found.bytes, name, ofCurrent, true)
  // The newer state wins; of the same commit, the one whose checksum is right.
  const best = doubtful && doubtful.loaded.seq > (earlier?.loaded.seq ?? -1) ? doubtful : earlier
  return best && tellRecovered(file, found, options, best, previous?.at)
}

/** Reports the recovered and the lost parts, and saves the skipped parts. */
async function tellRecovered(
  file: DataFile,
  found: Found,
  { name, onNotice }: ReadOptions,
  { loaded, from, lost, isDoubtful }: Recovered,
  at?: Date,
): Promise<PersistedState> {
  const isPrevious = from !== name
  const isFileSkipped = found.bytes !== undefined && (isPrevious || isDoubtful)
  const reported = [
    `recovered: ${from}${isPrevious && at ? ` of ${at.toISOString()}` : ''} up to commit ${loaded.seq}`,
    ...(isPrevious ? [`later writes to ${name} are lost`] : []),
    ...(isDoubtful ? ['its checksum is wrong, so values in it may differ from those that were written'] : []),
    ...(lost
      ? [`not used: ${name}.wal${lost.line === undefined ? '' : `:${lost.line}`} ${lost.message}`]
      : []),
  ]
  const aside = [
    ...(isFileSkipped ? [await file.copyAside('file')] : []),
    ...(lost && found.journal ? [await file.copyAside('journal')] : []),
  ].map((path) => `${name}${path.slice(file.paths.file.length)}`)
  if (aside.length > 0) reported.push(`the parts that were skipped are saved in ${aside.join(' and ')}`)
  onNotice(reported.join('; '))
  return loaded
}
