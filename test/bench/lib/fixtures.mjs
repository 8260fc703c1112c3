import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * State documents of any size. Rows are complete, so that nothing in them has to be made up.
 */

/** How many customers have a reward and a card of their own in `served`. */
const active = 1000

/** @param {number} at */
const number = (at) => String(at).padStart(8, '0')

/** @param {number} at */
export const customerId = (at) => `cus_${number(at)}`
/** @param {number} at */
export const partnerId = (at) => `partner-${number(at)}`
/** @param {number} at */
const instant = (at) => new Date(Date.UTC(2020, 0, 1) + at * 60_000).toISOString()

/** @param {number} at */
function customer(at) {
  return {
    id: customerId(at),
    email: `customer.${at}@example.com`,
    phone: '+15555550100',
    statuses: { rewards_card: 'ACTIVE' },
    first_name: 'Ada',
    last_name: 'Bench',
    preferred_language: 'en',
    date_of_birth: { year: 1985, month: 4, day: 12 },
    address: {
      street_line1: '1 Example Street',
      city: 'Springfield',
      state: 'IL',
      postal_code: '62701',
      country: 'US',
    },
    partner_customer_id: partnerId(at),
    metadata: { segment: 'bench', number: at },
    created_at: instant(at),
    authorized_users: [],
    product: 'mk_summit',
  }
}

/** A row with the required fields only. @param {number} at */
export function leanCustomer(at) {
  return {
    id: customerId(at),
    email: `customer.${at}@example.com`,
    statuses: { rewards_card: 'ACTIVE' },
    first_name: 'Ada',
    last_name: 'Bench',
    partner_customer_id: partnerId(at),
    created_at: instant(at),
    authorized_users: [],
    product: 'mk_summit',
  }
}

/** @param {number} at */
const reward = (at) => ({
  id: `rwd_${number(at)}`,
  customer_id: customerId(at),
  transaction_event_id: `txn_${number(at)}`,
  amount: 1250 + at,
  type: 'TRANSACTION',
  currency: 'POINTS',
  status: 'AVAILABLE',
  created_at: instant(at),
  metadata: { merchant_name: 'Corner Bistro' },
})

/** @param {number} at */
const card = (at) => ({
  id: `pm_${number(at)}`,
  type: 'CARD',
  customer_id: customerId(at),
  created_at: instant(at),
  status: 'ACTIVE',
  card: { last4: '1111', network: 'VISA', card_type: 'PHYSICAL', exp_month: '12', exp_year: '2031' },
})

/** @template T @param {number} count @param {(at: number) => T} make @returns {T[]} */
const list = (count, make) => Array.from({ length: count }, (_, at) => make(at))

/**
 * A file with this many customers, as a partner would export them.
 * @param {string} folder
 * @param {number} count
 */
export function customersFile(folder, count) {
  return file(folder, `customers-${count}.json`, () => ({ customers: list(count, customer) }))
}

/**
 * What the load is served from: 10,000 customers, of whom 1,000 have a reward and a card.
 * @param {string} folder
 */
export function servedFile(folder) {
  return file(folder, 'served.json', () => ({
    customers: list(10_000, customer),
    payment_methods: list(active, card),
    rewards: list(active, reward),
  }))
}

/** @param {string} folder @param {string} name @param {() => object} make */
function file(folder, name, make) {
  const path = join(folder, name)
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(make()))
  return path
}

export const key = 'sk_sandbox_full'
export const authorization = `Bearer ${key}`

/**
 * One request as its bytes, as every load generator sends them.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
function request(method, path, body) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const framing =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\naccept: */*\r\n${framing}\r\n${text}`
}

/** @param {number} at */
export const intentBody = (at) => ({
  customer_id: customerId(at % active),
  amount: 1000 + (at % 9000),
  currency: 'USD',
  payment_method_id: `pm_${number(at % active)}`,
  network_transaction_id: `0161535701${number(at)}`,
  merchant_name: 'Skyline Air',
  merchant_code: '4511',
  expected_date: '2026-11-22',
  metadata: { order: `A-${at}` },
})

/** @param {number} at */
const readReward = (at) => request('GET', `/v2/rewards/rwd_${number(at % active)}`)
/** The hits are spread over all 10,000 customers. @param {number} at */
const searchCustomer = (at) =>
  request('GET', `/v2/customers?partner_customer_id=${partnerId(((at % active) * 10_000) / active)}`)
/** @param {number} at */
const createIntent = (at) => request('POST', '/v2/transaction_intents', intentBody(at))

/**
 * Creations for customers without a card, spread over this many.
 * @param {number} rows
 */
export const creations = (rows) =>
  list(1000, (at) =>
    request('POST', '/v2/transaction_intents', {
      ...intentBody(at),
      customer_id: customerId((at * rows) / 1000),
      payment_method_id: undefined,
    }),
  )

/**
 * The four kinds of work, each as the requests that are sent in turn.
 * @type {Record<'W1' | 'W2' | 'W3' | 'W4', () => string[]>}
 */
export const work = {
  W1: () => list(active, readReward),
  W2: () => list(active, searchCustomer),
  W3: () => list(active, createIntent),
  W4: () => list(2000, mixed),
}

/** 70 reads, 15 searches and 15 creations of each 100, evenly mixed: 37 has no factor in common with 100. @param {number} at */
function mixed(at) {
  const place = (at * 37) % 100
  if (place < 70) return readReward(at)
  return place < 85 ? searchCustomer(at) : createIntent(at)
}
