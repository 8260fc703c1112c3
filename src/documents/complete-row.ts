// Completes one row: fills the gaps of a sparse row and validates it against the schema of its collection.
import type { z } from 'zod'
import { isJsonObject } from '../contract/formats.ts'
import { collectionNames, rowSchemas, type CollectionName, type Row } from '../store/rows.ts'
import { fillGaps } from './fill/index.ts'
import type { Fields, FillContext } from './fill/filler.ts'
import { hasNull, withoutNulls } from './merge-patch.ts'
import {
  defOf,
  describeSchemaIssues,
  readBySchema,
  unknownField,
  type Issue,
} from '../reading/schema-issues.ts'

/** A row that its schema accepts, or what is wrong with it. */
export type Completed<C extends CollectionName> =
  { row: Row<C>; issues?: never } | { row?: never; issues: Iterable<Issue> }

/** A schema for the rows of a collection. */
export type RowSchema<C extends CollectionName> = z.ZodType<Row<C>, Row<C>>

const schemas: { readonly [C in CollectionName]: RowSchema<C> & { shape: object } } = rowSchemas

/**
 * @param compiled the same schema in a form that is faster for many rows. A row that it accepts is taken as it is, its
 * fields in the order in which they were given: copying thousands of them would cost more than checking them.
 */
export function completeRow<C extends CollectionName>(
  collection: C,
  fields: Readonly<Fields>,
  context: FillContext,
  compiled?: RowSchema<C>,
): Completed<C> {
  const schema = schemas[collection]
  // More fields than there are: nothing else is looked at, as each look at so many costs more than telling them.
  if (hasMoreThan(mostFields, fields)) return { issues: unknownFields(schema.shape, fields) }
  const whole = fillGaps(collection, fields, context)
  if (compiled?.validate(whole)) return withoutLoss(collection, fields, whole)
  const first = readBySchema(schema, whole)
  if (first.issues === undefined) return withoutLoss(collection, fields, first.data)
  // Null for "not there" is rare, so only a row that is refused is searched for it.
  if (!hasNull(fields)) return { issues: describeSchemaIssues(first.issues, schema) }
  const second = readBySchema(schema, fillGaps(collection, withoutNulls(fields), context))
  if (second.issues === undefined) return withoutLoss(collection, fields, second.data)
  return { issues: describeSchemaIssues(second.issues, schema) }
}

/** More than any row has. */
const mostFields = 100

function hasMoreThan(most: number, fields: Readonly<Fields>): boolean {
  let count = 0
  for (const _name in fields) if (++count > most) return true
  return false
}

function* unknownFields(shape: object, fields: Readonly<Fields>): Generator<Issue> {
  const known = Object.keys(shape)
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(shape, name)) yield { path: [name], message: unknownField(name, known), at: 'key' }
  }
}

function withoutLoss<C extends CollectionName>(
  collection: C,
  fields: Readonly<Fields>,
  row: Row<C>,
): Completed<C> {
  const issues = lostKeys(collection, fields)
  return issues.length === 0 ? { row } : { issues }
}

/** The fields of each collection that are maps with names of the partner's own. */
const mapFields: ReadonlyMap<CollectionName, readonly string[]> = new Map(
  collectionNames.map((collection) => [
    collection,
    Object.entries(rowSchemas[collection].shape)
      .filter(([, schema]) => defOf(schema).type === 'record')
      .map(([field]) => field),
  ]),
)

/** A map schema drops a key named `__proto__` and says nothing, so it is looked for here. */
function lostKeys(collection: CollectionName, fields: Readonly<Fields>): Issue[] {
  const issues: Issue[] = []
  for (const field of mapFields.get(collection) ?? []) {
    const map = fields[field]
    if (isJsonObject(map) && Object.hasOwn(map, '__proto__')) {
      issues.push({ path: [field, '__proto__'], message: 'must have another name', at: 'key' })
    }
  }
  return issues
}
