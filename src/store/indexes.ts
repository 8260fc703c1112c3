// Indexes: lookups of rows other than by id, with their sort keys.
import type { Assumptions } from '../contract/assumptions.ts'
import { attemptOrder, isHeld, numberedOrder } from './attempt-order.ts'
import type { CollectionName, Row } from './rows.ts'

/**
 * An index groups rows and orders each group, so that an exact search is a group of one and a page is a range of a
 * group. A group and an order are strings without control characters; NUL joins them to one sortable key.
 */
export interface Index<C extends CollectionName> {
  /** Returns the group of a row, or undefined if the index omits the row. */
  group(row: Row<C>): string | undefined
  /** Returns the position of a row in its group; rows of equal order are sorted by ascending id. */
  order(row: Row<C>): string
  /** Whether the size of each group is stored, so that `total` costs nothing. */
  counted?: boolean
  /**
   * For an index that is read far less often than its rows are written: the first lookup fills it, and until then a
   * write costs nothing.
   */
  onDemand?: boolean
}

const separator = '\u0000'

/** Returns one group name for several values, none of which can contain the separator. */
export function groupOf(...parts: string[]): string {
  return parts.join('\u0001')
}

/** Returns the group of a text that may contain any characters. */
export function groupOfAnyText(text: string): string {
  return JSON.stringify(text)
}

/** Whether a text can be the name of a group. */
export function isGroup(group: string): boolean {
  return !group.includes(separator)
}

/** Returns the sortable key of a position in a group. */
export function indexKey(group: string, order: string, id: string): string {
  return group + separator + order + separator + id
}

/** Returns the first key after every row of a group. */
export function endOfGroup(group: string): string {
  return group + '\u0001'
}

/** Returns the first key that a group can have. */
export function startOfGroup(group: string): string {
  return group + separator
}

const span = 8.64e15

/** Sorts instants oldest first. */
export function oldestFirst(instant: string | number): string {
  return String(millis(instant) + span).padStart(17, '0')
}

/** Sorts instants newest first. */
export function newestFirst(instant: string | number): string {
  return String(span - millis(instant)).padStart(17, '0')
}

function millis(instant: string | number): number {
  return typeof instant === 'number' ? instant : Date.parse(instant)
}

/** Whether a step moves money, so that a statement lists it. */
export const isSettled = (status: unknown): boolean => status === 'CAPTURED' || status === 'REFUNDED'

const unordered = (): string => ''
const newestCreated = <R extends { created_at: string }>(row: R): string => newestFirst(row.created_at)
const customerGroup = <R extends { customer_id: string }>(row: R): string => row.customer_id

/** Returns the card number of a payment method, from either kind of card. */
function panOf(row: Row<'payment_methods'>): string | undefined {
  return (row.card ?? row.secured_credit_card)?.pci_details?.pan
}

/**
 * Returns when a purchase was expected, in ms since the epoch (contract: `expected_date`, a hint): the date of the
 * request, or when the intent was created. A date without a time means noon in UTC, so that no instant of that day is
 * nearer to another day.
 */
export function expectedAt(row: Pick<Row<'transaction_intents'>, 'expected_date' | 'created_at'>): number {
  const { expected_date: expected, created_at: made } = row
  if (expected === undefined) return Date.parse(made)
  // JavaScript has no instant for a leap second.
  return Date.parse(
    expected.length === 10 ? `${expected}T12:00:00Z` : expected.replace(/(?<=^.{16}:)60/, '59'),
  )
}

/** The intents that a transaction of this customer, currency and amount can match. */
export function expectationOf(row: Pick<Row<'transactions'>, 'customer_id' | 'currency' | 'amount'>): string {
  return groupOf(row.customer_id, row.currency, String(row.amount))
}

/** Returns the group of a text that a client chose; undefined if the text cannot be part of a group. */
function groupOfText(owner: string, text: string | undefined): string | undefined {
  return text === undefined || !isGroup(text) ? undefined : groupOf(owner, text)
}

/** The one group of an index of events. */
export const allEvents = 'all'

/** The order of the first waiting attempt of an event. */
export const earliestAttempt = (event: Row<'events'>): string =>
  event.deliveries.reduce((first, attempt) => {
    const order = attempt.state === 'waiting' ? attemptOrder(event, attempt) : ''
    return order !== '' && (first === '' || order < first) ? order : first
  }, '')

const customerOrders: Record<Assumptions['customers_order'], (row: Row<'customers'>) => string> = {
  newest_first: newestCreated,
  oldest_first: (row) => oldestFirst(row.created_at),
  id: unordered,
}

/** Every index of every collection; the order of customers is an assumption. */
export function declareIndexes(assumptions: Pick<Assumptions, 'customers_order'>) {
  return {
    products: {},
    api_keys: { by_api_key: { group: (row) => row.api_key, order: unordered } },
    customers: {
      by_product: {
        group: (row) => row.product,
        order: customerOrders[assumptions.customers_order],
        counted: true,
      },
      by_partner_customer_id: {
        group: ({ product, partner_customer_id: id }) =>
          id === undefined ? undefined : groupOf(product, id),
        order: unordered,
      },
    },
    links: {},
    accounts: { by_customer: { group: customerGroup, order: unordered } },
    payment_methods: {
      by_customer: { group: customerGroup, order: newestCreated },
      by_pan: { group: panOf, order: newestCreated },
    },
    rewards: { by_customer: { group: customerGroup, order: newestCreated } },
    transaction_intents: {
      by_customer: { group: customerGroup, order: newestCreated, onDemand: true },
      by_network_id: {
        group: (row) => groupOfText(row.customer_id, row.network_transaction_id),
        order: (row) => oldestFirst(expectedAt(row)),
        onDemand: true,
      },
      by_partner_transaction_id: {
        group: ({ partner_transaction_id: id }) => (id === undefined ? undefined : groupOfAnyText(id)),
        order: unordered,
        onDemand: true,
      },
      by_expectation: {
        group: expectationOf,
        order: (row) => oldestFirst(expectedAt(row)),
        onDemand: true,
      },
    },
    statements: {
      by_account: { group: (row) => row.account_id, order: (row) => newestFirst(row.period_end_date) },
    },
    orders: {},
    order_events: {},
    transactions: {
      by_customer: { group: customerGroup, order: newestCreated, onDemand: true },
      by_intent: { group: (row) => row.intent_id, order: unordered },
      /** The payments and credits on no statement, which have no steps. */
      unbilled_by_account: {
        group: ({ account_id: account, statement_id: billed, status }) =>
          billed === undefined && status === undefined ? account : undefined,
        order: ({ posted_at: posted, created_at: created }) => oldestFirst(posted ?? created),
      },
    },
    transaction_events: {
      by_transaction: {
        group: (row) => row.transaction_id,
        // On a frozen clock, several steps have one time.
        order: ({ posted_at: posted, n = 0 }) => oldestFirst(posted) + String(n).padStart(16, '0'),
      },
      /** The captures and refunds on no statement. */
      unbilled_by_account: {
        group: ({ account_id: account, statement_id: billed, status }) =>
          billed === undefined && isSettled(status) ? account : undefined,
        order: (row) => oldestFirst(row.posted_at),
      },
    },
    offers: { by_customer: { group: customerGroup, order: unordered } },
    customer_sessions: { by_customer: { group: customerGroup, order: newestCreated, onDemand: true } },
    webhook_endpoints: {},
    events: {
      in_order: { group: () => allEvents, order: ({ id }) => numberedOrder(id) },
      waiting: {
        group: ({ deliveries }) =>
          deliveries.some(({ state }) => state === 'waiting') ? allEvents : undefined,
        order: earliestAttempt,
      },
      /** Those that may be dropped. */
      settled: {
        group: ({ deliveries }) =>
          deliveries.some(({ state }) => state === 'waiting') ? undefined : allEvents,
        order: ({ id }) => numberedOrder(id),
        counted: true,
        onDemand: true,
      },
      /** Those with an attempt that waits for the next event. */
      held: {
        group: ({ deliveries }) => (deliveries.some(isHeld) ? allEvents : undefined),
        order: ({ id }) => numberedOrder(id),
      },
    },
  } as const satisfies { [C in CollectionName]: Record<string, Index<C>> }
}

export type Indexes = ReturnType<typeof declareIndexes>
export type IndexName<C extends CollectionName> = keyof Indexes[C] & string
