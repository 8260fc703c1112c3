// A complete row of an order event, for tests that need any row of no consequence.
import type { Row } from '../../src/store/rows.ts'

export const orderEventRow = (id: string, customerId: string): Row<'order_events'> => ({
  id,
  customer_id: customerId,
  order_id: 'order_1',
  type: 'CAPTURED',
  amount: 100,
  network_transaction_id: 'ntx_1',
})
