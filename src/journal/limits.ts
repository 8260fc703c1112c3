// How much of the past a journal keeps: limits of entries and bytes, and the beginning of each body.
import type { Became } from '../exchange/became.ts'
import type { Exchange } from '../exchange/index.ts'
import type { Received } from '../exchange/received.ts'

export interface JournalLimits {
  /** Entries; 0 keeps none. */
  entries: number
  bytes: number
}

/** How much of a body is kept, in bytes. */
const keptOfBody = 64 * 1024

/** An exchange as it is kept: with the beginning of a long body, as a copy, since a part would hold on to the whole. */
export function kept(exchange: Exchange): Exchange {
  const { received, found, became } = exchange
  const [came, left] = [bytesOfLong(received.body), bytesOfLong(became.body)]
  if (came === undefined && left === undefined) return exchange
  return {
    received: came === undefined ? received : received.cut(beginning(received.body), came),
    found,
    became: left === undefined ? became : became.cut(beginning(became.body), left),
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

function beginning(body: string | Uint8Array | null | undefined): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(body ?? '').subarray(0, keptOfBody))
}

/** What an exchange takes beside its texts: its fields and references, in bytes. */
const fixedSize = 1024

/** About how much memory an exchange holds on to, in bytes. */
export function sizeOf(received: Received, became: Became): number {
  return fixedSize + received.size + (became.body?.length ?? 0)
}
