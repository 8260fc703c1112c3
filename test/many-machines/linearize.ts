/**
 * Looks for any order of calls that one machine could have answered so, as Wing and Gong do: of the calls that could come
 * next, each is tried. Knows nothing of versions, and is for short histories.
 */
import type { Model, Operation } from './history.ts'

/** @param fingerprint tells states apart, so that no set of calls is tried twice from the same one. */
export async function isLinearizable<R, S>(
  model: Model<R, S>,
  operations: readonly Operation<R>[],
  fingerprint: (state: S) => string,
): Promise<boolean> {
  const seen = new Set<string>()
  const search = async (state: S, done: number): Promise<boolean> => {
    const left = operations
      .map((one, place) => ({ one, place }))
      .filter(({ place }) => !(done & (1 << place)))
    if (left.every(({ one }) => one.answer === undefined)) return true
    const key = `${done} ${fingerprint(state)}`
    if (seen.has(key)) return false
    seen.add(key)
    const firstEnd = Math.min(...left.map(({ one }) => one.ended))
    for (const { one, place } of left) {
      if (one.started > firstEnd) continue
      const step = await model.apply(state, one.request)
      if (one.answer !== undefined && one.answer !== step.answer) continue
      if (await search(step.state, done | (1 << place))) return true
    }
    return false
  }
  return search(model.beginning, 0)
}
