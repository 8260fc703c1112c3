// Generates one customer with all their rows. Names, streets and companies have the words of Faker.
import type { ProductRow, Row } from '../store/rows.ts'
import { emailOf } from '../fixtures/fill/person-names.ts'
import { makeIntents, makeRewards } from './earnings.ts'
import {
  between,
  day,
  endOfHistory,
  sometime,
  startOfHistory,
  type GeneratedRows,
  type CustomerContext,
  type PopulationOptions,
} from './generation-context.ts'
import { Names } from './faker-names.ts'
import { makePaymentMethods } from './generated-payment-methods.ts'
import { cities } from './places.ts'
import { RandomStream } from './random-stream.ts'
import { makeStatements } from './generated-statements.ts'

/** Generates the customer at a position, from 0; no position depends on others. Loaded for generations only. */
export function customerMaker(options: PopulationOptions): (place: number) => GeneratedRows {
  const { seed, products, rounding } = options
  const random = new RandomStream(seed)
  const randomizer = { next: () => random.next(), seed: () => undefined }
  const names = new Names(randomizer)
  // The order of the products must not change who is a customer of which.
  const [first, ...others] = products.toSorted((a, b) => (a.merchant_key < b.merchant_key ? -1 : 1))
  if (first === undefined) throw new RangeError('at least one product is needed')

  return (place) => {
    random.restart('customer', place)
    const number = String(place + 1).padStart(6, '0')
    const product = random.pick([first, ...others])
    const createdAt = between(random, startOfHistory, endOfHistory - 20 * day)
    const since = Date.parse(createdAt)
    const [customerId, accountId] = [`cus_${number}`, `acct_${number}`]
    const making: CustomerContext = { random, names, customerId, accountId, number, product, rounding, since }
    const status = statusOf(random)
    const uses = status !== 'PENDING'
    const methods = uses ? makePaymentMethods(making) : []
    const card = methods[0]?.id
    return {
      customers: [makeCustomer(making, createdAt, status, card)],
      accounts: [{ id: accountId, customer_id: customerId, currency: 'USD' }],
      payment_methods: methods,
      rewards: uses ? makeRewards(making) : [],
      transaction_intents: uses ? makeIntents(making, card) : [],
      statements: uses ? makeStatements(making) : [],
      order_events: uses ? makeOrderEvents(making) : [],
    }
  }
}

function statusOf(random: RandomStream): string {
  const chance = random.integer(1, 100)
  if (chance <= 80) return 'ACTIVE'
  return chance <= 88 ? 'PENDING' : chance <= 93 ? 'DELINQUENT' : 'CLOSED'
}

function makeCustomer(
  making: CustomerContext,
  createdAt: string,
  status: string,
  card: string | undefined,
): Row<'customers'> {
  const { random, names, number, product } = making
  const [firstName, lastName] = [names.firstName(), names.lastName()]
  const [city, state, zip, area] = random.pick(cities)
  const withUnit = random.percent(25)
  return {
    id: making.customerId,
    email: emailOf(firstName, lastName, String(random.integer(1, 999))),
    phone: phoneIn(random, area),
    statuses: { [programOf(product)]: status },
    first_name: firstName,
    last_name: lastName,
    ...(random.percent(70) ? { preferred_language: random.percent(15) ? 'es' : 'en' } : {}),
    ssn4: random.digits(4),
    date_of_birth: birthDate(random),
    address: {
      street_line1: `${random.integer(1, 9899)} ${names.street()}`,
      ...(withUnit
        ? { street_line2: `Apt ${random.integer(1, 40)}${random.pick(['A', 'B', 'C', 'D'])}` }
        : {}),
      city,
      state,
      postal_code: zip + random.digits(2),
      country: 'US',
    },
    ...(random.percent(85) ? { partner_customer_id: `partner-${number}` } : {}),
    ...(random.percent(15)
      ? { metadata: { segment: random.pick(['new', 'loyal', 'dormant']), newsletter: random.percent(50) } }
      : {}),
    created_at: createdAt,
    ...(random.percent(40) ? { updated_at: sometime(making) } : {}),
    authorized_users: random.percent(12) ? makeAuthorizedUsers(making, lastName, zip, area, card) : [],
    product: product.merchant_key,
    ...(random.percent(30) ? { opening_balance: random.integer(1, 300) * 50 } : {}),
  }
}

function makeAuthorizedUsers(
  making: CustomerContext,
  lastName: string,
  zip: string,
  area: string,
  card: string | undefined,
): NonNullable<Row<'customers'>['authorized_users']> {
  const { random, names, number } = making
  return Array.from({ length: random.integer(1, 2) }, (_, index) => {
    const firstName = names.firstName()
    return {
      authorized_user_id: `au_${number}_${index + 1}`,
      first_name: firstName,
      last_name: lastName,
      email: emailOf(firstName, lastName, String(random.integer(1, 999))),
      phone: phoneIn(random, area),
      date_of_birth: birthDate(random),
      postal_code: zip + random.digits(2),
      ...(card !== undefined && random.percent(70) ? { payment_method_id: card } : {}),
      status: random.percent(80) ? 'active' : 'removed',
    }
  })
}

/** A fictional number: 555-0100 to 555-0199 are reserved in every area. */
function phoneIn(random: RandomStream, area: string): string {
  return `+1${area}55501${random.digits(2)}`
}

function birthDate(random: RandomStream): { year: number; month: number; day: number } {
  return { year: random.integer(1944, 2003), month: random.integer(1, 12), day: random.integer(1, 28) }
}

/** Returns the name of a product's card program, such as `summit_rewards_card`. */
function programOf({ merchant_key: merchantKey, name }: ProductRow): string {
  return (
    name
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('_') ?? merchantKey
  )
}

function makeOrderEvents(making: CustomerContext): Row<'order_events'>[] {
  const { random, customerId, number } = making
  const kinds = ['card_ordered', 'card_shipped', 'card_delivered'] as const
  return kinds.slice(0, random.percent(60) ? 0 : random.integer(1, 3)).map((kind, index) => ({
    id: `ord_${number}_${index + 1}`,
    customer_id: customerId,
    metadata: { kind },
  }))
}
