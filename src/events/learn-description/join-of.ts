// Signatures of two valid secrets in one header: the part of each, and the text between them.
import { digestsIn } from './digests.ts'

/** The part of a header that is rendered for one secret. */
export interface HeaderUnit {
  readonly text: string
  /** The text between the parts of two secrets; undefined if the header has one signature. */
  readonly join?: string
  /** Whether further texts that look like signatures were removed, as a description cannot write them. */
  readonly isShortened: boolean
}

/**
 * Returns the part of a header that is rendered for one secret.
 *
 * @param signature the signature of the known secret.
 * @param encodings the same signature in every encoding: a header may have it twice.
 * @example unitOf('webhook-signature', 'v1,AAA= v1,BBB=', 'AAA=', ['AAA='])   // { text: 'v1,AAA=', join: ' ', isShortened: false }
 */
export function unitOf(
  header: string,
  value: string,
  signature: string,
  encodings: readonly string[],
): HeaderUnit {
  const own = value.indexOf(signature)
  const foreign = digestsIn(header, value).filter(({ text }) => !encodings.includes(text))
  const others = foreign.filter(({ text }) => text.length === signature.length)
  if (foreign.length === 0) return { text: value, isShortened: false }
  const starts = [own, ...others.map(({ index }) => index)].toSorted((a, b) => a - b)
  const size = signature.length
  const [first = 0] = starts
  const [before, after] = [value.slice(0, first), value.slice((starts.at(-1) ?? 0) + size)]
  const gaps = starts.slice(1).map((start, index) => value.slice((starts[index] ?? 0) + size, start))
  const [gap = ''] = gaps
  const isRepeated =
    others.length === foreign.length &&
    gaps.every((one) => one === gap) &&
    gap.startsWith(after) &&
    gap.endsWith(before) &&
    gap.length >= before.length + after.length
  if (!isRepeated) return { text: ownSegments(header, value, signature), isShortened: true }
  const join = gap.slice(after.length, gap.length - before.length)
  return { text: before + signature + after, join, isShortened: false }
}

/** Removes the segments of other signatures, such as `v0=…` of `t=1,v1=…,v0=…`. */
function ownSegments(header: string, value: string, signature: string): string {
  for (const separator of ['; ', ', ', ' ', ';', ',']) {
    const segments = value.split(separator)
    const counts = segments.map((segment) => digestsIn(header, segment).length)
    if (segments.length === 1 || counts.some((count) => count > 1)) continue
    return segments
      .filter((segment, index) => segment.includes(signature) || counts[index] === 0)
      .join(separator)
  }
  return value
}
