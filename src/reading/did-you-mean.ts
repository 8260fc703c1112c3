/**
 * The name that a mistyped one most likely meant, for "did you mean" in messages; undefined when none is near.
 *
 * @example
 * closest('notfound', ['not_found', 'latency'])   // 'not_found'
 */
export function closest(word: string, names: Iterable<string>): string | undefined {
  const budget = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = budget + 1
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase(), bestDistance)
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/**
 * Edit distance by rows, in which two letters in each other's place are one mistake, as they are for whoever types;
 * words longer than any name we have are not worth the work.
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
