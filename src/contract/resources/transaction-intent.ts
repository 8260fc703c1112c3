// A transaction intent: a pending transaction that is later matched to a real one (contract: Transaction intent).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { currencyCode, id, metadata, minorUnits, timestamp } from '../formats.ts'

/** The states of a transaction intent (contract: Transaction intent status). */
export const intentStatuses = ['CONFIRMED', 'CANCELED'] as const

/** The status of a newly created intent. */
export const createdIntentStatus = 'CONFIRMED' as const satisfies (typeof intentStatuses)[number]

export const transactionIntent = documented(
  z.strictObject({
    id,
    customer_id: id,
    amount: minorUnits,
    currency: currencyCode,
    status: documented(z.enum(intentStatuses), { 'x-assumption': 'intent_transitions' }),
    created_at: timestamp,
    payment_method_id: documented(id.optional(), {
      description: 'The payment method the intent was executed with.',
    }),
    network_transaction_id: documented(z.string().optional(), {
      description: "The card network's unique transaction identifier.",
    }),
    partner_transaction_id: documented(z.string().optional(), {
      description: "The partner's unique transaction identifier.",
    }),
    updated_at: timestamp.optional(),
    metadata: documented(metadata.optional(), { description: 'Additional data of the intent.' }),
  }),
  {
    id: 'TransactionIntent',
    description: 'A pending transaction that is later matched to a real one.',
    examples: [
      {
        id: 'int_ada_1',
        customer_id: 'cus_ada',
        amount: 4599,
        currency: 'USD',
        status: 'CONFIRMED',
        created_at: '2026-11-20T09:30:00.000Z',
        payment_method_id: 'pm_ada_card',
        network_transaction_id: '016153570198200',
        metadata: { order: 'A-1027' },
      },
    ],
  },
)
