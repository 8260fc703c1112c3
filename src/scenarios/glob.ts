// Globs: patterns with * and ?, matched in one pass over the text.

/** How long a pattern with * or ? may be; what has neither is an exact value of any length. */
const longestGlob = 200

/** Why a text cannot be a pattern. */
export const globRule = `must be at most ${longestGlob} characters long, as it is a glob (it has * or ?)`

/** Whether a text is a glob that is too long to be one. */
export function isLongGlob(pattern: string): boolean {
  return pattern.length > longestGlob && isGlob(pattern)
}

function isGlob(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?')
}

/**
 * Whether a text fits a pattern: `*` stands for any run of characters and `?` for one; everything else stands for
 * itself. Patterns come from files, so there are no regular expressions: each character of the text is looked at
 * once, whatever the pattern is.
 *
 * @example
 * fitsGlob('rwd_*_pending', 'rwd_ada_pending')   // true
 */
export function fitsGlob(pattern: string, text: string): boolean {
  if (!isGlob(pattern)) return pattern === text
  const star = pattern.indexOf('*')
  // Nearly all patterns have one star and nothing else: 0.1 µs in place of 2.
  if (star === pattern.lastIndexOf('*') && !pattern.includes('?')) {
    return (
      text.length >= pattern.length - 1 &&
      text.startsWith(pattern.slice(0, star)) &&
      text.endsWith(pattern.slice(star + 1))
    )
  }
  const signs = pattern.replaceAll('*', '')
  if (text.length < signs.length) return false
  const looping = loopsOf(pattern, signs.length)
  // Of each character of the text that came so far: the signs that it fits. Nothing is kept beyond the text, as the
  // patterns of a few files with all that each character could fit were hundreds of megabytes.
  const fitting = new Map<number, readonly number[]>()
  // Every way to read the text at once: bit n is set where the first n signs have been read.
  const reached = looping.map(() => 0)
  reached[0] = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    let places = fitting.get(code)
    if (!places) fitting.set(code, (places = placesOf(code, signs)))
    let carried = 0
    for (let word = 0; word < reached.length; word++) {
      const before = reached[word] ?? 0
      const read = before & (places[word] ?? 0)
      reached[word] = (read << 1) | carried | (before & (looping[word] ?? 0))
      carried = read >>> 31
    }
  }
  return hasBit(reached, signs.length)
}

/** The places among the signs of a pattern before which a `*` stands, as bits of words. */
function loopsOf(pattern: string, signs: number): number[] {
  const loops = noBits(signs)
  let place = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '*') setBit(loops, place)
    else place += 1
  }
  return loops
}

/** The places of the signs that a character fits. */
function placesOf(code: number, signs: string): number[] {
  const places = noBits(signs.length)
  for (let place = 0; place < signs.length; place++) {
    const sign = signs.charCodeAt(place)
    if (sign === code || sign === anyCharacter) setBit(places, place)
  }
  return places
}

const anyCharacter = '?'.charCodeAt(0)

function noBits(places: number): number[] {
  return Array.from<number>({ length: (places >>> 5) + 1 }).fill(0)
}

function setBit(bits: number[], place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

function hasBit(bits: readonly number[], place: number): boolean {
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0
}
