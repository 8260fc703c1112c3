// A transaction arrives from the card network: its first step is matched, charged to an account, and earns a reward.
import { transactionIntent } from '../contract/resources/transaction-intent.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { addStep, type AddedStep } from './add-step.ts'
import { chargedAccount } from './charged-account.ts'
import { continueTransaction } from './continue-transaction.ts'
import type { SimulationAssumptions } from './earn-reward.ts'
import { findMethod, findRow } from './find-row.ts'
import { matchIntent, requireMatchable, type Arrival } from './match-intent.ts'
import { readNetworkTransaction, type Announced, type Reported } from './network-transaction.ts'
import { eitherOf, firstStatuses } from './transaction-progress.ts'

type Intent = Row<'transaction_intents'>

/** The merchant name of a purchase whose intent names none; no category lists it. */
export const unnamedMerchant = 'Unknown merchant'

/** The schema of an intent as the API shows it, without internal fields. */
const shownIntent = transactionIntent.strip()

/** The transaction with all resolved fields. */
type Known = Arrival &
  Pick<Row<'transactions'>, 'merchant_name' | 'merchant_code' | 'merchant' | 'partner_transaction_id'>

/**
 * Plays a step in the life of a transaction. The first one is matched to the intent that announced it and charged to
 * its account; the intent does not change (assumption `intent_transitions`). A capture earns a reward, a refund takes
 * its share back.
 *
 * @param input see `NetworkTransaction`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown intent, customer, payment method or transaction.
 * @throws {ConflictError} for an intent that was already matched, or is canceled, and for a step that cannot follow.
 */
export function simulateTransaction(
  tx: Transaction,
  input: unknown,
  now: number,
  assumptions: SimulationAssumptions,
) {
  const read = readNetworkTransaction(input)
  const { transaction, event, reward } =
    'transaction_id' in read
      ? continueTransaction(tx, read, now, assumptions)
      : arrive(tx, read, now, assumptions)
  const { intent_id: intentId } = transaction
  const intent = intentId === undefined ? undefined : tx.get('transaction_intents', intentId)
  return {
    transaction,
    event: event ?? null,
    intent: intent ? shownIntent.parse(intent) : null,
    reward: reward ?? null,
  }
}

/** The first step; a payment or a credit has none. */
function arrive(
  tx: Transaction,
  first: Announced | Reported,
  now: number,
  assumptions: SimulationAssumptions,
): Pick<AddedStep, 'transaction'> & Partial<AddedStep> {
  const { arrival, intent } = match(tx, first, new Date(now).toISOString())
  const { amount, posted_at } = arrival
  const status = first.status ?? (amount < 0 ? statusOfCredit(tx, arrival) : 'CAPTURED')
  if (status !== undefined && !firstStatuses.some((one) => one === status))
    throw new ConflictError(
      `a transaction cannot begin as ${status}, only as ${eitherOf(firstStatuses)}: name its transaction_id`,
    )
  if (amount < 0 && first.status !== undefined)
    throw new ConflictError(`intent '${intent?.id}' announced a negative amount: omit status`)
  const account = chargedAccount(tx, arrival)
  if (account?.status === 'CLOSED' && (status === 'APPROVED' || status === 'CAPTURED'))
    throw new ConflictError(`account '${account.id}' is CLOSED: no purchase begins on it`)
  const { payment_method_id, network_transaction_id, merchant_code, merchant, partner_transaction_id } =
    arrival
  const { purchase_method, authorization_code } = first
  const transaction: Row<'transactions'> = {
    id: tx.nextId('transactions', 'txn'),
    customer_id: arrival.customer_id,
    ...(payment_method_id === undefined ? {} : { payment_method_id }),
    ...(account ? { account_id: account.id } : {}),
    amount,
    currency: arrival.currency,
    merchant_name: arrival.merchant_name,
    ...(merchant_code === undefined ? {} : { merchant_code }),
    ...(merchant === undefined ? {} : { merchant }),
    ...(intent ? { intent_id: intent.id } : {}),
    ...(network_transaction_id === undefined ? {} : { network_transaction_id }),
    ...(authorization_code === undefined ? {} : { authorization_code }),
    ...(purchase_method === undefined ? {} : { purchase_method }),
    ...(partner_transaction_id === undefined ? {} : { partner_transaction_id }),
    created_at: posted_at,
  }
  if (status === undefined) return { transaction: tx.put('transactions', { ...transaction, posted_at }) }
  return addStep(tx, transaction, { status, amount: Math.abs(amount), posted_at, n: 1 }, now, assumptions)
}

/** A negative amount with a card is a refund without a capture; else a payment or a credit, which has no status. */
function statusOfCredit(tx: Transaction, { payment_method_id: id }: Arrival): 'REFUNDED' | undefined {
  const method = id === undefined ? undefined : tx.get('payment_methods', id)
  return method?.type === 'CARD' ? 'REFUNDED' : undefined
}

function match(
  tx: Transaction,
  first: Announced | Reported,
  now: string,
): { arrival: Known; intent: Intent | undefined } {
  if ('intent_id' in first) {
    const intent = findRow(tx, 'transaction_intents', first.intent_id)
    requireMatchable(tx, intent)
    if (first.status === 'REFUNDED')
      throw new ConflictError(
        `intent '${intent.id}' announced a purchase: capture it, then refund its transaction`,
      )
    const { merchant_name = unnamedMerchant } = intent
    return { arrival: { ...intent, merchant_name, posted_at: now }, intent }
  }
  const { customer_id, payment_method_id: method, posted_at = now, merchant: sent, ...rest } = first
  findRow(tx, 'customers', customer_id)
  if (method !== undefined) findMethod(tx, customer_id, method)
  const arrival = { ...rest, customer_id, payment_method_id: method, posted_at }
  // A refund without a capture was not announced.
  const intent = first.status === 'REFUNDED' ? undefined : matchIntent(tx, arrival)
  const { name, category_code, ...merchant } = sent ?? {}
  return {
    arrival: {
      ...arrival,
      payment_method_id: method ?? intent?.payment_method_id,
      network_transaction_id: arrival.network_transaction_id ?? intent?.network_transaction_id,
      merchant_name: rest.merchant_name ?? name ?? unnamedMerchant,
      merchant_code: rest.merchant_code ?? category_code,
      ...(Object.keys(merchant).length === 0 ? {} : { merchant }),
      partner_transaction_id: intent?.partner_transaction_id,
    },
    intent,
  }
}
