// Checksums (CRC-32) of what a data file holds: of any text, and of a snapshot, which ends with its own.
import { crc32 } from 'node:zlib'

const digits = 8

/** Eight hexadecimal digits. */
export function checksum(text: string | Uint8Array): string {
  return shown(crc32(text))
}

const shown = (crc: number): string => crc.toString(16).padStart(digits, '0')

/** How many bytes at the end of a snapshot hold its checksum, with room for other white space. */
export const sealLength = 64

const seal = /,\s*"checksum"\s*:\s*"([0-9a-f]{8})"\s*\}\s*\}\s*$/

/** How many characters are taken at once: making them takes a fraction of a millisecond. */
const chunkLength = 64 * 1024

/**
 * The bytes of a state document, with one more field at the end of its last object: the checksum of all before it.
 * In chunks, as a checksum of each row would cost more than making its text.
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

/** The checksum that a snapshot ends with, and how long that end is; undefined when there is none at its place. */
export function sealOf(bytes: Uint8Array): { checksum: string; length: number } | undefined {
  const end = Buffer.from(bytes.subarray(-sealLength)).toString('latin1')
  const found = seal.exec(end)
  return found?.[1] === undefined ? undefined : { checksum: found[1], length: found[0].length }
}
