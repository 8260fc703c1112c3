// The field that identifies the rows of each collection, and the fields that refer to rows of others. Imports no
// schema.
import type { CollectionName, Row } from './rows.ts'

/** The field that identifies a row, if it is not `id`. */
const idFields = {
  products: 'merchant_key',
  statements: 'statement_id',
} as const satisfies { readonly [C in CollectionName]?: keyof Row<C> }

/** The name of the field that identifies the rows of a collection, as a type. */
export type IdField<C extends CollectionName> = C extends keyof typeof idFields ? (typeof idFields)[C] : 'id'

/** The name of the field that identifies the rows of a collection. */
export function idField(collection: CollectionName): string {
  const named: { readonly [C in CollectionName]?: string } = idFields
  return named[collection] ?? 'id'
}

/** Returns the noun for one row of a collection. */
export function nounOf(collection: CollectionName): string {
  return collection.replace(/s$/, '').replaceAll('_', ' ')
}

/** The fields of a row that refer to rows of other collections; a reference must resolve. */
export const references: {
  readonly [C in CollectionName]: { readonly [field: string]: CollectionName }
} = {
  products: {},
  api_keys: { products: 'products' },
  customers: { product: 'products' },
  links: { id: 'customers' },
  accounts: { customer_id: 'customers' },
  payment_methods: { customer_id: 'customers', account_id: 'accounts' },
  rewards: { customer_id: 'customers' },
  transaction_intents: { customer_id: 'customers', payment_method_id: 'payment_methods' },
  statements: { customer_id: 'customers', account_id: 'accounts' },
  orders: { customer_id: 'customers', payment_method_id: 'payment_methods' },
  // The order of an event may be gone, as events are what happened.
  order_events: { customer_id: 'customers' },
  transactions: {
    customer_id: 'customers',
    payment_method_id: 'payment_methods',
    account_id: 'accounts',
    intent_id: 'transaction_intents',
    statement_id: 'statements',
  },
  transaction_events: {
    transaction_id: 'transactions',
    account_id: 'accounts',
    capture_id: 'transaction_events',
    reward_id: 'rewards',
    statement_id: 'statements',
  },
  offers: { customer_id: 'customers' },
  customer_sessions: { customer_id: 'customers' },
  webhook_endpoints: {},
  // Attempts outlive their endpoint.
  events: {},
}
