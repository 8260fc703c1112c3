// Finds rows by id for simulations, with "did you mean" for an unknown id.
import { didYouMean } from '../input/did-you-mean.ts'
import { printable } from '../input/problems.ts'
import { nounOf } from '../store/references.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { NotFoundError } from '../input/refusals.ts'

type Named = 'customers' | 'accounts' | 'payment_methods' | 'transaction_intents' | 'transactions'

/** Returns the row of this id. @throws {NotFoundError} with the nearest existing id. */
export function findRow<C extends Named>(tx: Transaction, collection: C, id: string): Row<C> {
  const row = tx.get(collection, id)
  if (row !== undefined) return row
  throw new NotFoundError(
    `no ${nounOf(collection)} has the id '${printable(id)}'${didYouMean(id, ids(), '')}`,
  )

  /** In a large collection, a suggestion is not worth a full scan. */
  function ids(): string[] {
    const some: string[] = []
    for (const { id: known } of tx.all(collection)) {
      if (some.length >= 1000) break
      some.push(known)
    }
    return some
  }
}

/** Returns a payment method of the customer. @throws {NotFoundError} if the customer has none of this id. */
export function findMethod(tx: Transaction, customerId: string, id: string): Row<'payment_methods'> {
  const row = tx.get('payment_methods', id)
  if (row?.customer_id === customerId) return row
  const own = tx
    .scan('payment_methods', 'by_customer', customerId, { limit: 1000 })
    .map((method) => method.id)
  throw new NotFoundError(
    `customer '${printable(customerId)}' has no payment method '${printable(id)}'${didYouMean(id, own, '')}`,
  )
}
