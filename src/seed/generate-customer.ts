import { base, en, Faker } from '@faker-js/faker'
import type { ProductRow, Row } from '../store/rows.ts'
import { rfc3339 } from './choose.ts'
import type { GeneratedRows, GenerateOptions } from './generate.ts'
import { makeIntents, makeRewards } from './generate-earnings.ts'
import { makePaymentMethods } from './generate-payment-methods.ts'
import { makeStatements } from './generate-statements.ts'
import { cities } from './places.ts'
import { RandomStream } from './random-stream.ts'
import { emailOf } from './words.ts'

/**
 * One generated customer with everything that belongs to them. This module and the library for names in it are loaded
 * only when something is generated.
 */

/** The end of all generated history. */
export const endOfHistory = Date.UTC(2026, 10, 1) - 1000
const startOfHistory = Date.UTC(2021, 10, 1)
const day = 24 * 60 * 60 * 1000

/** What the parts of one customer are made from. */
export interface Making {
  random: RandomStream
  faker: Faker
  customerId: string
  accountId: string
  /** The number that stands in all ids of the customer. */
  number: string
  product: ProductRow
  rounding: GenerateOptions['rounding']
  /** When the customer was made, in milliseconds since the epoch. */
  since: number
}

/** An instant between two others, to the second. */
export function between(random: RandomStream, from: number, to: number): number {
  return from + random.integer(0, Math.max(0, Math.floor((to - from) / 1000))) * 1000
}

/** A function that makes the customer at a place, the first at 0; places do not depend on each other. */
export function customerMaker({ seed, products, rounding }: GenerateOptions): (place: number) => GeneratedRows {
  const random = new RandomStream(seed)
  const faker = new Faker({
    locale: [en, base],
    randomizer: { next: () => random.next(), seed: () => undefined },
  })
  // The order in which products are given must not change who is a customer of which.
  const [first, ...others] = products.toSorted((a, b) => (a.merchant_key < b.merchant_key ? -1 : 1))
  if (first === undefined) throw new RangeError('at least one product is needed')

  return (place) => {
    random.restart('customer', place)
    const number = String(place + 1).padStart(6, '0')
    const product = random.pick([first, ...others])
    const since = between(random, startOfHistory, endOfHistory - 20 * day)
    const customerId = `cus_${number}`
    const making: Making = {
      random,
      faker,
      customerId,
      accountId: `acct_${number}`,
      number,
      product,
      rounding,
      since,
    }
    const status = random.pick(programStatuses)
    const isCustomer = status !== 'PENDING'
    const methods = isCustomer ? makePaymentMethods(making) : []
    const card = methods[0]?.id
    return {
      customers: [makeCustomer(making, status, card)],
      accounts: [{ id: making.accountId, customer_id: customerId, currency: 'USD' }],
      payment_methods: methods,
      rewards: isCustomer ? makeRewards(making) : [],
      transaction_intents: isCustomer ? makeIntents(making, card) : [],
      statements: isCustomer ? makeStatements(making) : [],
      order_events: isCustomer ? makeOrderEvents(making) : [],
    }
  }
}

const programStatuses = [
  ...['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE'],
  ...['PENDING', 'DELINQUENT', 'CLOSED'],
] as unknown as readonly ['ACTIVE', ...string[]]
