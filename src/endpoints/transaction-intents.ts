// Transaction intent endpoints: create and retrieve a transaction intent.
import { z } from 'zod'
import { docs, documented, exampleOf } from '../contract/docs.ts'
import { currencyCode, dateOrTimestamp, metadata } from '../contract/formats.ts'
import { address } from '../contract/resources/address.ts'
import { createdIntentStatus, transactionIntent } from '../contract/resources/transaction-intent.ts'
import { expectedAt, groupOf, isGroup } from '../store/indexes.ts'
import type { CustomerRow, PaymentMethodRow } from '../store/rows.ts'
import { endpoint, type AnyCall, type Rules } from './define.ts'
import {
  amountInForce,
  amountRules,
  metadataInRequest,
  metadataRules,
  notZero,
  zeroInForce,
  requestedAmount,
} from './parameters.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

/** An address in a request, which may have unknown fields. */
const merchantAddress = documented(address.strip(), {
  ...docs.get(address),
  id: 'MerchantAddress',
  description: 'The address of the merchant; every part is optional.',
})

/** The fields that are required in addition to customer_id, amount and currency, by assumption. */
export const additionalRequiredFields = {
  customer_amount_currency: [],
  with_payment_method: ['payment_method_id'],
  with_payment_method_and_network_id: ['payment_method_id', 'network_transaction_id'],
} as const

/** Fields that only some values of the assumption require: a call without one of them depends on the assumption. */
const requirable = [...new Set(Object.values(additionalRequiredFields).flat())]

const intentRules: Rules = (body, assume, values) => {
  const violations: string[] = []
  if (requirable.some((field) => body[field] === undefined)) {
    const beyond = additionalRequiredFields[assume('intent_required_fields')]
    violations.push(
      ...beyond.filter((field) => body[field] === undefined).map((field) => `${field}: is required`),
    )
  }
  return [...violations, ...amountAndMetadataRules(body, assume, values)]
}

type Assuming = Pick<AnyCall, 'tx' | 'values' | 'assume'>

/** The violation of a network id that another intent of the customer has, if reuse is refused. */
export function reusedNetworkId(
  { tx, values, assume }: Assuming,
  customerId: string,
  networkId: string | undefined,
): string[] {
  if (values.intent_network_id_reuse !== 'refuse' || networkId === undefined || !isGroup(networkId)) return []
  if (!tx.find('transaction_intents', 'by_network_id', groupOf(customerId, networkId))) return []
  assume('intent_network_id_reuse')
  return ['network_transaction_id: must not be that of another transaction intent']
}

/** The violation of a currency other than that of the account of a payment method. */
export function foreignCurrency(
  { tx, assume }: Assuming,
  { account_id: accountId }: PaymentMethodRow,
  currency: string,
): string[] {
  const account = accountId === undefined ? undefined : tx.get('accounts', accountId)
  const isForeign = account !== undefined && account.currency !== currency
  if (!isForeign || assume('intent_currency') !== 'of_the_account') return []
  return ['currency: must be that of the account of the payment method']
}

/** The rules of the amount and the metadata of an intent. */
export const amountAndMetadataRules: Rules = (body, assume, values) => [
  ...(body['amount'] === 0 && assume('zero_amount') === 'refuse' ? [notZero] : []),
  ...amountRules(body, assume, values),
  ...metadataRules(body, assume, values),
]

const aboutCurrency = {
  description: 'A 3-character ISO 4217 code.',
  'x-assumption': 'intent_currency',
} as const

const describeIntent = <S extends z.ZodObject>(schema: S): S =>
  documented(
    schema,
    {
      id: 'NewTransactionIntent',
      description: 'The fields of a new transaction intent.',
      'x-assumption': 'intent_required_fields',
      examples: [
        {
          customer_id: 'cus_ada',
          amount: 4599,
          currency: 'USD',
          payment_method_id: 'pm_ada_card',
          network_transaction_id: '016153570198200',
          merchant_name: 'Skyline Air',
          merchant_address: exampleOf(address),
          merchant_id: 'mer_skyline',
          merchant_code: '4511',
          expected_date: '2026-11-22',
          metadata: { order: 'A-1027' },
        },
      ],
    },
    ({ intent_required_fields }) => ({ required: additionalRequiredFields[intent_required_fields] }),
  )

const newIntent = describeIntent(
  z.object({
    customer_id: documented(z.string(), {
      description: 'The customer who makes the transaction.',
      'x-assumption': 'intent_closed_customer',
    }),
    amount: documented(
      requestedAmount.clone(),
      {
        description: 'An amount in minimum currency units.',
        'x-assumption': ['negative_amount', 'zero_amount'],
      },
      (values) => ({
        ...amountInForce(values),
        ...zeroInForce(values.zero_amount),
      }),
    ),
    currency: documented(currencyCode.clone(), aboutCurrency),
    payment_method_id: documented(z.string().optional(), {
      description: 'A payment method of the customer.',
      'x-assumption': [
        'intent_payment_method_status',
        'intent_inactive_method',
        'intent_payment_method_type',
        'intent_foreign_payment_method',
      ],
    }),
    network_transaction_id: documented(z.string().optional(), {
      description: "The network's unique transaction, trace or reference id.",
      'x-assumption': 'intent_network_id_reuse',
    }),
    merchant_name: z.string().optional(),
    merchant_address: merchantAddress.optional(),
    merchant_id: z.string().optional(),
    merchant_code: z.string().optional(),
    expected_date: documented(dateOrTimestamp.optional(), {
      description: 'A hint for linking a later transaction to this intent; it need not be exact.',
      'x-assumption': 'intent_past_date',
    }),
    metadata: documented(metadata.optional(), metadataInRequest),
  }),
)

export const createTransactionIntent = endpoint({
  id: 'createTransactionIntent',
  method: 'POST',
  path: '/v2/transaction_intents',
  summary: 'Create a transaction intent',
  scope: 'TRANSACTION_INTENT_WRITE',
  params: {},
  body: () => newIntent,
  rules: intentRules,
  status: (assume) => assume('create_status'),
  result: transactionIntent,
  errors: [
    { type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' },
    { type: 'PAYMENT_METHOD_NOT_FOUND_ERROR', on: 'The payment method is unknown.' },
    {
      type: 'PAYMENT_METHOD_NOT_FOUND_ERROR',
      on: 'The payment method belongs to another customer.',
      when: ['intent_foreign_payment_method', 'not_found'],
    },
  ],
  gives: () => ({ status: [createdIntentStatus] }),
  handler(call) {
    const { body, tx, now, assume, fail, invalid } = call
    const customer = visibleCustomer(call, body.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const created = new Date(now).toISOString()
    const refused: string[] = []
    if (body.payment_method_id !== undefined) checkMethod(body.payment_method_id)
    if (isClosed(customer) && assume('intent_closed_customer') === 'refuse') {
      refused.push('customer_id: must not be a closed customer')
    }
    refused.push(...reusedNetworkId(call, customer.id, body.network_transaction_id))
    if (isPast(body.expected_date) && assume('intent_past_date') === 'refuse') {
      refused.push('expected_date: must not be in the past')
    }
    if (refused.length > 0) invalid(...refused)
    // Build it field by field, so that all intents have one object shape. A clone of the body outgrows its allocated
    // slots, which cost 1 to 3 µs.
    return tx.insert('transaction_intents', 'int', (id) => ({
      id,
      customer_id: body.customer_id,
      amount: body.amount,
      currency: body.currency,
      payment_method_id: body.payment_method_id,
      network_transaction_id: body.network_transaction_id,
      merchant_name: body.merchant_name,
      merchant_address: body.merchant_address,
      merchant_id: body.merchant_id,
      merchant_code: body.merchant_code,
      expected_date: body.expected_date,
      metadata: body.metadata,
      status: createdIntentStatus,
      created_at: created,
    }))

    function checkMethod(id: string): void {
      const method = tx.get('payment_methods', id)
      if (method?.customer_id !== customer.id) {
        const isForeign = method !== undefined && visibleCustomer(call, method.customer_id) !== undefined
        if (!isForeign || assume('intent_foreign_payment_method') === 'not_found') {
          fail('PAYMENT_METHOD_NOT_FOUND_ERROR')
        }
        refused.push('payment_method_id: must be a payment method of the customer')
        return
      }
      if (method.status === 'CANCELED' && assume('intent_payment_method_status') === 'refuse') {
        refused.push('payment_method_id: must not be a canceled payment method')
      }
      if (method.status === 'INACTIVE' && assume('intent_inactive_method') === 'refuse') {
        refused.push('payment_method_id: must not be an inactive payment method')
      }
      if (method.type !== 'CARD' && assume('intent_payment_method_type') === 'refuse') {
        refused.push('payment_method_id: must be a card')
      }
      refused.push(...foreignCurrency(call, method, body.currency))
    }

    /** A date is past when its day is over in UTC. */
    function isPast(expected: string | undefined): boolean {
      if (expected === undefined) return false
      if (expected.length === 10) return expected < created.slice(0, 10)
      return expectedAt({ expected_date: expected, created_at: created }) < now
    }
  },
})

/** Whether a customer is closed in every card program and has at least one. */
function isClosed({ statuses }: CustomerRow): boolean {
  const all = Object.values(statuses)
  return all.length > 0 && all.every((status) => status === 'CLOSED')
}

export const retrieveTransactionIntent = endpoint({
  id: 'retrieveTransactionIntent',
  method: 'GET',
  path: '/v2/transaction_intents/{intent_id}',
  summary: 'Retrieve a transaction intent',
  scope: 'TRANSACTION_INTENT_READ',
  params: { intent_id: 'The id of the transaction intent.' },
  result: transactionIntent,
  errors: [{ type: 'TRANSACTION_INTENT_FOUND_ERROR', on: 'The transaction intent is unknown.' }],
  handler: (call) =>
    visibleRow(call, 'transaction_intents', call.params.intent_id) ??
    call.fail('TRANSACTION_INTENT_FOUND_ERROR'),
})
