import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { idAt } from '../../src/runtime/ids.ts'
import type { CollectionName, CustomerRow, ProductRow, Row } from '../../src/store/rows.ts'
import { State } from '../../src/store/state.ts'
import { Transaction } from '../../src/store/transaction.ts'

/** A small world without a sandbox around it, for properties that need thousands of them. */

export const now = Date.parse('2026-11-21T12:00:00Z')

const made = '2026-01-01T00:00:00Z'

export type Rows = { [C in CollectionName]?: readonly Row<C>[] }

export const customer = (id: string, product = 'mk_1'): CustomerRow => ({
  id,
  product,
  email: 'a@example.com',
  first_name: 'A',
  last_name: 'B',
  statuses: {},
  created_at: made,
})

export const product = (
  rewards: Partial<ProductRow['rewards']> = {},
  merchant_key: string = 'mk_1',
): ProductRow => ({
  merchant_key,
  name: 'Program',
  rewards: {
    currency: 'POINTS',
    symbol: 'points',
    description: 'Points',
    precision: 8,
    categories: [category('Base', '1')],
    special_categories: [],
    ...rewards,
  },
})

export const category = (
  name: string,
  earn_rate: string,
  merchants: string[] = [],
): ProductRow['rewards']['categories'][number] => ({
  name,
  description: name,
  earn_rate,
  type: 'BASE',
  merchants,
})

export const card = (id: string, customer_id: string, account_id?: string): Row<'payment_methods'> => ({
  id,
  customer_id,
  type: 'CARD',
  status: 'ACTIVE',
  created_at: made,
  card: { last4: '4242' },
  ...(account_id === undefined ? {} : { account_id }),
})

export const intent = (
  id: string,
  more: Partial<Row<'transaction_intents'>> = {},
): Row<'transaction_intents'> => ({
  id,
  customer_id: 'cus_1',
  amount: 1000,
  currency: 'USD',
  status: 'CONFIRMED',
  created_at: made,
  ...more,
})

/** A payment or a credit; with a status a purchase, whose steps have times of their own. */
export const transaction = (id: string, more: Partial<Row<'transactions'>> = {}): Row<'transactions'> => ({
  id,
  customer_id: 'cus_1',
  amount: 1000,
  currency: 'USD',
  merchant_name: 'Shop',
  created_at: made,
  ...(more.status === undefined ? { posted_at: made } : {}),
  ...more,
})

/** A capture of transaction `txn_1`, on no account. */
export const step = (
  id: string,
  more: Partial<Row<'transaction_events'>> = {},
): Row<'transaction_events'> => ({
  id,
  transaction_id: 'txn_1',
  status: 'CAPTURED',
  amount: 1000,
  posted_at: made,
  ...more,
})

export const statement = (id: string, more: Partial<Row<'statements'>> = {}): Row<'statements'> => ({
  statement_id: id,
  customer_id: 'cus_1',
  account_id: 'acct_1',
  period_start_date: '2026-10-01T00:00:00Z',
  period_end_date: '2026-10-31T23:59:59Z',
  due_date: '2026-11-25T23:59:59Z',
  currency: 'USD',
  statement_balance: 0,
  minimum_due: 0,
  previous_balance: 0,
  purchases: 0,
  payments: 0,
  credits: 0,
  refunds: 0,
  interest: 0,
  fees: 0,
  ...more,
})

/** A state of customers `cus_1` and `cus_2` of one product, and the given rows. */
export function worldOf(rows: Rows): State {
  const account = { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } } as const
  const state = State.empty(account, resolveAssumptions())
  const put = <C extends CollectionName>(collection: C, list: readonly Row<C>[] = []): void => {
    for (const row of list) state.put(collection, row)
  }
  put('products', rows.products ?? [product()])
  put('customers', rows.customers ?? [customer('cus_1'), customer('cus_2')])
  put('accounts', rows.accounts)
  put('payment_methods', rows.payment_methods)
  put('rewards', rows.rewards)
  put('transaction_intents', rows.transaction_intents)
  put('statements', rows.statements)
  put('transactions', rows.transactions)
  put('transaction_events', rows.transaction_events)
  return state
}

export function begin(state: State): Transaction {
  return new Transaction(state, (place, prefix) => idAt(1, place, prefix))
}
