// The gaps of a payment method: its type, and the card, bank account or loan that belongs to it.
import { isJsonObject } from '../../contract/formats.ts'
import { paymentMethodTypes, subObjectsOfType } from '../../contract/resources/payment-method.ts'
import { testCards } from '../../secrets/cards.ts'
import type { Chooser } from './choose.ts'
import type { Fields, Filler } from './filler.ts'

/** The type that fits the sub-object a payment method has; a card when it has none. */
export const kindOf: Filler = (row) =>
  paymentMethodTypes.find((type) => subObjectsOfType[type].some((name) => row[name] !== undefined)) ?? 'CARD'

/** The sub-object of a payment method's type, or what a given one needs; undefined when nothing is missing. */
export function fillPaymentMethodKind(row: Fields, choose: Chooser): Fields | undefined {
  const type = paymentMethodTypes.find((name) => name === row['type'])
  if (type === undefined) return undefined
  const names = subObjectsOfType[type]
  const given = names.find((name) => row[name] !== undefined)
  if (given === undefined) return { [names[0]]: makers[type](choose) }
  const sub = row[given]
  if (!isJsonObject(sub) || sub['last4'] !== undefined || type === 'LOAN') return undefined
  return { [given]: { last4: lastFourOf(sub) ?? choose.digits('last4', 4), ...sub } }
}

function lastFourOf(card: Fields): string | undefined {
  const pan = isJsonObject(card['pci_details']) ? card['pci_details']['pan'] : undefined
  return typeof pan === 'string' && /\d{4}$/.test(pan) ? pan.slice(-4) : undefined
}

const makers: { readonly [T in keyof typeof subObjectsOfType]: (choose: Chooser) => Fields } = {
  CARD(choose) {
    const { pan, network } = testCards[choose.integer('card', 0, testCards.length - 1)] ?? {
      pan: '',
      network: '',
    }
    const expiry = {
      exp_month: choose.digits('month', 1).replace(/.*/, (digit) => `0${(Number(digit) % 9) + 1}`),
      exp_year: String(choose.integer('exp_year', 2028, 2031)),
    }
    const cvv = choose.digits('cvv', network === 'AMEX' ? 4 : 3)
    return {
      last4: pan.slice(-4),
      network,
      card_type: 'PHYSICAL',
      ...expiry,
      pci_details: { pan, ...expiry, cvv },
    }
  },
  BANK_ACCOUNT: (choose) => ({
    last4: choose.digits('last4', 4),
    routing_number: '110000000',
    bank_name: 'First Sandbox Bank',
    account_type: choose.pick('account_type', ['CHECKING', 'SAVINGS']),
  }),
  LOAN(choose) {
    const amount = choose.integer('amount', 10, 200) * 10_000
    return {
      amount,
      term_months: choose.pick('term_months', [12, 24, 36, 48, 60]),
      currency: 'USD',
      remaining_balance: Math.floor((amount * choose.integer('remaining', 5, 95)) / 100),
      apr: `${choose.integer('apr', 5, 24)}.${choose.digits('apr decimals', 2)}`,
      loan_status: 'CURRENT',
    }
  },
}
