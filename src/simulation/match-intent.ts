// Matching a transaction to the intent that announced it.
import { expectationOf, expectedAt, groupOf, oldestFirst, type IndexName } from '../store/indexes.ts'
import type { Row } from '../store/rows.ts'
import type { Place } from '../store/table.ts'
import type { Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Reported } from './network-transaction.ts'

type Intent = Row<'transaction_intents'>

/** What an arriving transaction says of itself. */
export type Arrival = Omit<Reported, 'merchant_name' | 'merchant_code' | 'posted_at'> & { posted_at: string }

/**
 * The intent that announced a transaction (contract: create a transaction intent, `expected_date`): the one with its
 * network id, whatever the amount has become; else the one of the same customer, amount and currency that was
 * expected nearest to when it was posted. Of two that are equally near it is the earlier one.
 *
 * @throws {ConflictError} when the intents with its network id cannot be matched: the same transaction came twice.
 */
export function matchIntent(tx: Transaction, arrival: Arrival): Intent | undefined {
  const { customer_id, network_transaction_id: networkId, posted_at } = arrival
  const posted = Date.parse(posted_at)
  if (networkId !== undefined) {
    const named = groupOf(customer_id, networkId)
    const match = nearest(tx, 'by_network_id', named, posted, (intent) => refusal(tx, intent) === undefined)
    if (match) return match
    const refused = tx.find('transaction_intents', 'by_network_id', named)
    if (refused) requireMatchable(tx, refused)
  }
  const suits = (intent: Intent) => fits(intent, arrival) && refusal(tx, intent) === undefined
  return nearest(tx, 'by_expectation', expectationOf(arrival), posted, suits)
}

/** @throws {ConflictError} for an intent that was matched before, or was canceled. */
export function requireMatchable(tx: Transaction, intent: Intent): void {
  const reason = refusal(tx, intent)
  if (reason !== undefined) throw new ConflictError(reason)
}

/** Why no transaction can be matched to an intent. That one was is not written on it: the transaction says it. */
function refusal(tx: Transaction, { id, status }: Intent): string | undefined {
  if (status !== 'CONFIRMED') return `intent '${id}' is ${status}; only a CONFIRMED one can be matched`
  const before = tx.find('transactions', 'by_intent', id)
  return before && `intent '${id}' was matched to transaction '${before.id}'; an intent matches once`
}

/** What both name must be the same; what only one of them names does not keep them apart. */
function fits(intent: Intent, arrival: Arrival): boolean {
  return (['payment_method_id', 'network_transaction_id'] as const).every((field) => {
    const [announced, arrived] = [intent[field], arrival[field]]
    return announced === undefined || arrived === undefined || announced === arrived
  })
}

const atOnce = 16

/** The suitable intent of a group that was expected nearest to an instant. */
function nearest(
  tx: Transaction,
  index: IndexName<'transaction_intents'>,
  group: string,
  instant: number,
  suits: (intent: Intent) => boolean,
): Intent | undefined {
  const later = firstFrom(false)
  const earlier = firstFrom(true)
  if (!later || !earlier) return later ?? earlier
  return expectedAt(later) - instant < instant - expectedAt(earlier) ? later : earlier

  /** Of the intents from the instant on, or before it the other way round; reads only as far as it must. */
  function firstFrom(backwards: boolean): Intent | undefined {
    let after: Place | undefined = { order: oldestFirst(instant), id: '' }
    while (after) {
      const rows: Intent[] = tx.scan('transaction_intents', index, group, { after, limit: atOnce, backwards })
      const found = rows.find(suits)
      if (found) return found
      const last = rows.at(-1)
      after = last && tx.placeOf('transaction_intents', index, last)
    }
    return undefined
  }
}
