// The lines of a log: a header, then a line for each delta. Each line begins with its checksum.
import { z } from 'zod'
import { checksum } from './checksum.ts'
import { FileDamage } from './file-damage.ts'

const headerSchema = z.strictObject({
  /** The version of this format. */
  format: z.literal(1),
  generation: z.int().min(1),
  /** The number of the last delta before this log. */
  after: z.int().min(0),
  /** Present if the workspace begins with this log, without a document. */
  begins: z.literal(true).optional(),
  /** The checksum of the document that this log continues, if the document names no log: a person wrote it. */
  document: z.string().optional(),
  /** The JSON text for the list of workspaces, if it differs from that of the document. */
  about: z.string().optional(),
})

/** The first line of a log. */
export type LogHeader = z.infer<typeof headerSchema>

const digits = 8
const newline = 0x0a

function checkedLine(json: string): string {
  return `${checksum(json)} ${json}\n`
}

export function headerLine(header: LogHeader): string {
  return checkedLine(JSON.stringify(header))
}

/** @param delta JSON in one line. */
export function deltaLine(seq: number, delta: string): string {
  if (delta.includes('\n')) throw new Error('a delta is one line')
  return checkedLine(`{"seq":${seq},"delta":${delta}}`)
}

/** Returns the JSON of a line without its end; undefined if its checksum is wrong. */
function jsonOf(line: Buffer): string | undefined {
  const json = line.subarray(digits + 1)
  if (line.toString('latin1', 0, digits + 1) !== `${checksum(json)} `) return undefined
  return json.toString()
}

/** Reads the first line of a log; the text may end after it. @throws {FileDamage} */
export function readHeader(path: string, bytes: Buffer, generation: number): LogHeader {
  const damage = (message: string): FileDamage => new FileDamage(path, message, 1)
  const end = bytes.indexOf(newline)
  const json = end === -1 ? undefined : jsonOf(bytes.subarray(0, end))
  if (json === undefined) throw damage('is damaged at byte 0: the checksum of the line is wrong')
  const header = headerSchema.safeParse(JSON.parse(json)).data
  if (header === undefined) throw damage('has a header of an unknown version, at byte 0')
  if (header.generation !== generation)
    throw damage(`is log ${header.generation} of a workspace, and has the name of log ${generation}`)
  return header
}

/** Which deltas of a log count. */
export interface LogRange {
  /** The number of the delta before the first one. */
  after: number
  /**
   * The number of the last one. A later line was written by an owner that was suspended and lost the workspace: it was
   * never acknowledged. Undefined for the newest log.
   */
  last: number | undefined
}

const lineStart = /^\{"seq":(\d+),"delta":/

/**
 * Returns the deltas of a log. The newest log may end in a line that was being written when the process or the machine
 * stopped: it is ignored, as it was never acknowledged.
 * @throws {FileDamage} for any other line that cannot be read, and for a missing one.
 */
export function readDeltas(path: string, bytes: Buffer, { after, last }: LogRange): string[] {
  const deltas: string[] = []
  let offset = bytes.indexOf(newline) + 1
  let line = 2
  const damage = (message: string): FileDamage => new FileDamage(path, message, line)
  for (; offset < bytes.length && after + deltas.length !== last; line++) {
    const found = bytes.indexOf(newline, offset)
    const end = found === -1 ? bytes.length : found
    const text = bytes.subarray(offset, end)
    const json = found === -1 ? undefined : jsonOf(text)
    if (json === undefined && last === undefined && isTorn(bytes, text, end)) return deltas
    const start = json === undefined ? undefined : lineStart.exec(json)
    if (json === undefined || !start)
      throw damage(`is damaged at byte ${offset}: the checksum of the line is wrong`)
    const expected = after + deltas.length + 1
    if (Number(start[1]) !== expected)
      throw damage(`continues at byte ${offset} with delta ${start[1]}, but ${expected} comes next`)
    deltas.push(json.slice(start[0].length, -1))
    offset = end + 1
  }
  const read = after + deltas.length
  if (last !== undefined && read < last)
    throw damage(`ends at byte ${bytes.length} with delta ${read}, but the next log continues after ${last}`)
  return deltas
}

/** Whether a stopped machine can leave this last line: it has no end, or zeros in place of a part that was not written. */
function isTorn(bytes: Buffer, text: Buffer, end: number): boolean {
  return end === bytes.length || (end === bytes.length - 1 && text.includes(0))
}
