// The body of a receiver's answer, of which the beginning is kept.

/** Maximum number of bytes of a body that are read: more than are kept, so that no secret is cut before it is masked. */
export const maxRead = 16 * 1024

/** Maximum number of bytes of a body that are kept. */
const maxKept = 2 * 1024

/** Decodes the beginning of a body. A character that is cut at its end is omitted. */
export function beginningOf(bytes: Uint8Array, max = maxRead): string {
  return new TextDecoder().decode(bytes.subarray(0, max), { stream: true })
}

/** Returns the part of a masked body that is kept. */
export const keptPart = (masked: string): string => beginningOf(Buffer.from(masked), maxKept)

/** A body in one line of text. @example shortBody('no such\nevent')   // '"no such\\nevent"' */
export function shortBody(body: string): string {
  return JSON.stringify(body.length > maxShown ? `${body.slice(0, maxShown)}…` : body)
}

const maxShown = 200
