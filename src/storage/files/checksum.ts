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

/** Returns the checksum at the end of a snapshot, and the length of that end; undefined if there is none. */
export function sealOf(bytes: Uint8Array): { checksum: string; length: number } | undefined {
  const end = Buffer.from(bytes.subarray(-sealLength)).toString('latin1')
  const found = seal.exec(end)
  return found?.[1] === undefined ? undefined : { checksum: found[1], length: found[0].length }
}
