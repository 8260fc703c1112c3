/**
 * How deeply a JSON value is nested, counting no further than `limit`: `1` is 0 deep, `{}` is 1, `{"a":[]}` is 2.
 * Bounded, because turning very deep values back into JSON overflows the stack.
 */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null || limit <= 0) return 0
  let deepest = 0
  for (const inner of Object.values(value)) {
    const depth = depthOf(inner, limit - 1)
    if (depth > deepest) deepest = depth
    if (deepest >= limit - 1) break
  }
  return deepest + 1
}
