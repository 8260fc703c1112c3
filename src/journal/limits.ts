// The limits of a journal: entries, bytes, and the beginning of each body.
import type { Outcome } from '../call/outcome.ts'
import type { Call } from '../call/index.ts'
import type { IncomingRequest } from '../call/incoming-request.ts'

export interface JournalLimits {
  /** Maximum number of entries; 0 stores none. */
  entries: number
  bytes: number
}

/** Maximum stored size of a body in bytes. */
const maxBodyLength = 64 * 1024

/**
 * Returns a call for storing: with a copy of the beginning of a long body, since a slice would keep the whole body in
 * memory.
 *
 * @param most maximum size of each body in bytes.
 */
export function kept(call: Call, most = maxBodyLength): Call {
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

/** Returns the original size of a body of which only the beginning is stored. */
function bytesOfLong(body: string | Uint8Array | null | undefined, most: number): number | undefined {
  if (body === null || body === undefined) return undefined
  // No character takes more than three bytes, so most texts need no measuring.
  if (body.length <= (typeof body === 'string' ? most / 3 : most)) return undefined
  const bytes = Buffer.byteLength(body)
  return bytes > most ? bytes : undefined
}

function beginning(body: string | Uint8Array | null | undefined, most: number): Uint8Array<ArrayBuffer> {
  // No character takes less than one byte; one more character is encoded, so that none before it is cut in half.
  const part = typeof body === 'string' ? body.slice(0, most + 1) : body
  return new Uint8Array(Buffer.from(part ?? '').subarray(0, most))
}

/** The size of a call in addition to its texts: its fields and references, in bytes. */
const fixedSize = 1024

/** Returns the approximate memory of a call in bytes. */
export function sizeOf(request: IncomingRequest, outcome: Outcome): number {
  return fixedSize + request.size + (outcome.body?.length ?? 0)
}
