// How much of the past a journal keeps: limits of entries and bytes, and the beginning of each body.
import type { Exchange } from '../exchange/index.ts'

/** How much of the past a workspace keeps. */
export interface JournalLimits {
  /** Entries; 0 keeps none. */
  entries: number
  bytes: number
}

/** How much of a body is kept, in bytes. */
const keptOfBody = 64 * 1024

/** Leaves only the beginning of long bodies: copies, as a part would hold on to the whole. */
export function cutBodies({ received, became }: Exchange): void {
  const { body } = received
  const { answer } = became
  const [came, left] = [bytesOfLong(body), bytesOfLong(answer.body)]
  if (body && came !== undefined) {
    received.bodyBytes = came
    received.body = beginning(body)
  }
  // The answer itself is still to be sent, whole.
  if (answer.body !== null && left !== undefined) {
    became.answer = { ...answer, body: beginning(answer.body), bodyBytes: left }
  }
}

/** How many bytes a body has of which only the beginning is kept. */
function bytesOfLong(body: string | Uint8Array | null | undefined): number | undefined {
  if (body === null || body === undefined) return undefined
  // No character takes more than three bytes, so that most texts need not be measured.
  if (body.length <= (typeof body === 'string' ? keptOfBody / 3 : keptOfBody)) return undefined
  const bytes = Buffer.byteLength(body)
  return bytes > keptOfBody ? bytes : undefined
}

function beginning(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(body).subarray(0, keptOfBody))
}

/** What an exchange takes beside its texts: its fields and references, in bytes. */
const fixedSize = 1024

/** About how much memory an exchange holds on to, in bytes. */
export function sizeOf({ received, became }: Exchange): number {
  const { path, query, rawHeaders, body } = received
  let size = fixedSize + path.length + query.length + (body?.length ?? 0) + (became.answer.body?.length ?? 0)
  for (const text of rawHeaders) size += text.length
  return size
}
