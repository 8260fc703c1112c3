// The type and constructors of an entry in the assumption catalogue: its question, its values, and their effect.
type Value = string | number

/** One decision, as the catalogue has it. */
export interface AssumptionEntry<V extends Value = Value> {
  question: string
  section: string
  default: V
  alternatives: readonly V[]
  /** For a number: every integer between these two values is allowed, not only the alternatives. */
  range?: readonly [number, number]
  effect: string
  /** The fix for a client suite that fails with an alternative, where the question does not name it. */
  remedy?: string
  /** Values that another option must describe, by value: that option sets them, and no test run tries them alone. */
  describedBy?: Readonly<Partial<Record<V, string>>>
  /** Why no probe of a service can decide the entry; absent if a probe can. */
  unobservable?: string
  /** Public documentation of a service of this family shows the default. */
  documented?: true
  /** Another assumption whose values do not go with every value of this one; declared at one of the two. */
  fits?: Fits
}

/** The values of two assumptions that can be current together. */
interface Fits {
  /** The id of the other assumption. */
  with: string
  /** The values of the other assumption that fit, by the value of this one. */
  values: Readonly<Record<string, readonly Value[]>>
  /** The effect of two values that do not fit, as the end of a sentence. */
  because: string
}

type Values<V extends Value = Value> = readonly [V, ...V[]]

/** An entry as declared: `values` are the default and its alternatives. */
interface Declared<V> extends Omit<AssumptionEntry, 'default' | 'alternatives' | 'unobservable'> {
  values: V
}

/** Creates an entry with the literal types of its values. */
export function entry<const V extends Values>(declared: Declared<V>): AssumptionEntry<V[number]> {
  const { question, section, values, effect, ...range } = declared
  const [defaultValue, ...alternatives] = values
  return { question, section, default: defaultValue, alternatives, ...range, effect }
}

/**
 * An entry that no probe can decide.
 * @param unobservable the reason, as a sentence.
 */
export function undecidable<const V extends Values>({
  unobservable,
  ...declared
}: Declared<V> & { unobservable: string }): AssumptionEntry<V[number]> & { readonly unobservable: string } {
  return { ...entry(declared), unobservable }
}

/** An entry whose value is any integer of a range; the alternatives are examples worth a test run. */
export const numeric = (
  declared: Required<Omit<Declared<Values<number>>, 'remedy' | 'describedBy' | 'documented' | 'fits'>> & {
    documented?: true
  },
): AssumptionEntry<number> => entry(declared)
