// Compares two texts line by line: equal, changed, or in one of them only.

/** A line of one text, paired with a line of the other. */
export interface LinePair {
  kind: 'same' | 'changed' | 'removed' | 'added'
  before: string | undefined
  after: string | undefined
}

/** More than so many pairs of lines are not compared each with each: 4 million take 30 ms. */
const maxCompared = 4_000_000

/** The key that two lines must share to be paired; undefined for a line that pairs with any. */
type Key = (line: string) => string | undefined

/**
 * @param keyOf the part of a line that is compared, if not all of it.
 * @example linesBeside(['a', 'b'], ['a', 'c'])[1]   // { kind: 'changed', before: 'b', after: 'c' }
 */
export function linesBeside(
  before: readonly string[],
  after: readonly string[],
  keyOf: (line: string) => string = (line) => line,
): LinePair[] {
  const isSame = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined && other !== undefined && keyOf(one) === keyOf(other)
  let start = 0
  while (isSame(before[start], after[start])) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && isSame(before[before.length - 1 - end], after[after.length - 1 - end])) end++
  const pairAs =
    (kind: LinePair['kind']) =>
    (line: string, next: string): LinePair => ({ kind, before: line, after: next })
  const [same, changed] = [pairAs('same'), pairAs('changed')]
  const [firstEnd, secondEnd] = [before.length - end, after.length - end]
  const pairsOf = (from: number, to: number, shift: number): LinePair[] =>
    before.slice(from, to).map((line, place) => same(line, after[from + place + shift] ?? line))
  return [
    ...pairsOf(0, start, 0),
    ...aligned(before.slice(start, firstEnd), after.slice(start, secondEnd), {
      keyOf,
      pair: same,
      // Pairs changed lines by name first, then by position.
      between: (removed, added) => aligned(removed, added, { keyOf: nameOf, pair: changed, between: beside }),
    }),
    ...pairsOf(firstEnd, before.length, secondEnd - firstEnd),
  ]
}

/** The name of a field of JSON, with how deep it lies, or of a header. */
function nameOf(line: string): string | undefined {
  return /^(?:\s*"(?:[^"\\]|\\.)*"|[\w-]+):/.exec(line)?.[0]
}

/** Pairs lines of the same key, by their longest common subsequence. */
function aligned(
  before: readonly string[],
  after: readonly string[],
  {
    keyOf,
    pair,
    between,
  }: {
    keyOf: Key
    pair: (before: string, after: string) => LinePair
    /** Handles the lines between them. */
    between: (before: readonly string[], after: readonly string[]) => LinePair[]
  },
): LinePair[] {
  if (before.length * after.length > maxCompared) return between(before, after)
  const [keys, others] = [before.map(keyOf), after.map(keyOf)]
  const fit = (one: number, other: number): boolean => keys[one] !== undefined && keys[one] === others[other]
  const width = after.length + 1
  /** How many lines are common from a place of each on. */
  const common = new Uint32Array((before.length + 1) * width)
  const at = (one: number, other: number): number => common[one * width + other] ?? 0
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      common[one * width + other] = fit(one, other)
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
    if (fit(one, other)) {
      pairs.push(...between(removed, added), pair(line, next))
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
  return [...pairs, ...between([...removed, ...before.slice(one)], [...added, ...after.slice(other)])]
}

/** Lines that have nothing in common: one for one, as far as there are both. */
function beside(before: readonly string[], after: readonly string[]): LinePair[] {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, place) => {
    const pair = { before: before[place], after: after[place] }
    if (pair.before === undefined) return { kind: 'added', ...pair }
    return { kind: pair.after === undefined ? 'removed' : 'changed', ...pair }
  })
}
