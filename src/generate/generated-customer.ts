// Generates one customer with all their rows. Names, streets and companies have the words of Faker.
import { orderEventTypes } from '../contract/resources/order.ts'
import type { Row } from '../store/rows.ts'
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
    const [status, uses] = statusOf(random)
    const methods = uses ? makePaymentMethods(making) : []
    const card = methods[0]?.id
    const customer = makeCustomer(making, createdAt, status, card)
    return {
      customers: [customer],
      accounts: [{ id: accountId, customer_id: customerId, currency: 'USD' }],
      payment_methods: methods,
      rewards: uses ? makeRewards(making, customer.opening_balance ?? 0) : [],
      transaction_intents: uses ? makeIntents(making, card) : [],
      statements: uses ? makeStatements(making) : [],
      ...(uses ? makeOrders(making, card) : { orders: [], order_events: [] }),
    }
  }
}

/** Returns the status of a customer, and whether they use their card; some have not begun yet. */
function statusOf(random: RandomStream): [status: string, uses: boolean] {
  const chance = random.integer(1, 100)
  return chance <= 93 ? ['OPEN', chance <= 85] : ['CLOSED', true]
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
    statuses: { [product.name]: status },
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
      country: 'USA',
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

/** Generates the order that some customers have, and what happened to it: it was captured, and perhaps half refunded. */
function makeOrders(
  making: CustomerContext,
  card: string | undefined,
): Pick<GeneratedRows, 'orders' | 'order_events'> {
  const { random, customerId, number } = making
  const events = random.percent(60) ? 0 : random.integer(1, 2)
  if (events === 0 || card === undefined) return { orders: [], order_events: [] }
  const amount = random.integer(10, 400) * 100
  const order = {
    id: `order_${number}_1`,
    customer_id: customerId,
    payment_method_id: card,
    partner_order_id: `partner-order-${number}`,
    total_order_amount: amount,
    currency: 'USD',
    created_at: sometime(making),
  }
  const network = `ntx_${number}_${random.digits(6)}`
  const happened = orderEventTypes.slice(0, events).map((type, index) => ({
    id: `ord_${number}_${index + 1}`,
    customer_id: customerId,
    partner_event_id: `partner-event-${number}-${index + 1}`,
    order_id: order.id,
    type,
    amount: type === 'REFUNDED' ? amount / 2 : amount,
    currency: 'USD',
    network_transaction_id: network,
  }))
  return { orders: [order], order_events: happened }
}
