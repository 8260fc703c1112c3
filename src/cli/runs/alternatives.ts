// The alternative values of assumptions, for a matrix.
import { assumptionIds, settableValuesOf, type Assumptions } from '../../contract/assumptions.ts'
import { AssumptionError, requireAssumptionId, resolveAssumptions } from '../../input/resolve-assumptions.ts'

/** An alternative value of an assumption. */
export interface Alternative {
  id: keyof Assumptions
  value: string | number
}

/**
 * Returns every alternative value of assumptions: all that are declared; for a number, those worth a test run.
 *
 * @param only ids, or `id=value` for one value of it; all ids if empty.
 * @throws {AssumptionError} for an unknown id or value, for one without alternatives, and for the current value.
 * @example
 * alternativesTo(resolveAssumptions(), ['create_status'])   // [{ id: 'create_status', value: 200 }]
 */
export function alternativesTo(inForce: Assumptions, only: readonly string[] = []): Alternative[] {
  const all = assumptionIds.flatMap((id) => othersOf(inForce, id))
  if (only.length === 0) return all
  const chosen = only.flatMap((word) => chosenBy(word, inForce))
  return [...new Map(chosen.map((each) => [alternativeText(each), each])).values()]
}

/** `create_status=200`, as for --assume. */
export function alternativeText({ id, value }: Alternative): string {
  return `${id}=${value}`
}

function othersOf(inForce: Assumptions, id: keyof Assumptions): Alternative[] {
  const values: readonly (string | number)[] = settableValuesOf(id)
  return values.filter((value) => value !== inForce[id]).map((value) => ({ id, value }))
}

function chosenBy(word: string, inForce: Assumptions): Alternative[] {
  const [name = '', ...rest] = word.split('=')
  const id = requireAssumptionId(name)
  const others = othersOf(inForce, id)
  if (others.length === 0) throw new AssumptionError(`assumption '${id}' has no alternatives`)
  if (rest.length === 0) return others
  const value = resolveAssumptions({ [id]: rest.join('=') })[id]
  if (value !== inForce[id]) return [{ id, value }]
  const expected = others.map((other) => other.value).join(', ')
  throw new AssumptionError(`assumption '${id}': '${value}' is in force, expected another one: ${expected}`)
}
