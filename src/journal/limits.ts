// How much of the past a journal keeps: limits of entries and bytes, and the beginning of each body.
import type { Outcome } from '../call/outcome.ts'
import type { Call } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'

export interface JournalLimits {
  /** Entries; 0 keeps none. */
  entries: number
  bytes: number
}

/** How much of a body is kept, in bytes. */
const keptOfBody = 64 * 1024

/**
 * A call as it is kept: with the beginning of a long body, as a copy, since a part would hold on to the whole.
 *
 * @param most how many bytes of each body are kept.
 */
export function kept(call: Call, most = keptOfBody): Call {
  const { request, resolution, outcome } = call
  const [came, left] = [bytesOfLong(request.body, most), bytesOfLong(outcome.body, most)]
  if (came === undefined && left === undefined) return call
  return {
    request:
      came === undefined
        ? request
        : request.withBody(beginning(request.body, most), request.bodyBytes ?? came),
    resolution,
    outcome:
      left === undefined ? outcome : outcome.cut(beginning(outcome.body, most), outcome.bodyBytes ?? left),
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

/** What a call takes beside its texts: its fields and references, in bytes. */
const fixedSize = 1024

/** About how much memory a call holds on to, in bytes. */
export function sizeOf(request: IncomingRequest, outcome: Outcome): number {
  return fixedSize + request.size + (outcome.body?.length ?? 0)
}
