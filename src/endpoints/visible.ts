// Which rows a call may see: those of the product its key selected (contract: Authentication 9).
import { endOfTime } from '../runtime/clock.ts'
import type { CustomerRow, Row } from '../store/rows.ts'
import type { AnyCall } from './define.ts'

/** A row of another product is answered like one that does not exist. */
export type Viewer = Pick<AnyCall, 'tx' | 'product'>

/** The collections whose rows belong to a customer. */
type OwnedCollection =
  'payment_methods' | 'rewards' | 'transaction_intents' | 'order_events' | 'accounts' | 'statements'

/** The customer, when this call may see them. */
export function visibleCustomer({ tx, product }: Viewer, id: string): CustomerRow | undefined {
  const customer = tx.get('customers', id)
  return customer?.product === product.merchant_key ? customer : undefined
}

/** A row that belongs to a customer, when this call may see that customer. */
export function visibleRow<C extends OwnedCollection>(
  viewer: Viewer,
  collection: C,
  id: string,
): Row<C> | undefined {
  const row = viewer.tx.get(collection, id)
  return row !== undefined && visibleCustomer(viewer, row.customer_id) ? row : undefined
}

/**
 * The instant of a change: now, but always after the change before it, so that `updated_at` tells two changes apart
 * even on a frozen clock.
 */
export function changedAt(now: number, row: { created_at: string; updated_at?: string | undefined }): string {
  const before = Date.parse(row.updated_at ?? row.created_at)
  return new Date(Math.min(Math.max(now, before + 1), endOfTime)).toISOString()
}
