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
  const { end, looping, bySign, others } = compiled(pattern)
  // Every way to read the text at once: bit n is set where the first n signs have been read.
  const reached = new Int32Array(others.length)
  reached[0] = 1
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
  return hasBit(reached, end)
}

/** A pattern as sets of places among its signs, each of which stands for one character. */
interface Compiled {
  /** How many signs there are. */
  end: number
  /** The places before which a `*` stands. */
  looping: Int32Array
  /** The places that a character fits, by its code; those of `?` for all others. */
  bySign: ReadonlyMap<number, Int32Array>
  others: Int32Array
}

/** Scenarios ask for the same patterns with each call; a file may have thousands of them. */
const known = new Map<string, Compiled>()
const mostKnown = 10_000

function compiled(pattern: string): Compiled {
  const ready = known.get(pattern)
  if (ready) return ready
  const words = (pattern.length >>> 5) + 1
  const [looping, others] = [new Int32Array(words), new Int32Array(words)]
  const bySign = new Map<number, Int32Array>()
  let end = 0
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at)
    if (sign === '*') {
      setBit(looping, end)
      continue
    }
    const code = sign.charCodeAt(0)
    const places = sign === '?' ? others : (bySign.get(code) ?? new Int32Array(words))
    if (sign !== '?') bySign.set(code, places)
    setBit(places, end)
    end += 1
  }
  for (const places of bySign.values()) {
    for (let word = 0; word < words; word++) places[word] = (places[word] ?? 0) | (others[word] ?? 0)
  }
  if (known.size >= mostKnown) known.clear()
  const made = { end, looping, bySign, others }
  known.set(pattern, made)
  return made
}

function setBit(bits: Int32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
}

function hasBit(bits: Int32Array, place: number): boolean {
  return ((bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0
}
