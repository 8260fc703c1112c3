// Transaction endpoint: retrieve a transaction (assumption `unlisted_operations`).
import type { z } from 'zod'
import { transaction, type transactionAtStep } from '../contract/resources/card-transaction.ts'
import type { Row } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { visibleRow } from './visible.ts'

/** A card transaction, which has steps: the API shows no payments and credits. */
export type Purchase = Row<'transactions'> & { status: NonNullable<Row<'transactions'>['status']> }

export const isPurchase = (row: Row<'transactions'>): row is Purchase => row.status !== undefined

/** A transaction as answers show it. */
export function transactionOf(row: Purchase): z.input<typeof transaction> {
  const {
    merchant_name: name,
    merchant_code: code,
    merchant,
    account_id: _account,
    statement_id: _statement,
    posted_at: _posted,
    ...shown
  } = row
  return {
    ...shown,
    network_transaction_id: row.network_transaction_id ?? `ntx_${row.id}`,
    merchant: { ...merchant, name, ...(code === undefined ? {} : { category_code: code }) },
  }
}

/** A transaction as it is at a step. */
export function transactionAt(
  row: Row<'transactions'>,
  { id, n, status, amount, posted_at: posted }: Row<'transaction_events'>,
): z.input<typeof transactionAtStep> {
  const { updated_at: _latest, ...first } = row
  const isFirst = n === undefined ? row.created_at === posted : n === 1
  const updated = isFirst ? {} : { updated_at: posted }
  return { ...transactionOf({ ...first, ...updated, status, amount }), event_id: id }
}

export const retrieveTransaction = endpoint({
  listed: false,
  id: 'retrieveTransaction',
  method: 'GET',
  path: '/v2/transactions/{transaction_id}',
  summary: 'Retrieve a transaction',
  params: { transaction_id: 'The id of the transaction.' },
  result: transaction,
  errors: [{ type: 'TRANSACTION_FOUND_ERROR', on: 'The transaction is unknown.' }],
  handler(call) {
    const found = visibleRow(call, 'transactions', call.params.transaction_id)
    return found && isPurchase(found) ? transactionOf(found) : call.fail('TRANSACTION_FOUND_ERROR')
  },
})
