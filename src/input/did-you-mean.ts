// "Did you mean": the nearest known name to a mistyped one (by edit distance), and the suggestion in a message.
import { printable } from './problems.ts'

/**
 * Returns the suggestion after an unknown name: the one that was probably meant, or the known names.
 *
 * @param otherwise the text if no name is near.
 * @param before the text in front of the suggestion, such as the verb of a verb.
 * @example
 * didYouMean('notfound', ['not_found', 'latency'])   // ", did you mean 'not_found'?"
 * didYouMean('pend', ['PENDING', 'AVAILABLE'])       // ", did you mean 'PENDING'?"
 * didYouMean('x', ['not_found', 'latency'])          // ', expected one of: not_found, latency'
 */
export function didYouMean(
  word: string,
  known: readonly string[],
  otherwise = `, expected one of: ${known.join(', ')}`,
  before = '',
): string {
  const guess = closest(word, known) ?? begunWith(word, known)
  return guess === undefined ? otherwise : `, did you mean '${before}${printable(guess)}'?`
}

/**
 * Returns the name that a mistyped one probably meant; undefined if none is near.
 *
 * @param budget how many letters may be wrong: a third of them by default.
 * @example
 * closest('notfound', ['not_found', 'latency'])   // 'not_found'
 */
export function closest(
  word: string,
  names: Iterable<string>,
  budget = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined
  let bestDistance = budget + 1
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase(), bestDistance)
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** Returns the shortest name that begins with the word: `pend` finds `PENDING`. */
function begunWith(word: string, names: readonly string[]): string | undefined {
  const begun = word.toLowerCase()
  if (begun.length < minBegun) return undefined
  const found = names.filter((name) => name.toLowerCase().startsWith(begun))
  return found.toSorted((a, b) => a.length - b.length)[0]
}

/** Fewer letters are no hint. */
const minBegun = 3

/**
 * Returns the edit distance, in which two swapped letters are one mistake; it skips words that are longer than any
 * known name.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > 200 || Math.abs(a.length - b.length) >= limit) return limit
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitute = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swap = isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity
      current.push(Math.min(substitute, swap, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? limit
}
