// Rows for events of every type: a purchase from authorisation to refund, a voided one, their rewards, two sessions.
import type { EventType } from '../../src/contract/event-types.ts'
import { startSandbox, testNow, type WideOptions } from './sandbox.ts'

const step = (transaction: string, status: string, minute: string, amount = 4599) => ({
  id: `txe_${transaction}_${status.toLowerCase()}`,
  transaction_id: `txn_${transaction}`,
  account_id: 'acct_ada',
  status,
  amount,
  posted_at: `2026-11-20T10:${minute}:00.000Z`,
})

const purchase = (name: string, status: string, more: object) => ({
  id: `txn_${name}`,
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  account_id: 'acct_ada',
  currency: 'USD',
  status,
  merchant_name: 'Skyline Air',
  merchant_code: '4511',
  network_transaction_id: `ntx_${name}`,
  created_at: '2026-11-20T10:00:00.000Z',
  ...more,
})

const session = (name: string, created: string, segment: string) => ({
  id: `ses_${name}`,
  customer_id: 'cus_ada',
  client_secret: `secret_${name}`,
  created_at: created,
  expires_at: '2026-11-20T12:00:00.000Z',
  customer_metadata: { segment },
})

export const eventRows = {
  transactions: [
    purchase('buy', 'REFUNDED', {
      amount: 1000,
      updated_at: '2026-11-20T10:03:00.000Z',
      intent_id: 'int_ada_1',
      authorization_code: 'A1B2C3',
      purchase_method: 'CHIP',
    }),
    purchase('void', 'VOIDED', { amount: 4599, updated_at: '2026-11-20T10:01:00.000Z' }),
  ],
  transaction_events: [
    step('buy', 'APPROVED', '00', 5000),
    step('buy', 'UPDATED', '01'),
    step('buy', 'CAPTURED', '02'),
    { ...step('buy', 'REFUNDED', '03', 1000), capture_id: 'txe_buy_captured' },
    step('void', 'APPROVED', '00'),
    step('void', 'VOIDED', '01'),
  ],
  rewards: [
    {
      id: 'rwd_buy',
      customer_id: 'cus_ada',
      transaction_event_id: 'txe_buy_captured',
      amount: 92,
      type: 'TRANSACTION',
      currency: 'POINTS',
      status: 'PENDING',
      created_at: '2026-11-20T10:02:00.000Z',
    },
  ],
  customer_sessions: [
    session('new', '2026-11-20T11:00:00.000Z', 'gold'),
    session('old', '2026-11-20T09:00:00.000Z', 'silver'),
  ],
}

/** The id of a row that an event of each type can be about; undefined for the types without rows. */
export const rowForEvent: Readonly<Record<EventType, string | undefined>> = {
  'transaction_intent.created': 'int_ada_1',
  'transaction_intent.updated': 'int_ada_1',
  'reward.created': 'rwd_buy',
  'reward.updated': 'rwd_ada_pending',
  'customer.linked': 'cus_ada',
  'order_event.deleted': 'ord_ada_1',
  'statement.created': 'stm_ada_27',
  'transaction.approved': 'txe_buy_approved',
  'transaction.updated': 'txn_buy',
  'transaction.voided': 'txn_void',
  'transaction.captured': 'txn_buy',
  'transaction.refunded': 'txn_buy',
  'payment_method.created': 'pm_ada_card',
  'payment_method.updated': 'pm_ada_secured',
  'account.closed': 'acct_ada',
  APPLICATION: undefined,
  STREAK: undefined,
}

/** Starts a sandbox with these rows. */
export const eventWorld = (options: WideOptions) =>
  startSandbox({ fixtures: ['default', eventRows], ...options })

export type EventWorld = Awaited<ReturnType<typeof eventWorld>>

/** Triggers an event of a type about its row. */
export const triggerIn = ({ events }: Pick<EventWorld, 'events'>, type: EventType, data: object = {}) => {
  const id = rowForEvent[type]
  return events.trigger(type, { ...(id !== undefined && { id }), data: { ...data } })
}

export { testNow }
