// What simulations answer, as plain data: a type inferred from a schema would bring the schema library into the types
// of whoever uses this. That rows have these shapes is what the compiler checks where they are returned.
import type { rewardStatuses, rewardTypes } from '../contract/resources/reward.ts'
import type { statementComponents } from '../contract/resources/statement.ts'
import type { intentStatuses } from '../contract/resources/transaction-intent.ts'

/** What became of an arriving transaction. */
export interface SimulatedTransaction {
  /** As it stands in the state: the API shows no transactions. */
  transaction: TransactionRow
  /** The intent that announced it, as the API shows it; null when none did. */
  intent: IntentView | null
  /** What it earned, as the API shows it; null when it earned nothing. */
  reward: RewardView | null
}

/** What became of a cycle. */
export interface SimulatedStatement {
  /** As it stands in the state; a read adds `as_of` and `pdf_url`. */
  statement: StatementRowView
}

/** A transaction of the state. */
export interface TransactionRow {
  id: string
  customer_id: string
  payment_method_id?: string | undefined
  account_id?: string | undefined
  amount: number
  currency: string
  merchant_name: string
  merchant_code?: string | undefined
  intent_id?: string | undefined
  reward_id?: string | undefined
  statement_id?: string | undefined
  posted_at: string
}

/** A transaction intent (contract: Transaction intent). */
export interface IntentView {
  id: string
  customer_id: string
  amount: number
  created_at: string
  updated_at?: string | undefined
  metadata?: Readonly<Record<string, unknown>> | undefined
  currency: string
  status: (typeof intentStatuses)[number]
  payment_method_id?: string | undefined
  network_transaction_id?: string | undefined
  partner_transaction_id?: string | undefined
}

/** A reward (contract: Reward). */
export interface RewardView extends Pick<
  IntentView,
  'id' | 'customer_id' | 'amount' | 'created_at' | 'updated_at' | 'metadata'
> {
  transaction_event_id?: string | undefined
  type: (typeof rewardTypes)[number]
  currency?: string | undefined
  status: (typeof rewardStatuses)[number]
}

/** A statement (contract: Statement), without what belongs to a read of it. */
export interface StatementRowView extends Record<(typeof statementComponents)[number], number> {
  statement_id: string
  customer_id: string
  account_id: string
  period_start_date: string
  period_end_date: string
  due_date: string
  currency: string
  statement_balance: number
  minimum_due: number
  overdue_amount?: number | undefined
}
