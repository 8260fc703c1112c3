// The event that a caller triggers: its type, the row that it is about, and data of its own.
import { z } from 'zod'
import {
  declarationOf,
  eventTypeNames,
  eventTypes,
  isEventType,
  type EventType,
} from '../contract/event-types.ts'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import { printable } from '../input/problems.ts'
import { NotFoundError } from '../input/refusals.ts'
import { maxDepth } from '../input/source-file.ts'
import type { Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'

const idRequired = 'is required: the id of an existing resource'

export const eventType = z.enum(eventTypeNames, `must be one of ${eventTypeNames.join(', ')}`)

export const triggered = z
  .strictObject({
    type: eventType.describe('such as reward.updated'),
    id: z
      .string(idRequired)
      .optional()
      .describe('the id of the resource; of a customer, or none, for APPLICATION and STREAK'),
    data: z
      .record(z.string(), z.unknown(), 'must be an object of fields')
      .refine(isWritable, `must be JSON, not nested deeper than ${maxDepth} levels`)
      .optional()
      .describe('fields that replace those of the resource'),
  })
  .refine(({ type, id }) => id !== undefined || !needsId(type), {
    path: ['id'],
    message: idRequired,
    when: ({ value }) => isJsonObject(value),
  })

/** Whether events of a type are about a row, as those of an unknown type may be. */
function needsId(type: unknown): boolean {
  return typeof type !== 'string' || !isEventType(type) || declarationOf(type).collection !== undefined
}

/** Whether a value from a program can be sent: values from HTTP always can. */
function isWritable(value: unknown): boolean {
  try {
    return depthOf(value, maxDepth + 1) <= maxDepth && JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/** Returns the row of a new event. @throws {NotFoundError} for an unknown id. */
export function triggeredRow(state: State, type: EventType, id: string | undefined): object {
  const declared: (typeof eventTypes)[EventType] = eventTypes[type]
  if (!('collection' in declared)) {
    if (id !== undefined) return { customer_id: required(state.get('customers', id), 'customers', id).id }
    const [first] = state.all('customers')
    return first ? { customer_id: first.id } : {}
  }
  const { collection } = declared
  const row =
    state.get(collection, id ?? '') ??
    (collection === 'transaction_events' ? newestStep(state, id ?? '', declared.value) : undefined)
  return required(row, collection, id ?? '')
}

function required<T>(row: T | undefined, collection: string, id: string): T {
  if (row) return row
  throw new NotFoundError(`${collection}: no row has the id '${printable(id.slice(0, 200))}'`)
}

/** Returns the newest step of a transaction with a status; without one, its newest step. */
function newestStep(state: State, id: string, status: string): Row<'transaction_events'> | undefined {
  const steps = state.scan('transaction_events', 'by_transaction', id)
  return steps.findLast((step) => step.status === status) ?? steps.at(-1)
}
