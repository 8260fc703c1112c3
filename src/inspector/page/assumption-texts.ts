// Texts of assumptions: the source of a value, the filter, and copies for the command line and the config file.
import type { AssumptionView } from '../../input/resolve-assumptions.ts'

/** An assumption with how many calls in the journal rest on it. */
export type UsedAssumption = AssumptionView & { used?: number }

/** The source of the value. */
export function chosenBy({ provenance, calibrated, follows }: AssumptionView): string {
  if (follows) return `follows ${follows}`
  if (provenance === 'default') return 'the default'
  if (provenance === 'set') return 'set by --assume'
  return calibrated ? `calibrated: observed at ${calibrated.host}, ${calibrated.at}` : 'calibrated'
}

/** Assumptions that calls rest on, first; then the others in their own order. @param used their ids. */
export function usedFirst(
  assumptions: readonly UsedAssumption[],
  used: ReadonlySet<string>,
): readonly UsedAssumption[] {
  return assumptions.toSorted((one, other) => Number(used.has(other.id)) - Number(used.has(one.id)))
}

/** The ids of those that calls rest on. */
export function usedAmong(assumptions: readonly UsedAssumption[]): ReadonlySet<string> {
  return new Set(assumptions.flatMap(({ id, used = 0 }) => (used > 0 ? [id] : [])))
}

/** Assumptions that show a text, ignoring case. */
export function assumptionsWith(
  text: string,
  assumptions: readonly UsedAssumption[],
): readonly UsedAssumption[] {
  const wanted = text.trim().toLowerCase()
  return assumptions.filter(({ id, question, effect, value, section }) =>
    [id, question, effect, value, section].join(' ').toLowerCase().includes(wanted),
  )
}

/** All values of an assumption that can be named one by one: the one in force first; of a range also its ends. */
export function valuesOf({
  value,
  default: defaultValue,
  alternatives,
  range,
  described_by: described = {},
}: AssumptionView): readonly string[] {
  const settable = alternatives.filter((one) => !Object.hasOwn(described, one))
  return [...new Set([value, defaultValue, ...settable, ...(range ?? [])].map(String))]
}

/** @example asOption('not_found_status', '400')   // '--assume not_found_status=400' */
export function asOption(id: string, value: string): string {
  return `--assume ${id}=${value}`
}

/**
 * Lines of a config file. A word is quoted, as YAML parses some words, such as null, as other values.
 * @example asConfig('not_found_status', '400')   // 'assume:\n  not_found_status: 400\n'
 */
export function asConfig(id: string, value: string): string {
  return `assume:\n  ${id}: ${/^\d+$/.test(value) ? value : `'${value}'`}\n`
}
