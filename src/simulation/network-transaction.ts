// The format of a network transaction, and its validation.
import { z } from 'zod'
import { currencyCode, id, isJsonObject, minorUnits, timestamp } from '../contract/formats.ts'
import { describeSchemaIssues } from '../input/schema-issues.ts'
import { readInput } from '../input/read-input.ts'

/** A transaction with its own fields, as the card network reports it. */
export interface ReportedTransaction {
  customer_id: string
  /** A payment method of the customer; if omitted, that of the matched intent. */
  payment_method_id?: string
  /** The network's own id; an intent with this id is matched first. */
  network_transaction_id?: string
  /** In minimum units: positive for charges, negative for credits. */
  amount: number
  currency: string
  /** Selects the reward category that lists exactly this name. */
  merchant_name: string
  merchant_code?: string
  /** RFC 3339; the current instant if omitted. */
  posted_at?: string
}

/** The input of a simulation: the id of an intent, or a transaction with its own fields. */
export type NetworkTransaction = { intent_id: string } | ReportedTransaction

const announced = z.strictObject({
  intent_id: id.describe('the intent that announced it; the other fields then come from the intent'),
})

const reported = z.strictObject({
  customer_id: id.describe('the customer, if no intent is named'),
  payment_method_id: id.optional().describe('the payment method (default: that of the matching intent)'),
  network_transaction_id: id
    .optional()
    .describe('the id of the card network; an intent with this id is matched first'),
  amount: minorUnits.describe('in minimum units; negative for a refund'),
  currency: currencyCode.describe('such as USD'),
  merchant_name: z
    .string()
    .min(1, 'must not be empty')
    .describe('the merchant; selects the reward category that lists this name'),
  merchant_code: z.string().optional().describe('the category code of the merchant'),
  posted_at: timestamp.optional().describe('RFC 3339 (default: now, by the clock of the workspace)'),
})

/** Every known field, for suggestions after a typing error. */
const known = reported.extend(announced.shape)

/** The fields of a request: `intent_id`, or the fields of a transaction. */
export const transactionFields = known.partial()

/** A transaction with its own fields, after validation. */
export type Reported = z.infer<typeof reported>
export type Arriving = z.infer<typeof announced> | Reported

/** Validates an input. @throws {DocumentError} with every problem of it. */
export function readNetworkTransaction(input: unknown): Arriving {
  if (!isJsonObject(input) || input['intent_id'] === undefined) {
    return readInput(reported, input, 'transaction', (issues) => describeSchemaIssues(issues, known))
  }
  return readInput(announced, input, 'transaction', (issues) =>
    [...describeSchemaIssues(issues, known)].map((issue) =>
      // A field that the intent has could differ here, and one of the two values would be ignored.
      issue.at === 'key' && Object.hasOwn(reported.shape, String(issue.path[0]))
        ? { ...issue, message: 'must be omitted with intent_id: the intent has it' }
        : issue,
    ),
  )
}
