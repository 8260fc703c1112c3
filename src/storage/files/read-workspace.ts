// Reads the document of a workspace and the logs that continue it, and explains damage.
import { parseExact } from '../../json/parse-exact.ts'
import { stringify } from '../../json/stringify.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { DamagedError } from '../core/storage.ts'
import { checksum, sealOf } from '../file/checksum.ts'
import { ifThere, TooLargeError } from '../file/files.ts'
import { isIntact, readEnd, withoutFields } from './document-end.ts'
import type { DocumentFile } from './document-file.ts'
import type { FileContext } from './file-context.ts'
import { LogDamage, readDeltas, readHeader, type LogHeader } from './log-lines.ts'

/** A workspace as its files have it. */
export interface FoundWorkspace {
  /** The state document without the fields of the driver; undefined if there is none. */
  document: Buffer | undefined
  deltas: string[]
  /** Undefined if no file has it. */
  about: string | undefined
  /** The number of the last delta. */
  seq: number
  /** The checksum of a document that names no log: a person wrote it. */
  unnamed: string | undefined
  /** The generation of the first log that counts; undefined if none does. */
  firstLog: number | undefined
}

/** A document and the names that its end gives. */
interface ReadDocument {
  text: Buffer
  about: string | undefined
  /** Undefined if a person wrote the document. */
  log: number | undefined
  seq: number
}

/** A log with the part of it that counts. */
interface ReadLog {
  generation: number
  bytes: Buffer
  header: LogHeader
}

/** Thrown for a damaged document. */
export class DocumentDamage extends Error {}

/** Thrown for a damaged log of a workspace. */
class LogFileDamage extends Error {
  readonly generation: number
  readonly line: number | undefined

  constructor(generation: number, message: string, line?: number) {
    super(message)
    this.generation = generation
    this.line = line
  }
}

/**
 * Reads a workspace.
 * @param generations its logs, ascending. @throws {DamagedError} and leaves all files as they are.
 */
export async function readWorkspace(
  context: FileContext,
  { name, file, generations }: { name: string; file: DocumentFile; generations: readonly number[] },
): Promise<FoundWorkspace> {
  const { files, layout } = context
  const hasPrevious = (await ifThere(files.stat(layout.previous(name)))) !== undefined
  try {
    const bytes = await file.read()
    if (!bytes && hasPrevious) throw new DocumentDamage('does not exist, but the checkpoint before it does')
    const document = bytes && readDocument(bytes)
    const unnamed = bytes && document?.log === undefined ? checksum(bytes) : undefined
    const logs = await readLogs(context, name, generations, document, unnamed)
    return { ...joined(logs, document), unnamed, firstLog: logs[0]?.generation }
  } catch (error) {
    if (error instanceof TooLargeError)
      throw damaged(
        context,
        name,
        new DocumentDamage(`is larger than the ${context.maxBytes} bytes that can be read`),
      )
    if (!(error instanceof DocumentDamage || error instanceof LogFileDamage)) throw error
    throw damaged(context, name, error, hasPrevious)
  }
}

/** @throws {DocumentDamage} */
export function readDocument(bytes: Buffer): ReadDocument {
  const end = readEnd(bytes.subarray(-endLength)) ?? readEnd(bytes.subarray(-longEndLength))
  if (end?.checksum !== undefined) {
    if (!isIntact(bytes))
      throw new DocumentDamage(
        `has a wrong checksum at byte ${bytes.length - end.length}: it was changed or damaged. If you edited it, delete its last member "checksum"`,
      )
    return { ...end, text: withoutFields(bytes, end) }
  }
  if (sealOf(bytes)) throw new DocumentDamage('was written by an earlier version, which this one cannot read')
  return readEdited(bytes)
}

/** Length in bytes of the end of a document that usually has the fields of the driver. */
export const endLength = 4096
/** The same for a workspace about which much is known. */
export const longEndLength = 2 ** 20

/** Reads a document that a person wrote or edited, as a whole. */
function readEdited(bytes: Buffer): ReadDocument {
  let document: unknown
  try {
    document = parseExact(bytes.toString())
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    throw new DocumentDamage(`is not JSON: the error is at character ${position ?? bytes.length}`, {
      cause: error,
    })
  }
  const sandbox = isJsonObject(document) ? document['sandbox'] : undefined
  if (!isJsonObject(document) || !isJsonObject(sandbox))
    return { text: bytes, about: undefined, log: undefined, seq: 0 }
  const { about, log, seq, checksum: _, ...rest } = sandbox
  if (about === undefined && seq === undefined)
    return { text: bytes, about: undefined, log: undefined, seq: 0 }
  const isContinued = typeof log === 'number' && typeof seq === 'number'
  return {
    text: Buffer.from(`${stringify({ ...document, sandbox: rest }, 2)}\n`),
    about: about === undefined ? undefined : stringify(about),
    ...(isContinued ? { log, seq } : { log: undefined, seq: 0 }),
  }
}

/** Returns the logs that continue the document, or with which a workspace without one begins. */
async function readLogs(
  context: FileContext,
  name: string,
  generations: readonly number[],
  document: ReadDocument | undefined,
  unnamed: string | undefined,
): Promise<ReadLog[]> {
  const { log: first = 1 } = document ?? {}
  const logs: ReadLog[] = []
  for (const generation of generations) {
    if (generation < first) continue
    const bytes = await context.files.readFile(context.layout.log(name, generation))
    logs.push({ generation, bytes, header: inLog(generation, () => readHeader(bytes, generation)) })
  }
  if (document?.log !== undefined) {
    if (logs[0]?.generation === document.log) return logs
    throw new LogFileDamage(document.log, 'does not exist, and the document needs it')
  }
  // Others are remains of a workspace that was dropped.
  const isFirst = ({ header }: ReadLog): boolean =>
    document ? header.document === unnamed : header.begins === true
  const start = document ? logs.findIndex(isFirst) : logs.findLastIndex(isFirst)
  if (start !== -1) return logs.slice(start)
  for (const { generation, bytes } of document ? logs : []) {
    if (bytes.indexOf('\n') < bytes.length - 1)
      throw new LogFileDamage(generation, 'has changes to another document')
  }
  return []
}

/** Returns the contents of a document and its logs, in order. @throws {LogFileDamage} */
function joined(
  logs: readonly ReadLog[],
  document: ReadDocument | undefined,
): Omit<FoundWorkspace, 'unnamed' | 'firstLog'> {
  const found = {
    document: document?.text,
    deltas: [] as string[],
    about: document?.about,
    seq: document?.seq ?? 0,
  }
  for (const [index, { generation, bytes, header }] of logs.entries()) {
    inLog(generation, () => {
      if (header.after !== found.seq)
        throw new LogDamage(1, `continues after delta ${header.after}, but ${found.seq + 1} comes next`)
      const later = logs.slice(index + 1).map((log) => log.header.after)
      const last = later.length === 0 ? undefined : Math.min(...later)
      for (const delta of readDeltas(bytes, { after: found.seq, last })) found.deltas.push(delta)
    })
    found.seq = (document?.seq ?? 0) + found.deltas.length
    found.about = header.about ?? found.about
  }
  return found
}

/** Runs a function that reads a log. @throws {LogFileDamage} */
function inLog<T>(generation: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof LogDamage) throw new LogFileDamage(generation, error.message, error.line)
    throw error
  }
}

/** Returns the error for a user: the file, the position and the next steps. */
function damaged(
  { layout }: FileContext,
  name: string,
  damage: DocumentDamage | LogFileDamage,
  hasPrevious = false,
): DamagedError {
  const document = layout.document(name)
  const where =
    damage instanceof LogFileDamage
      ? `${layout.log(name, damage.generation)}${damage.line === undefined ? '' : `:${damage.line}`}`
      : document
  const previous = hasPrevious ? ` The checkpoint before is ${layout.previous(name)}.` : ''
  return new DamagedError(
    `${where}: ${damage.message}. Nothing was changed.${previous} Put back ${document} and its logs from one backup, ` +
      'or move them away to begin with an empty workspace. To use a document without the changes in its logs, ' +
      'delete the logs, and the members "log" and "checksum" at its end',
  )
}
