// The resource of an event: a row as the API returns it, with every field, as an endpoint has no scopes.
import type { z } from 'zod'
import { eventTypes, type EventType } from '../contract/event-types.ts'
import { scopeNames } from '../contract/scopes.ts'
import { resourceSchemas } from '../endpoints/resource-schemas.ts'
import { serialize } from '../endpoints/serialize.ts'
import { parseExact } from '../json/parse-exact.ts'
import { isJsonObject } from '../json/json-object.ts'
import { orderEventId, rowSchemas, type StatementRow } from '../store/rows.ts'

/** The collections of events. */
type EventCollection = (typeof eventTypes)[EventType]['collection']

/** The schema of each resource. The API shows no order events, of which only the id is known, and no transactions. */
const schemas: { readonly [C in EventCollection]: z.ZodType } = {
  ...resourceSchemas,
  order_events: orderEventId,
  transactions: rowSchemas.transactions,
}

/** Fields that an answer adds to a row, such as the link of a statement. */
export interface ResourceFields {
  /** The fields that each read of a statement adds. */
  readonly statement: (row: StatementRow) => object
}

/** Returns the schema of the resource of an event. */
export const resourceSchema = (type: EventType): z.ZodType => schemas[eventTypes[type].collection]

/** Returns the resource of an event, as its body has it. */
export function resourceOf(type: EventType, row: object, fields: ResourceFields): Record<string, unknown> {
  const { collection } = eventTypes[type]
  // The rows of an event are those of its collection.
  const whole = collection === 'statements' ? { ...row, ...fields.statement(row as StatementRow) } : row
  const text = serialize(schemas[collection], whole, { scopes: scopeNames, keep: false })
  const resource: unknown = parseExact(text)
  if (!isJsonObject(resource)) throw new TypeError(`a row of ${collection} is no JSON object`)
  return resource
}
