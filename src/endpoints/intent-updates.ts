// Transaction intents beyond the contract: list them, and update one (assumption `unlisted_operations`).
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { currencyCode, metadata } from '../contract/formats.ts'
import { intentStatuses, transactionIntent } from '../contract/resources/transaction-intent.ts'
import { groupOfAnyText } from '../store/indexes.ts'
import { changedAt } from '../store/changed-at.ts'
import { endpoint } from './define.ts'
import { describedPage, filterBy, newestBy, pageOfRows, pageParameters } from './page-of-rows.ts'
import { amountInForce, metadataInRequest, requestedAmount, zeroInForce } from './parameters.ts'
import { amountAndMetadataRules, foreignCurrency, reusedNetworkId } from './transaction-intents.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

const intentStatus = z.enum(intentStatuses)

export const listTransactionIntents = endpoint({
  listed: false,
  id: 'listTransactionIntents',
  method: 'GET',
  path: '/v2/transaction_intents',
  summary: 'List transaction intents',
  scope: 'TRANSACTION_INTENT_READ',
  params: {},
  query: {
    type: {
      schema: intentStatus.optional(),
      description: 'The status to list.',
      example: 'CONFIRMED',
    },
    customer_id: filterBy('The customer whose intents to list.', 'cus_ada'),
    ...pageParameters('transaction intents', 'int_ada_1'),
  },
  result: describedPage(transactionIntent, 'A page of transaction intents, newest first.'),
  pagination: 'id',
  handler(call) {
    const { query, tx } = call
    const { type: status, customer_id: customerId } = query
    const all = () =>
      customerId === undefined
        ? newestBy([...tx.all('transaction_intents')], ({ created_at: created }) => created)
        : tx.scan('transaction_intents', 'by_customer', customerId)
    const rows = () =>
      all().filter(
        (row) =>
          (status === undefined || row.status === status) &&
          visibleCustomer(call, row.customer_id) !== undefined,
      )
    const list = {
      collection: 'transaction_intents',
      prefix: 'int',
      rows,
      unique: ['partner_transaction_id'],
      datedBy: 'created_at',
    } as const
    return pageOfRows(call, list, query)
  },
})

export const updateTransactionIntent = endpoint({
  listed: false,
  id: 'updateTransactionIntent',
  method: 'POST',
  path: '/v2/transaction_intents/{intent_id}',
  summary: 'Update a transaction intent',
  scope: 'TRANSACTION_INTENT_WRITE',
  params: { intent_id: 'The id of the transaction intent.' },
  body: documented(
    z.object({
      customer_id: documented(z.string(), { description: 'The customer of the intent.' }),
      amount: documented(
        requestedAmount.clone(),
        {
          description: 'The final amount in minimum currency units.',
          'x-assumption': ['negative_amount', 'zero_amount'],
        },
        (values) => ({ ...amountInForce(values), ...zeroInForce(values.zero_amount) }),
      ),
      status: documented(intentStatus.clone(), { description: 'The outcome.' }),
      currency: documented(currencyCode.optional(), {
        description: 'A 3-character ISO 4217 code.',
        'x-assumption': 'intent_currency',
      }),
      network_transaction_id: documented(z.string().optional(), {
        description: "The network's unique transaction, trace or reference id.",
        'x-assumption': 'intent_network_id_reuse',
      }),
      partner_transaction_id: documented(z.string().optional(), {
        description: "The partner's unique transaction identifier.",
      }),
      metadata: documented(metadata.optional(), metadataInRequest),
    }),
    {
      id: 'TransactionIntentUpdate',
      description: 'The outcome; a field that is omitted stays as it is.',
      examples: [
        { customer_id: 'cus_ada', amount: 4199, status: 'CONFIRMED', metadata: { order: 'A-1027' } },
      ],
    },
  ),
  rules: amountAndMetadataRules,
  result: transactionIntent,
  errors: [{ type: 'TRANSACTION_INTENT_FOUND_ERROR', on: 'The transaction intent is unknown.' }],
  handler(call) {
    const { params, body, tx, now, fail, invalid } = call
    const current =
      visibleRow(call, 'transaction_intents', params.intent_id) ?? fail('TRANSACTION_INTENT_FOUND_ERROR')
    const { partner_transaction_id: partnerId, network_transaction_id: networkId } = body
    const { currency = current.currency } = body
    const refused: string[] = []
    if (body.customer_id !== current.customer_id)
      refused.push('customer_id: must be the customer of the intent')
    if (networkId !== current.network_transaction_id) {
      refused.push(...reusedNetworkId(call, current.customer_id, networkId))
    }
    const method = tx.get('payment_methods', current.payment_method_id ?? '')
    if (method && currency !== current.currency) refused.push(...foreignCurrency(call, method, currency))
    const other =
      partnerId === undefined
        ? undefined
        : tx.find('transaction_intents', 'by_partner_transaction_id', groupOfAnyText(partnerId))
    if (other && other.id !== current.id) {
      refused.push('partner_transaction_id: must not be that of another transaction intent')
    }
    if (refused.length > 0) invalid(...refused)
    const updated = { ...current, ...body, currency }
    // Without a change it stays as it is, so that no event reports one.
    if (isDeepStrictEqual(updated, current)) return current
    return tx.put('transaction_intents', { ...updated, updated_at: changedAt(now, current) })
  },
})
