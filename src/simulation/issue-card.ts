// Issues the number, expiry and verification code of a card, new or in place of an earlier one.
import { ConflictError } from '../input/refusals.ts'
import { hash32 } from '../runtime/random.ts'
import { currentCards, type TestCard } from '../secrets/cards.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'

/** The details of either kind of card. */
export type CardDetails = NonNullable<Row<'payment_methods'>['card']>

/** How long a card is valid. */
const yearsValid = 4

/**
 * Returns a card with the next well-known test number that no payment method has. All of it derives from the number,
 * the clock and the earlier card.
 *
 * @param replaced the card that it replaces: the number follows that of this card, and it expires later.
 * @throws {ConflictError} if no number is free.
 */
export function issueCard(tx: Transaction, now: number, replaced?: CardDetails) {
  const { pan, network } = nextCard(tx, replaced)
  const issued = new Date(now)
  const year = Math.max(issued.getUTCFullYear() + yearsValid, Number(replaced?.exp_year ?? 0) + 1)
  const expiry = {
    exp_month: replaced?.exp_month ?? String(issued.getUTCMonth() + 1).padStart(2, '0'),
    exp_year: String(Math.min(year, 9999)),
  }
  const digits = network === 'AMEX' ? 4 : 3
  const cvv = String(hash32('cvv', pan) % 10 ** digits).padStart(digits, '0')
  return { last4: pan.slice(-4), network, ...expiry, pci_details: { pan, ...expiry, cvv } }
}

/** A card that replaces another has other last digits, by which a client tells the two apart. */
function nextCard(tx: Transaction, replaced: CardDetails | undefined): TestCard {
  const first = currentCards.findIndex(({ pan }) => pan === replaced?.pci_details?.pan) + 1
  const free = [...currentCards.slice(first), ...currentCards.slice(0, first)].find(
    ({ pan }) => pan.slice(-4) !== replaced?.last4 && tx.find('payment_methods', 'by_pan', pan) === undefined,
  )
  if (free !== undefined) return free
  throw new ConflictError(
    'every well-known test number is that of a payment method: remove one of them with ' +
      '`state delete payment_methods ID`, or use another workspace',
  )
}
