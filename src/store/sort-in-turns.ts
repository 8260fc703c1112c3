// Sorts in steps: a built-in sort of a million texts takes seconds, in which nothing else could have a turn.
import { byCodeUnit } from './tree.ts'

/** What is sorted or gone through in one step: a few milliseconds of work. */
export const stepLength = 4096

/**
 * Items by ascending keys, in time of the built-in sort; yields after each step. Those that are in order already are
 * only looked at.
 *
 * @param keyOf is asked again for each comparison.
 */
export function* sortInTurns<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): Generator<void, readonly T[]> {
  if (isSorted(items, keyOf)) return items
  let runs: T[][] = []
  for (let from = 0; from < items.length; from += stepLength) {
    runs.push(items.slice(from, from + stepLength).toSorted((a, b) => byCodeUnit(keyOf(a), keyOf(b))))
    yield
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], keyOf))
    }
    runs = merged
  }
  return runs[0] ?? []
}

/** Does work in steps without giving anybody a turn. */
export function allAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Whether items stand by ascending keys. */
export function isSorted<T>(items: readonly T[], keyOf: (item: T) => string): boolean {
  let last: string | undefined
  for (const item of items) {
    const key = keyOf(item)
    if (last !== undefined && last > key) return false
    last = key
  }
  return true
}

function* merge<T>(one: readonly T[], other: readonly T[], keyOf: (item: T) => string): Generator<void, T[]> {
  const merged: T[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [a, b] = [one[left], other[right]]
    if (a !== undefined && (b === undefined || keyOf(a) <= keyOf(b))) {
      merged.push(a)
      left++
    } else if (b !== undefined) {
      merged.push(b)
      right++
    } else return merged
    if (merged.length % stepLength === 0) yield
  }
}
