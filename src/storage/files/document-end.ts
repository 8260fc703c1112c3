// The fields that the driver adds at the end of a state document: about, log, seq and the checksum of all bytes before.
import { crc32 } from 'node:zlib'
import { checksum } from './checksum.ts'

/** The part of a document that belongs to the driver. */
export interface DocumentFields {
  /** A JSON text for the list of workspaces. */
  about: string
  /** The generation of the first log whose deltas are not in the document. */
  log: number
  /** The number of the last delta in the document. */
  seq: number
}

/** The driver's fields as they were found at the end of a document. */
export interface DocumentEnd extends DocumentFields {
  /** Undefined if a person removed it to edit the document. */
  checksum: string | undefined
  /** Length in bytes from the first of the fields to the end. */
  length: number
}

/** Characters per chunk: creating one takes a fraction of a millisecond. */
const chunkLength = 64 * 1024

const closing = /\}\s*\}\s*$/

/**
 * Returns the bytes of a document in chunks, with the fields of the driver at the end of its last object.
 * @param texts a document whose last member is an object.
 */
export function* withFields(texts: Iterable<string>, { about, log, seq }: DocumentFields): Generator<Buffer> {
  let crc = 0
  let [chunk, last, end] = ['', '', '']
  for (const text of texts) {
    chunk += last
    ;[last, end] = [end, text]
    if (chunk.length < chunkLength) continue
    const bytes = Buffer.from(chunk)
    crc = crc32(bytes, crc)
    chunk = ''
    yield bytes
  }
  // The ends of the object and of the document are in the last two texts.
  const text = chunk + last + end
  if (!closing.test(text)) throw new Error('a state document ends with an object')
  const body = text.replace(closing, '').trimEnd()
  const comma = body.endsWith('{') ? '' : ','
  const fields = `${body}${comma}"about":${about},"log":${log},"seq":${seq}`
  const shown = crc32(fields, crc).toString(16).padStart(8, '0')
  yield Buffer.from(`${fields},"checksum":"${shown}"}\n}\n`)
}

const numbers =
  /,\s*"log"\s*:\s*(\d+)\s*,\s*"seq"\s*:\s*(\d+)\s*(?:,\s*"checksum"\s*:\s*"([0-9a-f]{8})"\s*)?\}\s*\}\s*$/
const aboutMember = /,?\s*"about"\s*:\s*/g

/** Finds the fields in the last bytes of a document; undefined if they are not there, or begin before these bytes. */
export function readEnd(bytes: Uint8Array): DocumentEnd | undefined {
  // Latin-1 has one character for each byte.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const end = numbers.exec(text)
  if (!end) return undefined
  // A field of this name may also be inside the text itself: only the whole text is JSON.
  const candidates = [...text.slice(0, end.index).matchAll(aboutMember)].toReversed()
  for (const { 0: member, index } of candidates) {
    const about = text.slice(index + member.length, end.index)
    if (!isJson(about)) continue
    const [, log, seq, sum] = end
    return {
      about: Buffer.from(about, 'latin1').toString(),
      log: Number(log),
      seq: Number(seq),
      checksum: sum,
      length: bytes.length - index,
    }
  }
  return undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Whether the checksum of a document is that of its bytes. */
export function isIntact(document: Buffer): boolean {
  const at = document.lastIndexOf(',"checksum":"')
  if (at === -1) return false
  const written = /^,"checksum":"([0-9a-f]{8})"\}\n\}\n$/.exec(document.toString('latin1', at, at + 64))
  return written?.[1] === checksum(document.subarray(0, at))
}

/** Returns the document without the fields, in the same memory. */
export function withoutFields(document: Buffer, { length }: DocumentEnd): Buffer {
  const at = document.length - length
  const end = Buffer.from('}\n}\n')
  end.copy(document, at)
  return document.subarray(0, at + end.length)
}
