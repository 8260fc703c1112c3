// Checksums (CRC-32) of texts and of snapshots, which end with their own checksum.
import { crc32 } from 'node:zlib'

const digits = 8

/** Eight hexadecimal digits. */
export function checksum(text: string | Uint8Array): string {
  return shown(crc32(text))
}

const shown = (crc: number): string => crc.toString(16).padStart(digits, '0')

/** Length in bytes of the end of a snapshot that has its checksum, with room for other white space. */
export const sealLength = 64

const seal = /,\s*"checksum"\s*:\s*"([0-9a-f]{8})"\s*\}\s*\}\s*$/

/** Characters per chunk: creating one takes a fraction of a millisecond. */
const chunkLength = 64 * 1024

/**
 * Returns the bytes of a state document in chunks, with one more field at the end of its last object: the checksum of
 * all bytes before it. A checksum of each row would cost more than the text of the row.
 */
export function* sealed(texts: Iterable<string>): Generator<Buffer> {
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
  // The ends of the object and of the document.
  const text = chunk + (last + end).trimEnd().replace(/\}\s*\}$/, '')
  yield Buffer.from(`${text},"checksum":"${shown(crc32(text, crc))}"}\n}\n`)
}

/** Returns the checksum at the end of a snapshot, and the length of that end; undefined if there is none. */
export function sealOf(bytes: Uint8Array): { checksum: string; length: number } | undefined {
  const end = Buffer.from(bytes.subarray(-sealLength)).toString('latin1')
  const found = seal.exec(end)
  return found?.[1] === undefined ? undefined : { checksum: found[1], length: found[0].length }
}
