// Lays two texts side by side, line by line: what is the same, changed, or stands in one of them alone.

/** A line of one text beside that of the other. */
export interface LinePair {
  kind: 'same' | 'changed' | 'removed' | 'added'
  before: string | undefined
  after: string | undefined
}

/** More than so many pairs of lines are not compared each with each: 4 million take 30 ms. */
const mostCompared = 4_000_000

/** @example linesBeside(['a', 'b'], ['a', 'c'])[1]   // { kind: 'changed', before: 'b', after: 'c' } */
export function linesBeside(before: readonly string[], after: readonly string[]): LinePair[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const same = (line: string): LinePair => ({ kind: 'same', before: line, after: line })
  return [
    ...before.slice(0, start).map(same),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** Lines between those that are the same at both ends, by their longest common subsequence. */
function between(before: readonly string[], after: readonly string[]): LinePair[] {
  if (before.length * after.length > mostCompared) return beside(before, after)
  const width = after.length + 1
  /** How many lines are common from a place of each on. */
  const common = new Uint32Array((before.length + 1) * width)
  const at = (one: number, other: number): number => common[one * width + other] ?? 0
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      common[one * width + other] =
        before[one] === after[other]
          ? at(one + 1, other + 1) + 1
          : Math.max(at(one + 1, other), at(one, other + 1))
    }
  }
  const pairs: LinePair[] = []
  let removed: string[] = []
  let added: string[] = []
  let [one, other] = [0, 0]
  while (one < before.length && other < after.length) {
    const [line = '', next = ''] = [before[one], after[other]]
    if (line === next) {
      pairs.push(...beside(removed, added), { kind: 'same', before: line, after: next })
      removed = []
      added = []
      one++
      other++
    } else if (at(one + 1, other) >= at(one, other + 1)) {
      removed.push(line)
      one++
    } else {
      added.push(next)
      other++
    }
  }
  return [...pairs, ...beside([...removed, ...before.slice(one)], [...added, ...after.slice(other)])]
}

/** Lines that have nothing in common: one for one, as far as there are both. */
function beside(before: readonly string[], after: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, place) => {
    const pair = { before: before[place], after: after[place] }
    if (pair.before === undefined) return { kind: 'added', ...pair }
    return { kind: pair.after === undefined ? 'removed' : 'changed', ...pair }
  })
}
