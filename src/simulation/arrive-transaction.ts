// A transaction arrives from the card network: it is matched, charged to an account, and earns a reward.
import type { Assumptions } from '../contract/assumptions.ts'
import { transactionIntent } from '../contract/resources/transaction-intent.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { chargedAccount } from './charged-account.ts'
import { earnReward } from './earn-reward.ts'
import { findMethod, findRow } from './find-row.ts'
import { matchIntent, requireMatchable, type Arrival } from './match-intent.ts'
import { readNetworkTransaction, type Arriving } from './network-transaction.ts'
import type { SimulatedTransaction } from './results.ts'

type Intent = Row<'transaction_intents'>

/** The merchant name of a purchase whose intent names none; no category lists it. */
const unnamedMerchant = 'Unknown merchant'

/** The schema of an intent as the API shows it, without internal fields. */
const shownIntent = transactionIntent.strip()

/** The transaction with all resolved fields. */
type Known = Arrival & Pick<Row<'transactions'>, 'merchant_name' | 'merchant_code'>

/**
 * Lets a network transaction arrive: it is matched to the intent that announced it, charged to its account, and earns a
 * pending reward. The intent does not change (assumption `intent_transitions`).
 *
 * @param input see `NetworkTransaction`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown intent, customer or payment method.
 * @throws {ConflictError} for an intent that was already matched, or is canceled.
 */
export function simulateTransaction(
  tx: Transaction,
  input: unknown,
  now: number,
  assumptions: Pick<Assumptions, 'reward_rounding'>,
): SimulatedTransaction {
  const { arrival, intent } = match(tx, readNetworkTransaction(input), new Date(now).toISOString())
  const { customer_id, payment_method_id, amount, currency, merchant_name, merchant_code, posted_at } =
    arrival
  const id = tx.nextId('transactions', 'txn')
  const account = chargedAccount(tx, arrival)
  const reward = earnReward(tx, { id, customer_id, amount, currency, merchant_name }, now, assumptions)
  const transaction: Row<'transactions'> = {
    id,
    customer_id,
    ...(payment_method_id === undefined ? {} : { payment_method_id }),
    ...(account ? { account_id: account.id } : {}),
    amount,
    currency,
    merchant_name,
    ...(merchant_code === undefined ? {} : { merchant_code }),
    ...(intent ? { intent_id: intent.id } : {}),
    ...(reward ? { reward_id: reward.id } : {}),
    posted_at,
  }
  tx.put('transactions', transaction)
  return { transaction, intent: intent ? shownIntent.parse(intent) : null, reward: reward ?? null }
}

function match(
  tx: Transaction,
  arriving: Arriving,
  now: string,
): { arrival: Known; intent: Intent | undefined } {
  if ('intent_id' in arriving) {
    const intent = findRow(tx, 'transaction_intents', arriving.intent_id)
    requireMatchable(tx, intent)
    const { merchant_name = unnamedMerchant } = intent
    return { arrival: { ...intent, merchant_name, posted_at: now }, intent }
  }
  const { customer_id, payment_method_id: method, posted_at = now } = arriving
  findRow(tx, 'customers', customer_id)
  if (method !== undefined) findMethod(tx, customer_id, method)
  const arrival = { ...arriving, posted_at }
  const intent = matchIntent(tx, arrival)
  return { arrival: { ...arrival, payment_method_id: method ?? intent?.payment_method_id }, intent }
}
