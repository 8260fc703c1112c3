// Reads the document of a workspace and the logs that continue it, and explains damage.
import { parseExact } from '../../json/parse-exact.ts'
import { stringify } from '../../json/stringify.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { checksum, sealOf } from './checksum.ts'
import { ifThere, TooLargeError } from './files.ts'
import { isIntact, readEnd, withoutFields } from './document-end.ts'
import type { DocumentFile } from './document-file.ts'
import type { FileContext } from './file-context.ts'
import { FileDamage } from './file-damage.ts'
import { readDeltas, readHeader, type LogHeader } from './log-lines.ts'

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
  path: string
  bytes: Buffer
  header: LogHeader
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
  const path = layout.document(name)
  const hasPrevious = (await ifThere(files.stat(layout.previous(name)))) !== undefined
  try {
    const bytes = await file.load()
    if (!bytes && hasPrevious) throw new FileDamage(path, missingDocument)
    const document = bytes && readDocument(path, bytes)
    const unnamed = bytes && document?.log === undefined ? checksum(bytes) : undefined
    const logs = await readLogs(context, name, generations, document, unnamed)
    return { ...joined(logs, document), unnamed, firstLog: logs[0]?.generation }
  } catch (error) {
    const damage =
      error instanceof TooLargeError
        ? new FileDamage(path, `is larger than the ${context.maxBytes} bytes that can be read`)
        : error
    throw damage instanceof FileDamage ? damage.of(layout, name, hasPrevious) : error
  }
}

/** @throws {FileDamage} */
export function readDocument(path: string, bytes: Buffer): ReadDocument {
  const end = readEnd(bytes.subarray(-endLength)) ?? readEnd(bytes.subarray(-longEndLength))
  if (end?.checksum !== undefined) {
    if (!isIntact(bytes))
      throw new FileDamage(
        path,
        `has a wrong checksum at byte ${bytes.length - end.length}: it was changed or damaged. If you edited it, delete its last member "checksum"`,
      )
    return { ...end, text: withoutFields(bytes, end) }
  }
  if (sealOf(bytes))
    throw new FileDamage(path, 'was written by an earlier version, which this one cannot read')
  return readEdited(path, bytes)
}

/** The damage of a workspace whose document alone was removed. */
export const missingDocument = 'does not exist, but the checkpoint before it does'

/** Length in bytes of the end of a document that usually has the fields of the driver. */
export const endLength = 4096
/** The same for a workspace about which much is known. */
export const longEndLength = 2 ** 20

/** Reads a document that a person wrote or edited, as a whole. */
function readEdited(path: string, bytes: Buffer): ReadDocument {
  let document: unknown
  try {
    document = parseExact(bytes.toString())
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1]
    throw new FileDamage(
      path,
      `is not JSON: the error is at character ${position ?? bytes.length}`,
      undefined,
      { cause: error },
    )
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
  { files, layout }: FileContext,
  name: string,
  generations: readonly number[],
  document: ReadDocument | undefined,
  unnamed: string | undefined,
): Promise<ReadLog[]> {
  const { log: first = 1 } = document ?? {}
  const logs: ReadLog[] = []
  for (const generation of generations) {
    if (generation < first) continue
    const path = layout.log(name, generation)
    const bytes = await files.readFile(path)
    logs.push({ generation, path, bytes, header: readHeader(path, bytes, generation) })
  }
  if (document?.log !== undefined) {
    if (logs[0]?.generation === document.log) return logs
    throw new FileDamage(layout.log(name, document.log), 'does not exist, and the document needs it')
  }
  // Others are remains of a workspace that was dropped.
  const isFirst = ({ header }: ReadLog): boolean =>
    document ? header.document === unnamed : header.begins === true
  const start = document ? logs.findIndex(isFirst) : logs.findLastIndex(isFirst)
  if (start !== -1) return logs.slice(start)
  for (const { path, bytes } of document ? logs : []) {
    if (bytes.indexOf('\n') < bytes.length - 1) throw new FileDamage(path, 'has changes to another document')
  }
  return []
}

/** Returns the contents of a document and its logs, in order. @throws {FileDamage} */
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
  for (const [index, { path, bytes, header }] of logs.entries()) {
    if (header.after !== found.seq)
      throw new FileDamage(path, `continues after delta ${header.after}, but ${found.seq + 1} comes next`, 1)
    const later = logs.slice(index + 1).map((log) => log.header.after)
    const last = later.length === 0 ? undefined : Math.min(...later)
    for (const delta of readDeltas(path, bytes, { after: found.seq, last })) found.deltas.push(delta)
    found.seq = (document?.seq ?? 0) + found.deltas.length
    found.about = header.about ?? found.about
  }
  return found
}
