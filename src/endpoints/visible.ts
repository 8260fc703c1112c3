// Restricts rows to those that a call may see: the rows of the selected product (contract: Authentication 9).
import type { CustomerRow, Row } from '../store/rows.ts'
import type { AnyCall } from './define.ts'

/** The context of visibility. A row of another product is treated as one that does not exist. */
export type Viewer = Pick<AnyCall, 'tx' | 'product'>

/** The collections whose rows belong to a customer. */
export const ownedCollections = [
  'accounts',
  'payment_methods',
  'rewards',
  'transaction_intents',
  'statements',
  'orders',
  'order_events',
  'transactions',
  'offers',
  'customer_sessions',
] as const
type OwnedCollection = (typeof ownedCollections)[number]

/** Returns the customer, if this call may see them. */
export function visibleCustomer({ tx, product }: Viewer, id: string): CustomerRow | undefined {
  const customer = tx.get('customers', id)
  return customer?.product === product.merchant_key ? customer : undefined
}

/** Returns a customer's row, if this call may see that customer. */
export function visibleRow<C extends OwnedCollection>(
  viewer: Viewer,
  collection: C,
  id: string,
): Row<C> | undefined {
  const row = viewer.tx.get(collection, id)
  return row !== undefined && visibleCustomer(viewer, row.customer_id) ? row : undefined
}
