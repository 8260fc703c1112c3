// The fields in which two rows differ, and whether the rows are equal.
import { stringify } from '../../json/stringify.ts'

/** A changed field: an added field has no `before`, a removed one has no `after`. */
export type FieldChanges = Readonly<Record<string, { before?: unknown; after?: unknown }>>

/** Whether two values are the same JSON, also in the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  return stringify(one) === stringify(other)
}

/** The fields in which two rows differ. @example fieldChanges({ a: 1 }, { a: 2 })   // { a: { before: 1, after: 2 } } */
export function fieldChanges(before: object, after: object): FieldChanges {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const differing = [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => old.has(name) !== now.has(name) || !isSame(old.get(name), now.get(name)),
  )
  return Object.fromEntries(
    differing.map((name) => [
      name,
      {
        ...(old.has(name) ? { before: old.get(name) as unknown } : {}),
        ...(now.has(name) ? { after: now.get(name) as unknown } : {}),
      },
    ]),
  )
}
