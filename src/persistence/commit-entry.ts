import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { collectionNames } from '../store/rows.ts'

/** One row as a commit left it; without a row, it is gone. */
const written = z.strictObject({
  collection: z.enum([...collectionNames, 'account']),
  id: z.string(),
  row: z.custom<object>(isJsonObject).optional(),
})

const entrySchema = z.strictObject({
  /** Counts commits; a snapshot says up to which one it goes. */
  seq: z.int(),
  /** The last entry that was kept for certain when this one was written. */
  kept: z.int(),
  /** Where the id sequence stands. */
  ids: z.int(),
  /** Only when it was set or frozen. */
  clock: z.strictObject({ now: z.string(), frozen: z.boolean() }).optional(),
  ops: z.array(written),
})

/** What one commit did. */
export type Entry = z.infer<typeof entrySchema>

/** An entry as a line of the journal: a checksum, a space, JSON. */
export function lineOf(entry: Entry): string {
  const text = JSON.stringify(entry)
  return `${checksum(text)} ${text}\n`
}

/** The entry of a line without its end; undefined when the line is not as it was written. */
export function entryOf(line: Uint8Array): Entry | undefined {
  const text = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  const json = text.subarray(checksumLength + 1)
  if (text.toString('latin1', 0, checksumLength + 1) !== `${checksum(json)} `) return undefined
  try {
    return entrySchema.safeParse(JSON.parse(json.toString())).data
  } catch {
    return undefined
  }
}

const checksumLength = 8

function checksum(text: string | Uint8Array): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}
