/** Sandboxes that serve the operations outside the contract, with rows for each of them, and a success of each. */
import { allEndpoints } from '../../src/endpoints/index.ts'
import type { Endpoint } from '../../src/endpoints/define.ts'
import { startSandbox, type Answered, type CallApi, type CallOptions, type WideOptions } from './sandbox.ts'

export const documented = { unlisted_operations: 'documented' } as const

/** The operations outside the contract. */
export const unlisted: readonly Endpoint[] = allEndpoints.filter(({ listed }) => !listed)

/** The default rows, and rows of both products in the collections that have none by default. */
export const rowsOfAll: readonly (string | object)[] = [
  'fixtures/default.json',
  {
    transactions: [
      {
        id: 'txn_ada_1',
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        account_id: 'acct_ada',
        amount: 8400,
        currency: 'USD',
        merchant_name: 'Corner Bistro',
        status: 'CAPTURED',
        merchant_code: '5812',
        intent_id: 'int_ada_1',
        network_transaction_id: 'ntx_ada_0001',
        created_at: '2026-10-21T06:00:00.000Z',
      },
      {
        id: 'txn_ada_2',
        customer_id: 'cus_ada',
        amount: 150,
        currency: 'USD',
        status: 'REFUNDED',
        merchant_name: 'Wool & Co.',
        created_at: '2026-10-31T06:00:00.000Z',
      },
      {
        id: 'txn_ada_3',
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_bank',
        amount: -5000,
        currency: 'USD',
        merchant_name: 'Payment, thank you',
        posted_at: '2026-11-01T06:00:00.000Z',
      },
      {
        id: 'txn_hana_1',
        customer_id: 'cus_hana',
        amount: 4200,
        currency: 'USD',
        status: 'APPROVED',
        merchant_name: 'Coastline Fuel',
        created_at: '2026-10-26T06:00:00.000Z',
      },
    ],
    offers: [
      {
        id: 'offer_ada',
        customer_id: 'cus_ada',
        is_prescreened: true,
        title: 'Summit Rewards Card',
        description: 'You are preselected.',
      },
      {
        id: 'offer_ivan',
        customer_id: 'cus_ivan',
        is_prescreened: false,
        title: 'Harbor Cash Card',
        description: 'Cash back on fuel.',
      },
    ],
    customer_sessions: [
      {
        id: 'ses_ada_1',
        customer_id: 'cus_ada',
        client_secret: 'secret_session_ada',
        created_at: '2026-11-21T11:45:00.000Z',
        expires_at: '2026-11-21T12:15:00.000Z',
        source: 'checkout',
        metadata: { cart: { items: 2 } },
        customer_metadata: { segment: 'gold' },
        transaction_amount: 8400,
        transaction_currency: 'USD',
      },
      {
        id: 'ses_hana_1',
        customer_id: 'cus_hana',
        client_secret: 'secret_session_hana',
        created_at: '2026-11-21T11:45:00.000Z',
        expires_at: '2026-11-21T12:15:00.000Z',
      },
    ],
  },
]

/** A sandbox that serves every operation. */
export function startServing(options: WideOptions = {}): ReturnType<typeof startSandbox> {
  const { assume = {}, fixtures = rowsOfAll, ...rest } = options
  return startSandbox({ ...rest, fixtures, assume: { ...documented, ...assume } })
}

export const newOrder = {
  payment_method_id: 'pm_ada_card',
  partner_order_id: 'A-2000',
  total_order_amount: 500,
} as const

export const newOrderEvent = {
  order_id: 'order_ada_1',
  type: 'CAPTURED',
  amount: 500,
  network_transaction_id: 'ntx_new',
} as const

export const newStep = {
  payment_method_id: 'pm_ada_card',
  status: 'REFUNDED',
  transaction_id: 'txn_ada_1',
  amount: 400,
} as const

export const outcome = { customer_id: 'cus_ada', amount: 8000, status: 'CANCELED' } as const

/** A call that succeeds, of each operation outside the contract. */
export const successes: Readonly<Record<string, readonly [path: string, json?: object]>> = {
  searchCustomersByBody: ['/v2/customers', { partner_customer_id: 'partner-ada' }],
  retrieveCustomer: ['/v2/customers/cus_ada'],
  listAccounts: ['/v2/customers/cus_ada/accounts'],
  listCustomerPaymentMethods: ['/v2/customers/cus_ada/payment_methods'],
  listCustomerTransactionIntents: ['/v2/customers/cus_ada/transaction_intents'],
  listCustomerTransactions: ['/v2/customers/cus_ada/transactions'],
  listCustomerRewards: ['/v2/customers/cus_ada/rewards'],
  listPaymentMethodsByQuery: ['/v2/payment_methods?customer_id=cus_ada'],
  listTransactionIntents: ['/v2/transaction_intents'],
  updateTransactionIntent: ['/v2/transaction_intents/int_ada_1', outcome],
  retrieveTransaction: ['/v2/transactions/txn_ada_1'],
  listRewards: ['/v2/rewards'],
  listOrderEvents: ['/v2/order_events'],
  createOrderEvent: ['/v2/order_events', newOrderEvent],
  listOrders: ['/v2/orders'],
  createOrder: ['/v2/orders', newOrder],
  replaceOrder: ['/v2/orders/order_ada_1', newOrder],
  deleteOrder: ['/v2/orders/order_ada_1'],
  retrieveOffer: ['/v2/offers?partner_customer_id=partner-ada'],
  createCustomerSession: ['/v2/customer_sessions', { customer_id: 'cus_ada' }],
  retrieveCustomerSession: ['/v2/customer_sessions/ses_ada_1'],
  deleteApiKey: ['/v2/keys'],
  simulateTransactionEvent: ['/v2/simulate_transaction_event', newStep],
  simulateReward: ['/v2/simulate_reward', { customer_id: 'cus_ada', reward_type: 'STATEMENT' }],
}

/** Makes the successful call of an operation. */
export function succeed(
  call: CallApi,
  { id, method }: Endpoint,
  options: CallOptions = {},
): Promise<Answered> {
  const [path = '', json] = successes[id] ?? []
  return call(method, path, json === undefined ? options : { json, ...options })
}

export const harbor: CallOptions = {
  key: 'sk_sandbox_multi',
  headers: { 'x-service-merchant-key': 'mk_harbor' },
}
