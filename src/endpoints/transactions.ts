// Transaction endpoint: retrieve a transaction (assumption `unlisted_operations`).
import type { z } from 'zod'
import { transaction } from '../contract/resources/card-transaction.ts'
import type { Row } from '../store/rows.ts'
import { endpoint, type AnyCall } from './define.ts'
import { visibleRow } from './visible.ts'

/** A transaction as answers show it. */
export function transactionOf(
  { merchant_name: name, merchant_code: code, posted_at: posted, ...row }: Row<'transactions'>,
  { tx }: Pick<AnyCall, 'tx'>,
): z.input<typeof transaction> {
  const { id, customer_id, payment_method_id, amount, currency, intent_id } = row
  const announced = intent_id === undefined ? undefined : tx.get('transaction_intents', intent_id)
  return {
    id,
    customer_id,
    payment_method_id,
    amount,
    currency,
    status: 'CAPTURED',
    network_transaction_id: announced?.network_transaction_id ?? `ntx_${id}`,
    created_at: posted,
    intent_id,
    merchant: { name, ...(code === undefined ? {} : { category_code: code }) },
  }
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
  handler: (call) =>
    transactionOf(
      visibleRow(call, 'transactions', call.params.transaction_id) ?? call.fail('TRANSACTION_FOUND_ERROR'),
      call,
    ),
})
