// What a network transaction looks like, and reading one.
import { z } from 'zod'
import { currencyCode, id, isJsonObject, minorUnits, timestamp } from '../contract/formats.ts'
import { describeSchemaIssues } from '../input/schema-issues.ts'
import { readInput } from '../input/read-input.ts'

/** A transaction in so many words, as the card network reports it. */
export interface ReportedTransaction {
  customer_id: string
  /** A payment method of the customer; if left out, that of the matched intent. */
  payment_method_id?: string
  /** The network's own id, by which an intent is looked for first. */
  network_transaction_id?: string
  /** In minimum units: positive for what is charged, negative for what is credited back. */
  amount: number
  currency: string
  /** Earns in the reward category that lists exactly this name. */
  merchant_name: string
  merchant_code?: string
  /** RFC 3339; the present instant if left out. */
  posted_at?: string
}

/** What arrives from the network: just what an intent announced, or a transaction in so many words. */
export type NetworkTransaction = { intent_id: string } | ReportedTransaction

const announced = z.strictObject({ intent_id: id })

const reported = z.strictObject({
  customer_id: id,
  payment_method_id: id.optional(),
  network_transaction_id: id.optional(),
  amount: minorUnits,
  currency: currencyCode,
  merchant_name: z.string().min(1, 'must not be empty'),
  merchant_code: z.string().optional(),
  posted_at: timestamp.optional(),
})

/** Every field there is, for naming the one that a mistyped one meant. */
const known = reported.extend(announced.shape)

/** A transaction in so many words, as it was read. */
export type Reported = z.infer<typeof reported>
export type Arriving = z.infer<typeof announced> | Reported

/** Reads what arrives. @throws {DocumentError} with every problem of it. */
export function readNetworkTransaction(input: unknown): Arriving {
  if (!isJsonObject(input) || input['intent_id'] === undefined) {
    return readInput(reported, input, 'transaction', (issues) => describeSchemaIssues(issues, known))
  }
  return readInput(announced, input, 'transaction', (issues) =>
    [...describeSchemaIssues(issues, known)].map((issue) =>
      // What the intent says could be another thing here, and one of the two would be passed over.
      issue.at === 'key' && Object.hasOwn(reported.shape, String(issue.path[0]))
        ? { ...issue, message: 'must not stand beside intent_id: the intent says it' }
        : issue,
    ),
  )
}
