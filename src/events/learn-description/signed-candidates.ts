// The candidates for the text that is signed: sequences of the body and of values of the request.

/** The meaning of a value in the signed text. Each sequence has at most one of a kind. */
export type ValueKind = 'id' | 'time' | 'type' | 'label' | 'address'

/** A value that a provider may sign together with the body. */
export interface SignedValue {
  readonly kind: ValueKind
  readonly text: string
  /** Why a description cannot sign it; undefined if it can. */
  readonly problem?: string | undefined
}

/** A part of a signed text: a value, a literal separator, or the body. */
export type SignedPart = SignedValue | string | typeof bodyPart

/** The position of the body in a signed text. */
export const bodyPart = Symbol('body')

/** Separators of parts that are tried. */
const separators = ['.', ':', '', '\n', ',', '|', '-', '_', ';', ' ', '/']

/** Returns the text of a candidate over a body. */
export const signedText = (parts: readonly SignedPart[], body: string): string =>
  parts.map((part) => (part === bodyPart ? body : typeof part === 'string' ? part : part.text)).join('')

/**
 * Returns all candidates, short ones first. Two separators may differ; of three or more, all are equal.
 *
 * @param isShort only candidates with up to two values and equal separators, which nearly all providers sign.
 */
export function* signedCandidates(values: readonly SignedValue[], isShort = false): Generator<SignedPart[]> {
  for (let count = 0; count <= (isShort ? 2 : 4); count++) {
    for (const chosen of selections(values, count)) {
      for (const order of permutations<SignedValue | typeof bodyPart>([...chosen, bodyPart])) {
        for (const between of separatorsOf(count, isShort)) {
          yield order.flatMap((part, index) => {
            const separator = between[index - 1] ?? ''
            return separator === '' ? [part] : [separator, part]
          })
        }
      }
    }
  }
}

function separatorsOf(count: number, isShort: boolean): string[][] {
  if (count === 0) return [[]]
  const equal = separators.map((separator) => Array.from({ length: count }, () => separator))
  if (count !== 2 || isShort) return equal
  const mixed = separators.flatMap((a) => separators.filter((b) => a !== b).map((b) => [a, b]))
  return [...equal, ...mixed]
}

/** Returns every selection of values of different kinds. */
function* selections(values: readonly SignedValue[], count: number): Generator<SignedValue[]> {
  if (count === 0) return yield []
  for (const [index, value] of values.entries()) {
    const others = values.slice(index + 1).filter(({ kind }) => kind !== value.kind)
    for (const rest of selections(others, count - 1)) yield [value, ...rest]
  }
}

function* permutations<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) return yield [...items]
  for (const [index, item] of items.entries())
    for (const rest of permutations(items.filter((_, at) => at !== index))) yield [item, ...rest]
}
