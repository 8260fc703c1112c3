// The results of simulations, as plain data: a type inferred from a schema would add the schema library to the types of
// every user. The compiler checks where rows are returned that they have these shapes.
import type { rewardStatuses, rewardTypes } from '../contract/resources/reward.ts'
import type { statementComponents } from '../contract/resources/statement.ts'
import type { intentStatuses } from '../contract/resources/transaction-intent.ts'

/** The result of an arriving transaction. */
export interface SimulatedTransaction {
  /** As stored in the state: the API shows no transactions. */
  transaction: TransactionRow
  /** The intent that announced it, as the API shows it; null if there was none. */
  intent: IntentView | null
  /** The reward that it earned, as the API shows it; null if it earned none. */
  reward: RewardView | null
}

/** The result of closing a cycle. */
export interface SimulatedStatement {
  /** As stored in the state; a read adds `as_of` and `pdf_url`. */
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
  currency: string
  status: (typeof intentStatuses)[number]
  created_at: string
  payment_method_id?: string | undefined
  network_transaction_id?: string | undefined
  partner_transaction_id?: string | undefined
  updated_at?: string | undefined
  metadata?: Readonly<Record<string, unknown>> | undefined
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

/** A statement (contract: Statement), without the fields that each read adds. */
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
