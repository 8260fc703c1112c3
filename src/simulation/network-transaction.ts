// The format of a step in the life of a transaction, and its validation: a transaction of its own fields, one that an
// intent announced, or the next step of one that exists.
import { z } from 'zod'
import { currencyCode, id, isJsonObject, minorUnits, timestamp } from '../contract/formats.ts'
import {
  merchant,
  purchaseMethods,
  transactionStatus,
  transactionStatuses,
} from '../contract/resources/card-transaction.ts'
import { describeSchemaIssues } from '../input/schema-issues.ts'
import { readInput } from '../input/read-input.ts'

/** A merchant, as the card network reports it. */
export interface ReportedMerchant {
  network_id?: string | undefined
  /** Selects the reward category that lists exactly this name. */
  name?: string | undefined
  category?: string | undefined
  category_code?: string | undefined
  address?:
    | {
        street_line1?: string | undefined
        street_line2?: string | undefined
        city?: string | undefined
        state?: string | undefined
        postal_code?: string | undefined
        country?: string | undefined
      }
    | undefined
}

/** The fields that every step can have. */
export interface TransactionStepFields {
  /** The default is `CAPTURED`; without a `transaction_id`, that is a purchase without an authorisation. */
  status?: (typeof transactionStatuses)[number]
  purchase_method?: (typeof purchaseMethods)[number]
  authorization_code?: string
}

/** A transaction with its own fields, as the card network reports it. */
export interface ReportedTransaction extends TransactionStepFields {
  customer_id: string
  /** A payment method of the customer; if omitted, that of the matched intent. */
  payment_method_id?: string
  /** The network's own id; an intent with this id is matched first. */
  network_transaction_id?: string
  /**
   * In minimum units, positive. Without a status it can be negative: a refund without a capture to a card, a payment
   * from a bank account, or a credit.
   */
  amount: number
  currency: string
  /** Selects the reward category that lists exactly this name. Short for `merchant.name`. */
  merchant_name?: string
  /** Short for `merchant.category_code`. */
  merchant_code?: string
  merchant?: ReportedMerchant
  /** RFC 3339; the current instant if omitted. */
  posted_at?: string
}

/** The next step of a transaction. */
export interface NextTransactionStep extends TransactionStepFields {
  transaction_id: string
  /** The capture that is refunded; needed if several can be. */
  event_id?: string
  /** In minimum units. If omitted, the rest is captured or refunded; a void has none. */
  amount?: number
  /** RFC 3339; the current instant if omitted. */
  posted_at?: string
}

/** The input of a simulation: a transaction that an intent announced, one with its own fields, or its next step. */
export type NetworkTransaction =
  (TransactionStepFields & { intent_id: string }) | ReportedTransaction | NextTransactionStep

const stepFields = {
  status: transactionStatus.optional().describe(`${transactionStatuses.join(', ')} (default: CAPTURED)`),
  purchase_method: z
    .enum(purchaseMethods, `must be one of ${purchaseMethods.join(', ')}`)
    .optional()
    .describe('such as CHIP or ONLINE'),
  authorization_code: z.string().optional().describe('the code of the authorisation'),
}

const announced = z.strictObject({
  intent_id: id.describe('the intent that announced it; the other fields then come from the intent'),
  ...stepFields,
})

const postedAt = timestamp.optional().describe('RFC 3339 (default: now, by the clock of the workspace)')

const reportedFields = z.strictObject({
  customer_id: id.describe('the customer, if no intent or transaction is named'),
  payment_method_id: id.optional().describe('the payment method (default: that of the matching intent)'),
  network_transaction_id: id
    .optional()
    .describe('the id of the card network; an intent with this id is matched first'),
  amount: minorUnits.describe('in minimum units; without a status, negative for a payment or a credit'),
  currency: currencyCode.describe('such as USD'),
  merchant_name: z
    .string()
    .min(1, 'must not be empty')
    .optional()
    .describe('the merchant; selects the reward category that lists this name'),
  merchant_code: z.string().optional().describe('the category code of the merchant'),
  merchant: merchant.optional().describe('the merchant as the network reports it, instead of the two above'),
  posted_at: postedAt,
  ...stepFields,
})

/** Run with the other problems of the input, which zod would report first. */
const when = ({ value }: { value: unknown }) => isJsonObject(value)

const reported = reportedFields
  .refine(({ merchant_name: name, merchant: sent }) => (name ?? sent?.name) !== undefined, {
    path: ['merchant_name'],
    message: 'is required',
    when,
  })
  .refine(({ merchant_name: name, merchant: sent }) => name === undefined || sent?.name === undefined, {
    path: ['merchant_name'],
    message: 'must be omitted with merchant.name',
    when,
  })
  .refine(
    ({ merchant_code: code, merchant: sent }) => code === undefined || sent?.category_code === undefined,
    {
      path: ['merchant_code'],
      message: 'must be omitted with merchant.category_code',
      when,
    },
  )
  .refine(({ status, amount }) => status === undefined || !(amount < 0), {
    path: ['amount'],
    message: 'must not be negative with a status, which gives the direction',
    when,
  })

const next = z.strictObject({
  transaction_id: id.describe('the transaction whose next step it is'),
  event_id: id.optional().describe('the capture that is refunded, if several can be'),
  amount: minorUnits.min(0, 'must not be negative: the status gives the direction').optional(),
  posted_at: postedAt,
  ...stepFields,
})

/** Every known field, for suggestions after a typing error. */
const known = reportedFields.extend({
  ...announced.shape,
  ...next.pick({ transaction_id: true, event_id: true }).shape,
})

/** The fields of a request: `intent_id`, `transaction_id`, or the fields of a transaction. */
export const transactionFields = known.partial()

/** A transaction with its own fields, after validation. */
export type Reported = z.infer<typeof reported>
export type Announced = z.infer<typeof announced>
export type Next = z.infer<typeof next>

/** Validates an input. @throws {DocumentError} with every problem of it. */
export function readNetworkTransaction(input: unknown): Announced | Reported | Next {
  if (isJsonObject(input)) {
    // A field that the other row has could differ here, and one of the two values would be ignored.
    if (input['transaction_id'] !== undefined)
      return readPart(next, input, 'with transaction_id: the transaction has it')
    if (input['intent_id'] !== undefined)
      return readPart(announced, input, 'with intent_id: the intent has it')
  }
  return readPart(reported, input)
}

/** @param reason when the fields of the other parts must be omitted. */
function readPart<S extends z.ZodType>(schema: S, input: unknown, reason?: string): z.output<S> {
  return readInput(schema, input, 'transaction', (issues) =>
    [...describeSchemaIssues(issues, known)].map((issue) => {
      const [field, ...inner] = issue.path
      if (issue.at !== 'key' || inner.length > 0 || !Object.hasOwn(known.shape, String(field))) return issue
      const why = field === 'event_id' ? 'without transaction_id' : reason
      return why === undefined ? issue : { ...issue, message: `must be omitted ${why}` }
    }),
  )
}
