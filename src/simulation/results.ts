// The results of simulations, as plain data: a type inferred from a schema would add the schema library to the types of
// every user.
import type { CollectionRows } from '../contract/declared.generated.ts'

/** The result of a step in the life of a transaction. */
export interface SimulatedTransaction {
  /** As stored in the state, with the status and amount of the step. */
  transaction: CollectionRows['transactions']
  /** The step; null for a payment or a credit, which has none. */
  event: CollectionRows['transaction_events'] | null
  /** The intent that announced it, as the API shows it; null if there was none. */
  intent: IntentView | null
  /** The reward that the step earned, or took back, as the API shows it; null if there is none. */
  reward: CollectionRows['rewards'] | null
}

/** The result of closing a cycle. */
export interface SimulatedStatement {
  /** As stored in the state; a read adds `as_of` and `pdf_url`. */
  statement: CollectionRows['statements']
}

/** The result of settling rewards. */
export interface SimulatedRewards {
  /** Those that are AVAILABLE or DEDUCTED from now on, oldest first. */
  rewards: CollectionRows['rewards'][]
}

/** A transaction intent as the API shows it (contract: Transaction intent). */
export type IntentView = Omit<
  CollectionRows['transaction_intents'],
  'merchant_name' | 'merchant_address' | 'merchant_id' | 'merchant_code' | 'expected_date'
>
