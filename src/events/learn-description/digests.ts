// Texts in headers that look like a signature: hex or base64 of as many bytes as a hash has.

/** The algorithms of descriptions, the likeliest first, with the number of bytes of their signatures. */
export const hashes = [
  { algorithm: 'hmac-sha256', hash: 'sha256', bytes: 32 },
  { algorithm: 'hmac-sha512', hash: 'sha512', bytes: 64 },
  { algorithm: 'hmac-sha1', hash: 'sha1', bytes: 20 },
] as const

/** A text that looks like a signature. */
export interface Digest {
  readonly header: string
  readonly text: string
  /** Its offset in the value of the header. */
  readonly index: number
  readonly encoding: 'hex' | 'base64'
  readonly bytes: number
}

/** Texts with exactly the length of a signature. Those in URL-safe or unpadded base64 cannot be described. */
const hexDigest = /(?<![0-9a-zA-Z])(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{64}|[0-9a-fA-F]{40})(?![0-9a-zA-Z])/g
const base64Digest = /(?<![\w+/])(?:[\w+/-]{86}(?:==)?|[\w+/-]{43}=?|[\w+/-]{27}=?)(?![\w+/=-])/g

/** Returns the texts of a header that look like signatures, in their order. */
export function digestsIn(header: string, value: string): Digest[] {
  const hex = [...value.matchAll(hexDigest)].map(({ 0: text, index }): Digest => {
    return { header, text, index, encoding: 'hex', bytes: text.length / 2 }
  })
  const base64 = [...value.matchAll(base64Digest)].flatMap(({ 0: text, index }): Digest[] => {
    const bytes = Buffer.from(text, 'base64').length
    return /^[0-9a-f-]+$/i.test(text) ? [] : [{ header, text, index, encoding: 'base64', bytes }]
  })
  return [...hex, ...base64].toSorted((a, b) => a.index - b.index)
}

/** Whether a header has a text that looks like a signature. */
export function looksSigned(headers: ReadonlyMap<string, string>): boolean {
  return [...headers].some(([name, value]) => digestsIn(name, value).length > 0)
}

/**
 * Returns the algorithms whose signatures the headers may have: those with a text of exactly their length, or else those
 * with a longer text, in which a signature may follow a word.
 */
export function possibleHashes(headers: ReadonlyMap<string, string>): (typeof hashes)[number][] {
  const found = new Set(
    [...headers].flatMap(([name, value]) => digestsIn(name, value).map(({ bytes }) => bytes)),
  )
  const exact = hashes.filter(({ bytes }) => found.has(bytes))
  if (exact.length > 0) return exact
  const runs = [...headers.values()].flatMap((value) => value.match(/[\w+/-]{27,}/g) ?? [])
  const longest = Math.max(0, ...runs.map(({ length }) => length))
  return hashes.filter(({ bytes }) => longest >= Math.floor((bytes * 4) / 3))
}
