// Operations of a sandbox: simulate a step in the life of a transaction, settle rewards (assumption
// `unlisted_operations`). They answer by the functions of the control plane's simulation.
import { z } from 'zod'
import { documented, requiresField } from '../contract/docs.ts'
import { currencyCode, id, minorUnits } from '../contract/formats.ts'
import { address } from '../contract/resources/address.ts'
import { merchant, purchaseMethods, transactionStatus } from '../contract/resources/card-transaction.ts'
import { DocumentError } from '../input/problems.ts'
import { ConflictError } from '../input/refusals.ts'
import { simulateTransaction, unnamedMerchant } from '../simulation/arrive-transaction.ts'
import { settledTypes, simulateRewards } from '../simulation/settle-rewards.ts'
import { endpoint } from './define.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

const conflict = {
  type: 'SIMULATION_CONFLICT_ERROR',
  on: 'The state of the transaction forbids this step.',
} as const

export const simulateTransactionEvent = endpoint({
  listed: false,
  sandboxOnly: true,
  id: 'simulateTransactionEvent',
  method: 'POST',
  path: '/v2/simulate_transaction_event',
  summary: 'Simulate a step in the life of a transaction',
  params: {},
  body: documented(
    z.object({
      payment_method_id: z.string(),
      status: transactionStatus,
      transaction_id: documented(z.string().optional(), {
        description: 'The transaction that the step continues; an empty text counts as none.',
      }),
      event_id: documented(z.string().optional(), {
        description: 'The capture that is refunded; an empty text counts as none.',
      }),
      amount: documented(minorUnits.min(0, 'must not be negative').optional(), {
        description: 'In minimum currency units, positive; required for a new transaction.',
      }),
      currency: documented(currencyCode.optional(), {
        description: 'That of the account of the payment method, or USD, if omitted.',
      }),
      authorization_code: z.string().optional(),
      network_transaction_id: id.clone().optional(),
      purchase_method: z.enum(purchaseMethods).optional(),
      merchant: merchant.extend({ address: address.strip().optional() }).strip().optional(),
    }),
    {
      id: 'NewTransactionEvent',
      description: 'A step: the first of a new transaction, or the next one of a transaction.',
      anyOf: [
        requiresField('amount'),
        { required: ['transaction_id'], properties: { transaction_id: { type: 'string', minLength: 1 } } },
      ],
      examples: [
        {
          payment_method_id: 'pm_ada_card',
          status: 'APPROVED',
          amount: 5000,
          currency: 'USD',
          merchant: { name: 'Skyline Air', category_code: '4511' },
        },
      ],
    },
  ),
  rules: ({ transaction_id: transaction, amount }) =>
    (transaction === undefined || transaction === '') && amount === undefined
      ? ['amount: is required without transaction_id']
      : [],
  result: documented(z.strictObject({ transaction_id: id, event_id: id, status: transactionStatus }), {
    id: 'SimulatedTransactionEvent',
    description: 'The step.',
    'x-assumption': 'unlisted_operations',
    examples: [{ transaction_id: 'txn_4fz8t1vw6n3r', event_id: 'txe_9hj5c2ybq7pa', status: 'APPROVED' }],
  }),
  errors: [
    { type: 'PAYMENT_METHOD_NOT_FOUND_ERROR', on: 'The payment method is unknown.' },
    { type: 'TRANSACTION_FOUND_ERROR', on: 'The transaction is unknown.' },
    conflict,
  ],
  handler(call) {
    const { body, tx, now, values, fail, invalid } = call
    const {
      transaction_id: transactionId = '',
      payment_method_id: methodId,
      network_transaction_id,
      ...step
    } = body
    const method = visibleRow(call, 'payment_methods', methodId) ?? fail('PAYMENT_METHOD_NOT_FOUND_ERROR')
    const { merchant: { name = unnamedMerchant, ...sent } = {}, currency, event_id, ...rest } = step
    const fields = event_id === '' || event_id === undefined ? rest : { ...rest, event_id }
    let input: object = { transaction_id: transactionId, ...fields }
    if (transactionId === '') {
      const account = method.account_id === undefined ? undefined : tx.get('accounts', method.account_id)
      input = {
        ...fields,
        customer_id: method.customer_id,
        payment_method_id: method.id,
        currency: currency ?? account?.currency ?? 'USD',
        merchant: { ...sent, name },
        ...(network_transaction_id === undefined ? {} : { network_transaction_id }),
      }
    } else {
      const found = visibleRow(call, 'transactions', transactionId) ?? fail('TRANSACTION_FOUND_ERROR')
      const sentAgain = { payment_method_id: method.id, currency, network_transaction_id }
      for (const [field, value] of Object.entries(sentAgain)) {
        if (value !== undefined && value !== Reflect.get(found, field))
          fail('SIMULATION_CONFLICT_ERROR', { message: `The transaction has another ${field}.` })
      }
    }
    try {
      const { transaction, event } = simulateTransaction(tx, input, now, values)
      return { transaction_id: transaction.id, event_id: event?.id ?? '', status: step.status }
    } catch (error) {
      if (error instanceof ConflictError) return fail('SIMULATION_CONFLICT_ERROR', { message: error.message })
      if (!(error instanceof DocumentError)) throw error
      return invalid(...error.problems.map(({ path, message }) => `${path}: ${message}`))
    }
  },
})

const mismatch = {
  type: 'BAD_REQUEST_ERROR',
  on: 'No reward of the product waits for what the type names.',
  message: 'The reward_type does not match the product.',
} as const

const unknownCustomer = {
  type: 'NOT_FOUND_ERROR',
  on: 'The customer is unknown.',
  message: 'No customer has this customer_id.',
  missing: 'customer_id',
} as const

export const simulateReward = endpoint({
  listed: false,
  sandboxOnly: true,
  id: 'simulateReward',
  method: 'POST',
  path: '/v2/simulate_reward',
  summary: 'Simulate that the rewards of a customer are settled',
  params: {},
  body: documented(z.object({ customer_id: z.string(), reward_type: z.enum(settledTypes) }), {
    id: 'NewSimulatedReward',
    description: 'The customer, and what their rewards wait for.',
    examples: [{ customer_id: 'cus_ada', reward_type: 'STATEMENT' }],
  }),
  result: documented(z.strictObject({ debugging_id: id }), {
    id: 'SimulatedReward',
    description: 'Done; the rewards have changed.',
    'x-assumption': 'unlisted_operations',
    examples: [{ debugging_id: 'dbg_4fz8t1vw6n3r' }],
  }),
  errors: [
    mismatch,
    unknownCustomer,
    { type: 'CONFLICT_ERROR', on: 'The rewards add up to more than a JSON number can hold exactly.' },
  ],
  handler(call) {
    const { body, tx, now, fail } = call
    if (!visibleCustomer(call, body.customer_id))
      fail('NOT_FOUND_ERROR', { message: unknownCustomer.message, outcome: 'not_found' })
    try {
      simulateRewards(tx, body, now)
    } catch (error) {
      if (error instanceof ConflictError) fail('CONFLICT_ERROR', { message: error.message })
      if (!(error instanceof DocumentError)) throw error
      fail('BAD_REQUEST_ERROR', { message: mismatch.message })
    }
    return { debugging_id: tx.nextId('rewards', 'dbg') }
  },
})
