// The types of webhook events. The contract says that events exist and shows no kinds (contract: Events), so these are
// assumptions; each is declared once, as a collection and the kind of change that creates it.

/** A kind of change of a row. */
export type ChangeKind = 'created' | 'updated' | 'deleted'

/** A type of event, as declared. */
interface EventDeclaration {
  readonly collection: string
  readonly on: ChangeKind
  /** The field that must differ; without it, any change of this kind counts. */
  readonly field?: string
  readonly about: string
}

/** Every type, in the order in which one commit creates its events if it changed one row. */
export const eventTypes = {
  'transaction_intent.created': {
    collection: 'transaction_intents',
    on: 'created',
    about: 'a transaction intent was created',
  },
  'reward.created': { collection: 'rewards', on: 'created', about: 'a reward was earned' },
  'reward.updated': {
    collection: 'rewards',
    on: 'updated',
    about: 'a reward has changed, such as its status',
  },
  'customer.linked': {
    collection: 'customers',
    on: 'updated',
    field: 'partner_customer_id',
    about: 'a customer has another partner_customer_id',
  },
  'order_event.deleted': { collection: 'order_events', on: 'deleted', about: 'an order event was deleted' },
  'statement.created': { collection: 'statements', on: 'created', about: 'a billing cycle has closed' },
  'transaction.posted': {
    collection: 'transactions',
    on: 'created',
    about: 'a transaction of the card network has arrived',
  },
} as const satisfies Readonly<Record<string, EventDeclaration>>

/** The type of an event, such as `reward.updated`. */
export type EventType = keyof typeof eventTypes

/** The names of all types. */
export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType)

/** Whether a text is the name of a type. */
export function isEventType(name: string): name is EventType {
  return Object.hasOwn(eventTypes, name)
}

/** The causes of events. */
export const eventSources = ['api', 'simulation', 'scenario', 'trigger'] as const
export type EventSource = (typeof eventSources)[number]

/** The states of an attempt to deliver an event. */
export const deliveryStates = ['delivered', 'waiting', 'collected', 'failed', 'skipped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The faults that a scenario can add to an attempt: the receiver gets a request that it must refuse, or must tolerate. */
export const attemptFaults = [
  'concurrent',
  'reorder',
  'bad_signature',
  'no_signature',
  'malformed_signature',
  'stale_timestamp',
  'future_timestamp',
  'unknown_type',
  'unknown_fields',
  'same_json_other_bytes',
  'large',
  'early',
] as const
export type AttemptFault = (typeof attemptFaults)[number]
