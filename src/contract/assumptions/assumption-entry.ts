// One decision of the catalogue: its question, its values, and what they change.
type Value = string | number

/** One decision, as the catalogue has it. */
export interface AssumptionEntry<V extends Value = Value> {
  question: string
  section: string
  default: V
  alternatives: readonly V[]
  /** For a number: any integer from the first to the second value is allowed, not only the alternatives. */
  range?: readonly [number, number]
  effect: string
  /** What to change in a suite that fails with an alternative, where the question does not say it. */
  remedy?: string
  /** Why no probe of a service can decide it; left out where one does. */
  unobservable?: string
}

type Values<V extends Value = Value> = readonly [V, ...V[]]

/** As it is declared: `values` are the default and its alternatives. */
interface Declared<V> extends Omit<AssumptionEntry, 'default' | 'alternatives' | 'unobservable'> {
  values: V
}

/** Keeps the literal types of an entry's values. */
export function entry<const V extends Values>(declared: Declared<V>): AssumptionEntry<V[number]> {
  const { question, section, values, effect, ...range } = declared
  const [usual, ...alternatives] = values
  return { question, section, default: usual, alternatives, ...range, effect }
}

/**
 * An entry that no probe can decide.
 * @param unobservable why not, as a sentence.
 */
export function undecidable<const V extends Values>({
  unobservable,
  ...declared
}: Declared<V> & { unobservable: string }): AssumptionEntry<V[number]> & { readonly unobservable: string } {
  return { ...entry(declared), unobservable }
}

/** An entry whose value is any integer of a range; the alternatives are examples worth a test run. */
export const numeric = (
  declared: Required<Omit<Declared<Values<number>>, 'remedy'>>,
): AssumptionEntry<number> => entry(declared)
