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

/** A state document in pieces, with one more field at the end of its last object: the checksum of all before it. */
export function* sealed(pieces: Iterable<string>): Generator<string> {
  let crc = 0
  let [last, end] = ['', '']
  for (const piece of pieces) {
    crc = crc32(last, crc)
    yield last
    ;[last, end] = [end, piece]
  }
  // The ends of the object and of the document.
  const text = (last + end).trimEnd().replace(/\}\s*\}$/, '')
  yield `${text},"checksum":"${shown(crc32(text, crc))}"}\n}\n`
}

/** The checksum that a snapshot ends with, and how long that end is; undefined when there is none at its place. */
export function sealOf(bytes: Uint8Array): { checksum: string; length: number } | undefined {
  const end = Buffer.from(bytes.subarray(-sealLength)).toString('latin1')
  const found = seal.exec(end)
  return found?.[1] === undefined ? undefined : { checksum: found[1], length: found[0].length }
}
