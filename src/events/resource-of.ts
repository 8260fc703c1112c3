// The resource of an event: a row as the API returns it, with every field, as an endpoint has no scopes.
import type { z } from 'zod'
import { exampleOf } from '../contract/docs.ts'
import { eventTypes, type EventType } from '../contract/event-types.ts'
import { application, streak } from '../contract/resources/event-only.ts'
import { transactionAtStep } from '../contract/resources/card-transaction.ts'
import { scopeNames } from '../contract/scopes.ts'
import { resourceSchemas } from '../endpoints/resource-schemas.ts'
import { serialize } from '../endpoints/serialize.ts'
import { parseExact } from '../json/parse-exact.ts'
import { isJsonObject } from '../json/json-object.ts'
import { orderEventId, rowSchemas, type Row, type StatementRow } from '../store/rows.ts'

type Declared = (typeof eventTypes)[EventType]
type EventCollection = Extract<Declared, { collection: string }>['collection']

/**
 * The schema of each resource, by its collection, or by a type without rows. The API shows no accounts with a status, and
 * of order events only the id is known.
 */
const schemas: { readonly [Name in EventCollection | Exclude<EventType, `${string}.${string}`>]: z.ZodType } =
  {
    ...resourceSchemas,
    accounts: rowSchemas.accounts,
    order_events: orderEventId,
    transaction_events: transactionAtStep,
    APPLICATION: application,
    STREAK: streak,
  }

/** Card numbers never leave the sandbox by an event. */
const shownScopes = scopeNames.filter((scope) => scope !== 'PCI_DETAILS_READ')

/** Fields that an answer adds to a row, such as the link of a statement. */
export interface ResourceFields {
  /** The fields that each read of a statement adds. */
  readonly statement: (row: StatementRow) => object
  /** The transaction of a step, as the API shows it at that step. */
  readonly transaction: (step: Row<'transaction_events'>) => object
}

/** Returns the collection of the resource of an event, or its type if it has no rows. */
function sourceOf(type: EventType): keyof typeof schemas {
  const declared: Declared = eventTypes[type]
  return 'collection' in declared ? declared.collection : declared.kind
}

/** Returns the schema of the resource of an event. */
export const resourceSchema = (type: EventType): z.ZodType => schemas[sourceOf(type)]

/** Returns the resource of an event, as its body has it; for a type without rows its example, with these fields. */
export function resourceOf(type: EventType, row: object, fields: ResourceFields): Record<string, unknown> {
  const source = sourceOf(type)
  // The rows of an event are those of its collection.
  const whole =
    source === 'statements'
      ? { ...row, ...fields.statement(row as StatementRow) }
      : source === 'transaction_events'
        ? fields.transaction(row as Row<'transaction_events'>)
        : source === 'APPLICATION' || source === 'STREAK'
          ? { ...Object(exampleOf(schemas[source])), ...row }
          : row
  return shownAs(schemas[source], whole)
}

/**
 * Returns the resource of an event with fields of the caller. A failed streak has no current period, so it lacks the times
 * that the example has.
 */
export function withFields(
  resource: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { current_period_start_at: _start, current_period_end_at: _end, ...rest } = resource
  return { ...(fields['event'] === 'STREAK_FAILED' ? rest : resource), ...fields }
}

/** Returns a row as the API shows it, without card numbers. */
export function shownAs(schema: z.ZodType, row: object): Record<string, unknown> {
  const shown: unknown = parseExact(serialize(schema, row, { scopes: shownScopes, keep: false }))
  if (!isJsonObject(shown)) throw new TypeError('a resource is no JSON object')
  return shown
}
