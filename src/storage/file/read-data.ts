// Reads a data file at the start, and recovers what can be used of a damaged one (--recover).
import { sandboxPart, type SandboxPart } from '../../fixtures/state-document.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { DocumentError, refusal } from '../../input/problems.ts'
import { checksum, sealOf } from './checksum.ts'
import type { DataFile } from './data-file.ts'
import { entriesAfter, JournalError, readJournal, type Journal, type JournalLine } from './journal-lines.ts'
import { ChecksumError, loadKept, type Kept, type KeptOptions } from './load-kept.ts'

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
 * What a data file says of itself, once it is known to be whole: no row of it is read where its checksum is right.
 * Undefined where there is none. @throws {DocumentError} as `readData`.
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

/** The last part of a document whose checksum is right; each part begins a line, as the sandbox writes them. */
function sealedPart(bytes: Uint8Array): SandboxPart | undefined {
  const seal = sealOf(bytes)
  if (seal?.checksum !== checksum(bytes.subarray(0, bytes.length - (seal?.length ?? 0)))) return undefined
  return lastPart(bytes)
}

/** What a damaged file, and the one before it, say of themselves, for whoever can check it: any of it may be wrong. */
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

/** What stands on the disk; undefined is what does not. */
interface Found {
  /** The snapshot. */
  bytes: Uint8Array | undefined
  journal: Uint8Array | undefined
  /** The end of the snapshot before. */
  previous: Uint8Array | undefined
}

async function readAll(found: Found, options: ReadOptions): Promise<Kept | undefined> {
  const { name, onNotice } = options
  const journal = found.journal && readJournal(found.journal)
  if (journal?.damage) throw journal.damage
  if (found.bytes === undefined) {
    if (journal && journal.lines.length > 0)
      throw new JournalError(`belongs to ${name}, which is not there`, 1, [])
    if (found.previous !== undefined) throw refusal(name, `is not there, but ${name}.prev is`)
    // None yet; a first start that was stopped may have left a journal in which nothing is.
    return undefined
  }
  let replayed: readonly JournalLine[] = []
  const kept = await loadKept(
    {
      bytes: found.bytes,
      name,
      journalName: `${name}.wal`,
      later: (part) => (replayed = commitsAfter(part, journal, name)),
    },
    options,
  )
  if (isOpen(kept.sandbox) || replayed.length > 0 || journal?.isUnfinished) {
    const unfinished = journal?.isUnfinished ? '; a commit after it was unfinished and is left out' : ''
    onNotice(`${name} was not closed, as after a crash: recovered up to commit ${kept.seq}${unfinished}`)
  }
  if (!followsPrevious(kept.sandbox, found)) {
    onNotice(
      `${name} is not what followed ${name}.prev: one of them was put there from elsewhere. It is used as it is`,
    )
  }
  return kept
}

/** Whether the document needs its journal. */
function isOpen({ journal, closed }: SandboxPart): boolean {
  return journal !== undefined && !closed
}

/** Whether the snapshot before is the one that the document says, as far as both say something. */
function followsPrevious(part: SandboxPart, { bytes, previous }: Found): boolean {
  const found = previous && sealOf(previous)?.checksum
  if (part.previous === undefined || found === undefined || found === part.previous) return true
  // A machine that stops before a new snapshot gets its name leaves the same one under both.
  return bytes !== undefined && sealOf(bytes)?.checksum === found
}

/**
 * The commits of the journal that a document does not hold yet.
 * @throws {JournalError} when the two do not belong together.
 */
function commitsAfter(part: SandboxPart, journal: Journal | undefined, name: string): JournalLine[] {
  const refuse = (message: string): JournalError => new JournalError(message, undefined, [])
  if (journal === undefined) {
    if (isOpen(part)) throw refuse(`is not there, and ${name} needs it: what was written last is in it`)
    return []
  }
  if (journal.name === part.journal) return entriesAfter(journal.lines, part.seq ?? 0)
  if (isOpen(part)) {
    if (journal.name !== undefined) {
      throw new JournalError(`is the journal of another data file, and not that of ${name}`, 1, [])
    }
    const what =
      journal.lines.length > 0 || journal.isUnfinished ? 'does not begin with its name' : 'is empty'
    throw new JournalError(`${what}, at byte 0: ${name} needs it, as what was written last is in it`, 1, [])
  }
  // Nothing was committed to a journal that no snapshot names yet.
  if (journal.lines.length === 0) return []
  throw new JournalError(`does not belong to ${name}, which was closed or put there without it`, 1, [])
}

/** How many problems of a file are told beside what can be done about them. */
const maxReported = 50

/** Adds what can be done about a file that cannot be used. */
function withHint(error: unknown, { previous }: Found, { name, recover }: ReadOptions): unknown {
  const anew = 'move it and what stands beside it away to begin anew'
  if (error instanceof JournalError) {
    const source = `${name}.wal`
    const message = recover
      ? `was left as it is. Nothing can be recovered; put ${name} back, or ${anew}`
      : 'was left as it is. Put back what belongs together, or start with --recover to go on with what can be used'
    return new DocumentError([
      { source, ...(error.line === undefined ? {} : { line: error.line }), path: '', message: error.message },
      { source, path: '', message },
    ])
  }
  if (!(error instanceof DocumentError)) return error
  const told = error.problems.slice(0, maxReported)
  const more = error.problems.length + error.more - told.length
  const canRecover = !recover && (previous !== undefined || error instanceof ChecksumError)
  const orRecover = canRecover ? ', or start with --recover to go on with what can be used' : ''
  const messages = [
    ...(more > 0 ? [`has ${more} more problems`] : []),
    `was left as it is. Repair it or put it back${orRecover}, or ${anew}`,
  ]
  return new DocumentError([...told, ...messages.map((message) => ({ source: name, path: '', message }))])
}

/** A state that was recovered, and what is missing in it. */
interface Recovered {
  kept: Kept
  /** What it was made from, as messages name it. */
  from: string
  /** What could not be used of the journal. */
  lost: JournalError | undefined
  isDoubtful: boolean
}

/**
 * Goes on with what can be used: the snapshot with the commits before the damage in its journal, else the snapshot
 * before that one, else the snapshot although its checksum is wrong. What is left out is kept under another name.
 * Undefined when nothing can be used.
 */
async function recoverData(file: DataFile, found: Found, options: ReadOptions): Promise<Kept | undefined> {
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
      const kept = await loadKept(
        { bytes, name: from, journalName: `${name}.wal`, later, isDoubtful },
        options,
      )
      return { kept, from, lost, isDoubtful }
    } catch (error) {
      if (error instanceof DocumentError) return undefined
      throw error
    }
  }
  const ofCurrent = (part: SandboxPart): JournalLine[] => commitsAfter(part, journal, name)
  // It may be of the moment when the journal was begun, which then goes on from it.
  const ofPrevious = ({ seq = 0 }: SandboxPart): JournalLine[] => entriesAfter(journal?.lines ?? [], seq)

  const current = await attempt(found.bytes, name, ofCurrent)
  if (current) return tellRecovered(file, found, options, current)
  const previous = await file.readPrevious()
  const earlier = await attempt(previous?.bytes, `${name}.prev`, ofPrevious)
  const doubtful = await attempt(found.bytes, name, ofCurrent, true)
  // Whatever is newer; of the same commit, the one whose checksum is right.
  const best = doubtful && doubtful.kept.seq > (earlier?.kept.seq ?? -1) ? doubtful : earlier
  return best && tellRecovered(file, found, options, best, previous?.at)
}

/** Says what was recovered and what was lost, and keeps what is left out. */
async function tellRecovered(
  file: DataFile,
  found: Found,
  { name, onNotice }: ReadOptions,
  { kept, from, lost, isDoubtful }: Recovered,
  at?: Date,
): Promise<Kept> {
  const isPrevious = from !== name
  const isFileLeftOut = found.bytes !== undefined && (isPrevious || isDoubtful)
  const told = [
    `recovered: ${from}${isPrevious && at ? ` of ${at.toISOString()}` : ''} up to commit ${kept.seq}`,
    ...(isPrevious ? [`what was written to ${name} after it is lost`] : []),
    ...(isDoubtful ? ['its checksum is wrong, so values in it may be others than were written'] : []),
    ...(lost
      ? [`not used: ${name}.wal${lost.line === undefined ? '' : `:${lost.line}`} ${lost.message}`]
      : []),
  ]
  const aside = [
    ...(isFileLeftOut ? [await file.keepAside('file')] : []),
    ...(lost && found.journal ? [await file.keepAside('journal')] : []),
  ].map((path) => `${name}${path.slice(file.paths.file.length)}`)
  if (aside.length > 0) told.push(`what was left out is kept in ${aside.join(' and ')}`)
  onNotice(told.join('; '))
  return kept
}
