// The result for a delivery whose signature no candidate gives: the nearest candidate, and the next step.
import type { CapturedRequest } from './captured-request.ts'
import { digestsIn, hashes } from './digests.ts'
import { isIdHeader, isTimeName, isTransport } from './header-names.ts'
import { nearestPreset, type PresetName } from './nearest-preset.ts'
import { timesIn } from './times.ts'

/** The nearest candidate of a delivery without a match. */
export interface NoMatch {
  readonly nearest: {
    /** The header that looks like a signature; null if none does. */
    readonly header: string | null
    /** Its form, such as `base64 of 32 bytes (hmac-sha256)`. */
    readonly looks_like: string | null
    readonly preset: PresetName
    /** The number of signatures that were computed. */
    readonly tried: number
    readonly reason: string
  }
  readonly position: string | undefined
}

/**
 * Returns the nearest candidate.
 *
 * @param search the number of signatures that were computed, and the reason, if one is known.
 */
export function noMatch(
  { headers, declaredLength, position }: CapturedRequest,
  { tried = 0, reason }: { tried?: number | undefined; reason?: string | undefined },
): NoMatch {
  const own = [...headers].filter(([name]) => !isTransport(name) || name === 'authorization')
  const [digest] = own.flatMap(([name, value]) => digestsIn(name, value))
  const hasId = own.some(([name]) => isIdHeader(name))
  const hasTime = own.some(([name, value]) => isTimeName(name) || timesIn(value).length > 0)
  const signed = `${hasId ? '{event.id}.' : ''}${hasTime ? '{attempt.time:unix}.' : ''}{body}`
  return {
    nearest: {
      header: digest?.header ?? null,
      looks_like: digest === undefined ? null : formOf(digest),
      preset: nearestPreset(signed, false),
      tried,
      reason: reason ?? usualReason(digest !== undefined, declaredLength),
    },
    position,
  }
}

function formOf({ encoding, bytes }: { encoding: string; bytes: number }): string {
  const algorithm = hashes.find((hash) => hash.bytes === bytes)?.algorithm
  return `${encoding} of ${bytes} bytes${algorithm === undefined ? '' : ` (${algorithm})`}`
}

function usualReason(hasDigest: boolean, declaredLength: number | undefined): string {
  if (!hasDigest)
    return 'no header has hex or base64 of 20, 32 or 64 bytes: a delivery without an HMAC cannot be verified'
  if (declaredLength !== undefined)
    return `content-length is ${declaredLength}, and the body in the file has another length: save the bytes as they were sent`
  return 'check that the secret is that of this endpoint, and that the body has the bytes that were sent'
}
