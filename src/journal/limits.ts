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

/**
 * An exchange as it is kept: with the beginning of a long body, as a copy, since a part would hold on to the whole.
 *
 * @param most how many bytes of each body are kept.
 */
export function kept(exchange: Exchange, most = keptOfBody): Exchange {
  const { received, found, became } = exchange
  const [came, left] = [bytesOfLong(received.body, most), bytesOfLong(became.body, most)]
  if (came === undefined && left === undefined) return exchange
  return {
    received:
      came === undefined
        ? received
        : received.cut(beginning(received.body, most), received.bodyBytes ?? came),
    found,
    became: left === undefined ? became : became.cut(beginning(became.body, most), became.bodyBytes ?? left),
  }
}

/** How many bytes a body has of which only the beginning is kept. */
function bytesOfLong(body: string | Uint8Array | null | undefined, most: number): number | undefined {
  if (body === null || body === undefined) return undefined
  // No character takes more than three bytes, so that most texts need not be measured.
  if (body.length <= (typeof body === 'string' ? most / 3 : most)) return undefined
  const bytes = Buffer.byteLength(body)
  return bytes > most ? bytes : undefined
}

function beginning(body: string | Uint8Array | null | undefined, most: number): Uint8Array<ArrayBuffer> {
  // No character takes less than a byte; the one after the end is there so that none is halved before it.
  const part = typeof body === 'string' ? body.slice(0, most + 1) : body
  return new Uint8Array(Buffer.from(part ?? '').subarray(0, most))
}

/** What an exchange takes beside its texts: its fields and references, in bytes. */
const fixedSize = 1024

/** About how much memory an exchange holds on to, in bytes. */
export function sizeOf(received: Received, became: Became): number {
  return fixedSize + received.size + (became.body?.length ?? 0)
}
