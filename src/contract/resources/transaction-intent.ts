import { z } from 'zod'
import { documented } from '../docs.ts'
import { currencyCode, id, metadata, minorUnits, timestamp } from '../formats.ts'

/** The states of a transaction intent (contract: Transaction intent status). */
export const intentStatuses = ['CONFIRMED', 'CANCELED'] as const

/** A pending transaction that is later matched to a real one (contract: Transaction intent). */
export const transactionIntent = documented(
  z.strictObject({
    id,
    customer_id: id,
    amount: minorUnits,
    currency: currencyCode,
    status: z.enum(intentStatuses),
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
    metadata: metadata.optional(),
  }),
  { id: 'TransactionIntent', description: 'A transaction intent.' },
)

export type TransactionIntent = z.infer<typeof transactionIntent>
