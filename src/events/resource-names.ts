// The names of resources in templates: that of the event, and those that it refers to.
import { eventTypeNames, type EventKind, type EventType } from '../contract/event-types.ts'

/** The resources that an event can refer to. */
export const relatedResources = [
  'customer',
  'transaction',
  'payment_method',
  'card',
  'transaction_intent',
  'account',
] as const
export type RelatedResource = (typeof relatedResources)[number]

/** Every name of a resource. */
export const resourceNames: ReadonlySet<string> = new Set([
  ...eventTypeNames.flatMap((type) => resourceNameOf(type) ?? []),
  ...relatedResources,
])

/** The resources that an event of each kind refers to. */
export const relatedOf: Readonly<Record<EventKind, readonly RelatedResource[]>> = {
  TRANSACTION_INTENT: ['customer', 'transaction', 'payment_method', 'card', 'account'],
  REWARD: relatedResources,
  CUSTOMER_LINK: [],
  ORDER_EVENT: ['customer'],
  STATEMENT: ['customer', 'account'],
  TRANSACTION: ['customer', 'payment_method', 'card', 'transaction_intent', 'account'],
  PAYMENT_METHOD: ['customer', 'card', 'account'],
  ACCOUNT_STATUS: ['customer'],
  APPLICATION: ['customer'],
  STREAK: ['customer'],
}

/** Returns the name of the resource of an event: `reward` of `reward.updated`; undefined for a type without rows. */
export function resourceNameOf(type: EventType): string | undefined {
  return type.includes('.') ? type.split('.')[0] : undefined
}
