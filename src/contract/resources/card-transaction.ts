// A transaction (assumption `unlisted_operations`; contract: "What the service does").
import { z } from 'zod'
import { documented, exampleOf } from '../docs.ts'
import { currencyCode, id, metadata, minorUnits, timestamp } from '../formats.ts'
import { address } from './address.ts'

/** The steps in the life of a transaction. */
export const transactionStatuses = ['APPROVED', 'UPDATED', 'VOIDED', 'CAPTURED', 'REFUNDED'] as const
export const transactionStatus = z.enum(
  transactionStatuses,
  `must be one of ${transactionStatuses.join(', ')}`,
)
export type TransactionStatus = z.infer<typeof transactionStatus>

/** The ways in which a card is used. */
export const purchaseMethods = [
  'CHIP',
  'CONTACTLESS',
  'KEYEDIN',
  'ONLINE',
  'SWIPE',
  'QRCODE',
  'OCR',
  'UNKNOWN',
] as const

export const merchant = documented(
  z.strictObject({
    network_id: z.string().optional(),
    name: z.string().optional(),
    category: z.string().optional(),
    category_code: z.string().optional(),
    address: address.optional(),
  }),
  { id: 'Merchant', description: 'The merchant of a transaction.' },
)

export const transaction = documented(
  z.strictObject({
    id,
    customer_id: id,
    payment_method_id: id.optional(),
    amount: documented(minorUnits.clone(), {
      description: 'In minimum currency units.',
      'x-assumption': 'transaction_amount',
    }),
    currency: currencyCode,
    status: documented(z.string(), { description: `Such as ${transactionStatuses.join(', ')}.` }),
    network_transaction_id: documented(z.string(), {
      description: "The card network's unique transaction identifier.",
    }),
    created_at: timestamp,
    intent_id: documented(id.optional(), { description: 'The transaction intent that announced it.' }),
    authorization_code: z.string().optional(),
    purchase_method: documented(z.string().optional(), { description: 'Such as CHIP or ONLINE.' }),
    partner_transaction_id: z.string().optional(),
    updated_at: timestamp.optional(),
    merchant: merchant.optional(),
    metadata: metadata.optional(),
  }),
  {
    id: 'Transaction',
    description: 'A transaction of a customer.',
    'x-assumption': 'unlisted_operations',
    examples: [
      {
        id: 'txn_4fz8t1vw6n3r',
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        amount: 4599,
        currency: 'USD',
        status: 'CAPTURED',
        network_transaction_id: '016153570198200',
        created_at: '2026-11-20T09:30:00.000Z',
        intent_id: 'int_ada_1',
        merchant: { name: 'Skyline Air', category_code: '4511', address: exampleOf(address) },
      },
    ],
  },
)

/** A transaction as it is at a step, whose status and amount it has: the resource of its event. */
export const transactionAtStep = documented(
  transaction.extend({ event_id: documented(id.clone(), { description: 'The step.' }) }),
  {
    id: 'TransactionEvent',
    description: 'A transaction at a step of its life.',
    'x-assumption': 'webhook_events',
    examples: [{ ...Object(exampleOf(transaction)), event_id: 'txe_4fz8t1vw6n3r' }],
  },
)
