// Matches a transaction to the intent that announced it.
import { expectationOf, expectedAt, groupOf, oldestFirst, type IndexName } from '../store/indexes.ts'
import type { Row } from '../store/rows.ts'
import type { IndexPosition } from '../store/table.ts'
import type { Transaction } from '../store/transaction.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Reported } from './network-transaction.ts'

type Intent = Row<'transaction_intents'>

/** The fields of an arriving transaction. */
export type Arrival = Pick<
  Reported,
  'customer_id' | 'payment_method_id' | 'network_transaction_id' | 'amount' | 'currency'
> & { posted_at: string }

/**
 * Returns the intent that announced a transaction (contract: create a transaction intent, `expected_date`): the one
 * with its network id, even if the amount differs; or the one of the same customer, amount and currency whose expected
 * date is nearest to the posting. Of two that are equally near it is the earlier one.
 *
 * @throws {ConflictError} if intents with its network id exist, but each was already matched or is canceled.
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

/** @throws {ConflictError} for an intent that was already matched, or is canceled. */
export function requireMatchable(tx: Transaction, intent: Intent): void {
  const reason = refusal(tx, intent)
  if (reason !== undefined) throw new ConflictError(reason)
}

/** Returns why an intent cannot be matched. The transaction refers to its intent, so the intent has no mark. */
function refusal(tx: Transaction, { id, status }: Intent): string | undefined {
  if (status !== 'CONFIRMED') return `intent '${id}' is ${status}; only a CONFIRMED one can be matched`
  const before = tx.find('transactions', 'by_intent', id)
  return before && `intent '${id}' was matched to transaction '${before.id}'; an intent matches once`
}

/** Fields that both have must be equal; a field that only one of them has is ignored. */
function fits(intent: Intent, arrival: Arrival): boolean {
  return (['payment_method_id', 'network_transaction_id'] as const).every((field) => {
    const [announced, arrived] = [intent[field], arrival[field]]
    return announced === undefined || arrived === undefined || announced === arrived
  })
}

const atOnce = 16

/** Returns the matching intent of a group whose expected date is nearest to an instant. */
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

  /** Returns the first match from the instant on, or backwards before it; reads only as many as needed. */
  function firstFrom(backwards: boolean): Intent | undefined {
    let after: IndexPosition | undefined = { order: oldestFirst(instant), id: '' }
    while (after) {
      const rows: Intent[] = tx.scan('transaction_intents', index, group, { after, limit: atOnce, backwards })
      const found = rows.find(suits)
      if (found) return found
      const last = rows.at(-1)
      after = last && tx.positionOf('transaction_intents', index, last)
    }
    return undefined
  }
}
