// The types of webhook events. The contract says that events exist and shows no kinds (contract: Events), so these are
// assumptions; each is declared once, as a collection and the kind of change that creates it.

/** A kind of change of a row. */
export type ChangeKind = 'created' | 'updated' | 'deleted'

/** A type of event, as declared. */
export interface EventDeclaration {
  /** The subject, in capitals: the key of its body in a description of events. */
  readonly kind: string
  /** The rows whose changes create it; without them, only `events trigger` does. */
  readonly collection?: string
  readonly on?: ChangeKind
  /** The field that must differ; without it, any change of this kind counts. */
  readonly field?: string
  /** The value that the field must have after the change. */
  readonly value?: string
  readonly about: string
}

/** Declares the events of a collection, one for each kind of change. */
const eventsOf =
  <const Kind extends string, const Collection extends string>(kind: Kind, collection: Collection) =>
  <const On extends ChangeKind>(on: On, about: string) => ({ kind, collection, on, about })

const intent = eventsOf('TRANSACTION_INTENT', 'transaction_intents')
const reward = eventsOf('REWARD', 'rewards')
const link = eventsOf('CUSTOMER_LINK', 'customers')
const orderEvent = eventsOf('ORDER_EVENT', 'order_events')
const statement = eventsOf('STATEMENT', 'statements')
const paymentMethod = eventsOf('PAYMENT_METHOD', 'payment_methods')
const account = eventsOf('ACCOUNT_STATUS', 'accounts')

/** The event of a step of a transaction. */
const step = <const Status extends string>(value: Status, about: string) =>
  ({ ...eventsOf('TRANSACTION', 'transaction_events')('created', about), field: 'status', value }) as const

/** Every type, in the order in which one commit creates its events if it changed one row. */
export const eventTypes = {
  'transaction_intent.created': intent('created', 'a transaction intent was created'),
  'transaction_intent.updated': intent('updated', 'a transaction intent has changed, such as its status'),
  'reward.created': reward('created', 'a reward was earned, or is to be taken back'),
  'reward.updated': reward('updated', 'a reward has changed, such as its status'),
  'customer.linked': {
    ...link('updated', 'a customer has another partner_customer_id'),
    field: 'partner_customer_id',
  },
  'order_event.deleted': orderEvent('deleted', 'an order event was deleted'),
  'statement.created': statement('created', 'a billing cycle has closed'),
  'transaction.approved': step('APPROVED', 'a purchase was authorised'),
  'transaction.updated': step('UPDATED', 'the amount of an authorisation has changed'),
  'transaction.voided': step('VOIDED', 'an authorisation was cancelled'),
  'transaction.captured': step('CAPTURED', 'a purchase was settled, or a part of it'),
  'transaction.refunded': step('REFUNDED', 'a purchase was refunded, or a part of it'),
  'payment_method.created': paymentMethod('created', 'a customer has a new payment method'),
  'payment_method.updated': paymentMethod(
    'updated',
    'a payment method has changed: its status, or its number and tokens',
  ),
  'account.closed': { ...account('updated', 'an account was closed'), field: 'status', value: 'CLOSED' },
  APPLICATION: { kind: 'APPLICATION', about: 'the application of a customer was decided' },
  STREAK: { kind: 'STREAK', about: 'a customer was enrolled in a streak, or a period of it is over' },
} as const satisfies Readonly<Record<string, EventDeclaration>>

/** The type of an event, such as `reward.updated`. */
export type EventType = keyof typeof eventTypes

/** The names of all types. */
export const eventTypeNames: readonly EventType[] = Object.keys(eventTypes).filter(isEventType)

/** The subject of an event, such as `REWARD`. */
export type EventKind = (typeof eventTypes)[EventType]['kind']

/** Every kind, once. */
export const eventKinds: readonly EventKind[] = [
  ...new Set(eventTypeNames.map((type) => eventTypes[type].kind)),
]

/** Returns the declaration of a type, with every optional part. */
export const declarationOf = (type: EventType): EventDeclaration => eventTypes[type]

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
