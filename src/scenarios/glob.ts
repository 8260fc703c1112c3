// Globs: patterns with * and ?, matched in one pass over the text.

/** Maximum length of a pattern with * or ?; an exact value can have any length. */
const longestGlob = 200

/** Why a text cannot be a pattern. */
export const globRule = `must be at most ${longestGlob} characters long, as it is a glob (it has * or ?)`

/** Whether a text is a glob that is too long. */
export function isLongGlob(pattern: string): boolean {
  return pattern.length > longestGlob && isGlob(pattern)
}

function isGlob(pattern: string): boolean {
  return pattern.includes('*') || pattern.includes('?')
}

/**
 * Whether a text matches a pattern: `*` matches any run of characters, `?` matches one, and every other character
 * matches itself. Patterns come from files, so there are no regular expressions: each character of the text is read
 * once, whatever the pattern.
 *
 * @example
 * fitsGlob('rwd_*_pending', 'rwd_ada_pending')   // true
 */
export function fitsGlob(pattern: string, text: string): boolean {
  if (!isGlob(pattern)) return pattern === text
  const star = pattern.indexOf('*')
  // Nearly all patterns have one star and no question mark: 0.1 µs instead of 2.
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
  // For each character of the text so far: the pattern positions that it matches. This cache lives only during one
  // match, as those of a few files would take hundreds of megabytes.
  const fitting = new Map<number, readonly number[]>()
  // All partial matches as a bit set: bit n is set if the first n signs were matched.
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

/** The positions in a pattern that are preceded by `*`, as bits of words. */
function loopsOf(pattern: string, signs: number): number[] {
  const loops = noBits(signs)
  let place = 0
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '*') setBit(loops, place)
    else place += 1
  }
  return loops
}

/** The positions of a pattern that a character matches. */
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
