// Which rows a row names, for links to them.
import { isFreeForm } from '../../json/parse-exact.ts'
import { idField, references } from '../../store/references.ts'
import type { CollectionName } from '../../store/rows.ts'

/** A row that a field names. */
export interface RowReference {
  field: string
  collection: CollectionName
  id: string
}

type References = readonly (readonly [field: string, collection: CollectionName])[]

const referencesOf = (collection: string): References =>
  isCollection(collection) ? Object.entries(references[collection]) : []

/**
 * The collection that each field refers to, by name only, so that fields of nested objects work, too. The id of a row
 * is omitted, as every collection has such a field.
 */
const targets: ReadonlyMap<string, CollectionName> = new Map(
  Object.keys(references).flatMap((collection) =>
    referencesOf(collection).filter(([field]) => field !== idFieldOf(collection)),
  ),
)

/** The collection of the row that a field names; undefined where it names none, or only the row itself. */
export function targetOf(collection: string, field: string): CollectionName | undefined {
  if (!isCollection(collection) || field !== idField(collection)) return targets.get(field)
  return new Map(referencesOf(collection)).get(field)
}

/** The field that identifies the rows of a collection. */
export function idFieldOf(collection: string): string {
  return isCollection(collection) ? idField(collection) : 'id'
}

/** Every row that a row names, each once, in the order of its fields. */
export function referencesIn(collection: string, row: unknown): RowReference[] {
  const found = new Map<string, RowReference>()
  const look = (value: unknown, field: string): void => {
    const target = targetOf(collection, field)
    if (typeof value === 'string' && target) {
      found.set(`${target} ${value}`, { field, collection: target, id: value })
    } else if (Array.isArray(value)) {
      for (const item of value) look(item, field)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) if (!isFreeForm(name)) look(inner, name)
    }
  }
  look(row, '')
  return [...found.values()]
}

/** Whether rows of this name can be. */
export function isCollection(name: string): name is CollectionName {
  return Object.hasOwn(references, name)
}
