// Creates the events of a commit, in its transaction.
import type { EventSource, EventType } from '../contract/event-types.ts'
import type { ActiveScenarios } from '../scenarios/engine.ts'
import type { EventPlan } from '../scenarios/event-plan.ts'
import { transactionAt } from '../endpoints/transactions.ts'
import { allEvents } from '../store/indexes.ts'
import type { EventRow } from '../store/rows.ts'
import type { Change, Transaction } from '../store/transaction.ts'
import { firstAttempts } from './attempts.ts'
import { bodyOf, providerName } from './bodies.ts'
import type { WebhookDescription } from './description-type.ts'
import { receives, type Endpoint } from './endpoints.ts'
import { eventsOf } from './events-of-changes.ts'
import { heldAttempts, plannedAttempts, releaseHeld } from './planned-attempts.ts'
import { relatedTo } from './related.ts'
import { resourceOf, withFields, type ResourceFields } from './resource-of.ts'

/** The cause of events. */
export interface EventCause {
  readonly source: EventSource
  /** The id of the call that caused them, if one did. */
  readonly requestId: string | null
  /** The scenarios of that call, and its API key; without them, the active list counts. */
  readonly scenarios?: { readonly active: ActiveScenarios; readonly keyId?: string | undefined }
}

/** The context of new events. */
export interface EmitContext {
  /** The name of the workspace, which their ids carry. */
  readonly workspace: string
  readonly description: WebhookDescription
  /** How many events a workspace keeps. */
  readonly limit: number
  /** The time on the clock of the workspace. */
  readonly time: string
  readonly endpoints: readonly Endpoint[]
  /** Fields that an answer adds to a row. @param id of the event. */
  fieldsFor(id: string): Pick<ResourceFields, 'statement'>
  /** Counts the event for scenarios, and plans its deliveries; undefined if no rule acts. */
  planEvent(type: EventType, scenarios: EventCause['scenarios']): EventPlan | undefined
}

/** Creates the events of the changes of a transaction. Returns the new rows. */
export function emitEvents(
  tx: Transaction,
  changes: readonly Change[],
  cause: EventCause,
  context: EmitContext,
): EventRow[] {
  return eventsOf(changes).flatMap(({ type, before, after }) => {
    if (providerName(context.description, type) === undefined) return []
    const row = after ?? before
    return row ? [addEvent(tx, type, row, after ? before : undefined, cause, context)] : []
  })
}

/** Creates one event. @param data replaces fields of the resource. */
export function addEvent(
  tx: Transaction,
  type: EventType,
  row: object,
  before: object | undefined,
  { source, requestId, scenarios }: EventCause,
  context: EmitContext,
  data: Readonly<Record<string, unknown>> = {},
): EventRow {
  const id = tx.nextEventId(context.workspace)
  const fields: ResourceFields = {
    ...context.fieldsFor(id),
    transaction(step) {
      const transaction = tx.get('transactions', step.transaction_id)
      return transaction ? transactionAt(transaction, step) : step
    },
  }
  const { time, description } = context
  const receivers = context.endpoints.filter((endpoint) => receives(endpoint, type))
  const first = firstAttempts(receivers, time)
  const plan = context.planEvent(type, scenarios)
  const held = heldAttempts(tx, time)
  const isOfCall = requestId !== null
  const resource = withFields(resourceOf(type, row, fields), data)
  const related = relatedTo(tx, type, bodyOf(description, type), row, resource)
  const event = tx.put('events', {
    id,
    type,
    time,
    source,
    data: resource,
    previous: before ? resourceOf(type, before, fields) : null,
    ...(related && { related }),
    request_id: requestId,
    deliveries: plan ? plannedAttempts(first, plan, { time, isOfCall, description, held }) : first,
    ...(plan && { scenario_rules: plan.rules }),
  })
  releaseHeld(tx, held, event)
  dropOldest(tx, context.limit)
  return event
}

/** Deletes the oldest events above the limit. Those with a waiting attempt do not count, and are deleted later. */
function dropOldest(tx: Transaction, limit: number): void {
  // The index exists only in workspaces that have reached the limit.
  if (tx.size('events') <= limit) return
  const extra = tx.count('events', 'settled', allEvents) - limit
  for (const { id } of tx.scan('events', 'settled', allEvents, { limit: extra })) tx.delete('events', id)
}
