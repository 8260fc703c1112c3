/**
 * Searches for an order in which one machine could have answered all calls as their clients saw them (Wing and Gong, with
 * the cache of Lowe). The order keeps the sequence of calls that did not overlap.
 */
import type { Answered, Model } from './history.ts'

/** Where the search ended: the number of calls that have an order, and those that cannot come next. */
export interface Violation<R> {
  readonly explained: number
  readonly state: string
  readonly around: readonly Answered<R>[]
}

/** A set of calls that have an order, and the state after them. */
interface Step<S> {
  readonly state: S
  /** The first call, by its start, that is not in the set. */
  readonly first: number
  /** Later calls that are. */
  readonly later: readonly number[]
  /** Calls that may come next. */
  readonly candidates: readonly number[]
  tried: number
}

/** @returns undefined if there is an order. */
export function findViolation<R, S extends string | number>(
  model: Model<R, S>,
  operations: readonly Answered<R>[],
): Violation<R> | undefined {
  const calls = operations.toSorted((a, b) => a.started - b.started)
  const stepOf = (state: S, first: number, later: readonly number[]): Step<S> => {
    const candidates: number[] = []
    let firstEnd = Infinity
    for (let at = first; at < calls.length; at += 1) {
      const { started = Infinity, ended = Infinity } = calls[at] ?? {}
      if (started > firstEnd) break
      if (later.includes(at)) continue
      candidates.push(at)
      firstEnd = Math.min(firstEnd, ended)
    }
    return { state, first, later, candidates, tried: 0 }
  }
  const seen = new Set<string>()
  const stack = [stepOf(model.beginning, 0, [])]
  let furthest = stack[0]
  for (let step = stack.at(-1); step; step = stack.at(-1)) {
    if (step.first === calls.length) return undefined
    if (furthest && explainedBy(step) > explainedBy(furthest)) furthest = step
    const at = step.candidates[step.tried++]
    const call = at === undefined ? undefined : calls[at]
    if (at === undefined || !call) {
      stack.pop()
      continue
    }
    const { state, answer } = model.apply(step.state, call.request)
    if (answer !== call.answer) continue
    const explained = new Set([...step.later, at])
    let { first } = step
    while (explained.delete(first)) first += 1
    const later = [...explained].toSorted((a, b) => a - b)
    const key = `${first} ${later.join()} ${state}`
    if (seen.has(key)) continue
    seen.add(key)
    stack.push(stepOf(state, first, later))
  }
  const around = (furthest?.candidates ?? []).flatMap((at) => calls[at] ?? [])
  return { explained: furthest ? explainedBy(furthest) : 0, state: String(furthest?.state), around }
}

const explainedBy = ({ first, later }: Step<unknown>): number => first + later.length
