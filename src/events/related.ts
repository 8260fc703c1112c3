// The resources and texts that the body of an event shows in addition to its own resource. They are read in the
// transaction that creates the event, so that every attempt has the same bytes.
import type { z } from 'zod'
import type { EventType } from '../contract/event-types.ts'
import { card } from '../contract/resources/payment-method.ts'
import { transaction as transactionSchema } from '../contract/resources/card-transaction.ts'
import { customerMetadata } from '../contract/resources/customer-session.ts'
import { id } from '../contract/formats.ts'
import { resourceSchemas } from '../endpoints/resource-schemas.ts'
import { isPurchase, transactionOf } from '../endpoints/transactions.ts'
import { rowSchemas, type Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { partsOf, textsIn } from './placeholders.ts'
import { resourceNameOf, type RelatedResource } from './resource-names.ts'
import { shownAs } from './resource-of.ts'

/** A value that a body shows in addition: its schema, and how it is found around the row of the event. */
interface Related {
  readonly schema: z.ZodType
  readonly value: (around: ReturnType<typeof rowsAround>) => unknown
}

/** A row as the API shows it; null if there is none. */
const shownRow = (
  schema: z.ZodType,
  rowIn: (around: ReturnType<typeof rowsAround>) => object | undefined,
): Related => ({ schema, value: (around) => shown(schema, rowIn(around)) })

/** Every value, by its name. */
const related: ReadonlyMap<string, Related> = new Map(
  Object.entries({
    customer: shownRow(resourceSchemas.customers, ({ customer }) => customer()),
    transaction: shownRow(transactionSchema, ({ purchase }) => purchase()),
    payment_method: shownRow(resourceSchemas.payment_methods, ({ method }) => method()),
    card: { schema: card, value: ({ shownMethod }) => cardOf(shownMethod()) },
    transaction_intent: shownRow(resourceSchemas.transaction_intents, ({ intent }) => intent()),
    account: shownRow(rowSchemas.accounts, ({ account }) => account()),
    merchant_key: { schema: id, value: ({ customer }) => customer()?.product ?? null },
    customer_metadata: {
      schema: customerMetadata,
      value: ({ session }) => session()?.customer_metadata ?? {},
    },
  } satisfies Readonly<Record<RelatedResource | 'merchant_key' | 'customer_metadata', Related>>),
)

/** Returns the schema of a value that a body shows in addition; undefined for a name that is none. */
export const relatedSchema = (name: string): z.ZodType | undefined => related.get(name)?.schema

/** The values that each template needs, by their names: walked once, as an event is created for every change. */
const needsOf = new WeakMap<object, (readonly [name: string, Related])[]>()

function needs(template: object): (readonly [name: string, Related])[] {
  const known = needsOf.get(template)
  if (known) return known
  const parts = [...textsIn(template)].flatMap(({ text }) => partsOf(text))
  const used = new Set(parts.map((part) => (typeof part === 'string' ? '' : part.name.split('.')[0])))
  const found = [...related].filter(([name]) => used.has(name))
  needsOf.set(template, found)
  return found
}

/**
 * Returns the values that a body needs in addition, by their names; undefined if it needs none.
 * @param template of the body. @param row of the event. @param resource as the event has it.
 */
export function relatedTo(
  tx: Transaction,
  type: EventType,
  template: object,
  row: object,
  resource: object,
): Record<string, unknown> | undefined {
  const own = resourceNameOf(type)
  const needed = needs(template).filter(([name]) => name !== own)
  if (needed.length === 0) return undefined
  const around = rowsAround(tx, own, row, resource)
  return Object.fromEntries(needed.map(([name, { value }]) => [name, value(around)]))
}

const shown = (schema: z.ZodType, row: object | undefined): object | null =>
  row ? shownAs(schema, row) : null

const cardOf = (method: object | null): unknown =>
  fieldOf(method, 'card') ?? fieldOf(method, 'secured_credit_card') ?? null

const fieldOf = (row: object | null | undefined, field: string): unknown => row && Reflect.get(row, field)

/** The rows to which a row refers, directly or through its transaction. */
function rowsAround(tx: Transaction, own: string | undefined, row: object, resource: object) {
  const ownId = textIn(row, 'id')
  const transaction = transactionOfRow(tx, own, row)
  const idIn = (field: string): string => textIn(row, field) || textIn(transaction, field)
  const method = (): Row<'payment_methods'> | undefined =>
    tx.get('payment_methods', own === 'payment_method' ? ownId : idIn('payment_method_id'))
  const customerId = own === 'customer' ? ownId : idIn('customer_id')
  // A reward of another type, such as that of an offer, is not for its transaction.
  const isForPurchase = own !== 'reward' || textIn(resource, 'type') === 'TRANSACTION'
  return {
    purchase: () =>
      isForPurchase && transaction && isPurchase(transaction) ? transactionOf(transaction) : undefined,
    method,
    shownMethod: () =>
      own === 'payment_method' ? resource : shown(resourceSchemas.payment_methods, method()),
    customer: () => tx.get('customers', customerId),
    intent: () => tx.get('transaction_intents', idIn('intent_id')),
    account: () => tx.get('accounts', idIn('account_id') || textIn(method(), 'account_id')),
    session: () => tx.find('customer_sessions', 'by_customer', customerId),
  }
}

/** The transaction of a step, of the step of a reward, or the one that an intent announced. */
function transactionOfRow(
  tx: Transaction,
  own: string | undefined,
  row: object,
): Row<'transactions'> | undefined {
  if (own === 'transaction_intent') return tx.find('transactions', 'by_intent', textIn(row, 'id'))
  const step = tx.get('transaction_events', textIn(row, 'transaction_event_id'))
  return tx.get('transactions', step?.transaction_id ?? textIn(row, 'transaction_id'))
}

/** Returns a text of a row; an empty one, which is no id, if it has none. */
function textIn(row: object | undefined, field: string): string {
  const value = fieldOf(row, field)
  return typeof value === 'string' ? value : ''
}
