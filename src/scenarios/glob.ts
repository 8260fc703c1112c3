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
  const { signs, loops } = signsOf(pattern)
  // Every way to read the text at once: bit n is set where the first n signs have been read.
  const reached = bitsWhere(signs.length, (place) => place === 0)
  const looping = bitsWhere(signs.length, (place) => loops.has(place))
  const others = bitsWhere(signs.length, (place) => signs[place] === '?')
  const bySign = new Map(
    signs.map((sign) => [
      sign.charCodeAt(0),
      bitsWhere(signs.length, (place) => signs[place] === sign || signs[place] === '?'),
    ]),
  )
  bySign.delete('?'.charCodeAt(0))
  for (let at = 0; at < text.length; at++) {
    const fitting = bySign.get(text.charCodeAt(at)) ?? others
    let carried = 0
    for (let word = 0; word < reached.length; word++) {
      const before = reached[word] ?? 0
      const read = before & (fitting[word] ?? 0)
      reached[word] = (read << 1) | carried | (before & (looping[word] ?? 0))
      carried = read >>> 31
    }
  }
  return ((reached[signs.length >>> 5] ?? 0) & (1 << (signs.length & 31))) !== 0
}

/** The signs of a pattern that each stand for one character, and how many of them stand before each `*`. */
function signsOf(pattern: string): { signs: string[]; loops: Set<number> } {
  const signs: string[] = []
  const loops = new Set<number>()
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at)
    if (sign === '*') loops.add(signs.length)
    else signs.push(sign)
  }
  return { signs, loops }
}

/** A set of numbers from 0 to `most`, as bits. */
function bitsWhere(most: number, holds: (place: number) => boolean): Int32Array {
  const bits = new Int32Array((most >>> 5) + 1)
  for (let place = 0; place <= most; place++) {
    if (holds(place)) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
  }
  return bits
}
