import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WideOptions } from './sandbox.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import type { CallOptions } from './sandbox.ts'
import type { Whole } from './catalogue-answers.ts'

/**
 * The states that test the built-in scenarios: a set of fixtures, and the answer of each operation without an active
 * scenario.
 */
export interface World {
  options: WideOptions
  ids: { customer: string; account: string; method: string; reward: string; intent: string; order: string }
  /** A customer without a link. */
  unlinked: string
  /** The identifier by which the customer is found. */
  partnerId: string
  /** Statements of the account and customers of the product, in the order of their lists. */
  statements: string[]
  customers: string[]
  /** The file that holds what each operation answers. */
  goldenFile: string
}

const ada = (n: number): string => `stm_ada_${String(n).padStart(2, '0')}`

const closed = (month: number): object => ({
  statement_id: `stm_${month}`,
  customer_id: 'cus_1',
  account_id: 'acct_1',
  period_start_date: `2026-0${month}-01T00:00:00Z`,
  period_end_date: `2026-0${month}-28T00:00:00Z`,
  due_date: `2026-0${month + 1}-20T00:00:00Z`,
  currency: 'USD',
  statement_balance: 100 * month,
  minimum_due: 10,
  previous_balance: 0,
  purchases: 100 * month,
  payments: 0,
  credits: 0,
  refunds: 0,
  interest: 0,
  fees: 0,
})

const person = (id: string, day: number): object => ({
  id,
  first_name: 'Per',
  last_name: 'Son',
  email: `${id}@example.com`,
  statuses: { 'Any Card': 'ACTIVE' },
  created_at: `2026-01-0${day}T00:00:00Z`,
})

/** Every field that a row must have is there, so that the golden file does not depend on how gaps are filled. */
const smallDocument = {
  customers: [
    {
      ...person('cus_1', 2),
      partner_customer_id: 'partner-1',
      authorized_users: [{ authorized_user_id: 'au_1', first_name: 'Au', status: 'active' }],
    },
    person('cus_2', 1),
    person('cus_3', 3),
  ],
  accounts: [{ id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }],
  payment_methods: [
    {
      id: 'pm_1',
      type: 'CARD',
      customer_id: 'cus_1',
      status: 'ACTIVE',
      created_at: '2026-01-05T00:00:00Z',
      card: {
        last4: '4242',
        network: 'VISA',
        pci_details: { pan: '4242424242424242', exp_month: '01', exp_year: '2030', cvv: '123' },
      },
    },
  ],
  rewards: [
    {
      id: 'rwd_1',
      customer_id: 'cus_1',
      amount: 250,
      type: 'OFFER',
      status: 'PENDING',
      created_at: '2026-02-01T00:00:00Z',
    },
  ],
  transaction_intents: [
    {
      id: 'int_1',
      customer_id: 'cus_1',
      amount: 999,
      currency: 'USD',
      status: 'CONFIRMED',
      created_at: '2026-02-02T00:00:00Z',
    },
  ],
  statements: [1, 2, 3, 4, 5].map(closed),
  order_events: [{ id: 'ord_1', customer_id: 'cus_1' }],
}

export const worlds: [title: string, world: World][] = [
  [
    'the default fixtures',
    {
      options: {},
      ids: {
        customer: 'cus_ada',
        account: 'acct_ada',
        method: 'pm_ada_card',
        reward: 'rwd_ada_pending',
        intent: 'int_ada_1',
        order: 'ord_ada_1',
      },
      unlinked: 'cus_ben',
      partnerId: 'partner-ada',
      statements: Array.from({ length: 27 }, (_, place) => ada(27 - place)),
      customers: [
        'ben zoe yara xavier wendy samir tara uma victor rosa quinn pablo olga nils maya hugo ines jonas keiko',
        'liam grace farid elena dmitri carla ada',
      ].flatMap((line) => line.split(' ').map((name) => `cus_${name}`)),
      goldenFile: 'default-fixtures.json',
    },
  ],
  [
    'a small document',
    {
      options: { fixtures: smallDocument },
      ids: {
        customer: 'cus_1',
        account: 'acct_1',
        method: 'pm_1',
        reward: 'rwd_1',
        intent: 'int_1',
        order: 'ord_1',
      },
      unlinked: 'cus_2',
      partnerId: 'partner-1',
      statements: ['stm_5', 'stm_4', 'stm_3', 'stm_2', 'stm_1'],
      customers: ['cus_3', 'cus_1', 'cus_2'],
      goldenFile: 'small-document.json',
    },
  ],
]

export type Sent = [method: string, path: string, options?: CallOptions]

/** A successful call of each operation. */
export function callsOf({ ids, unlinked, partnerId }: World): Record<string, Sent> {
  return {
    createTransactionIntent: [
      'POST',
      '/v2/transaction_intents',
      { json: { customer_id: ids.customer, payment_method_id: ids.method, amount: 100, currency: 'USD' } },
    ],
    retrieveTransactionIntent: ['GET', `/v2/transaction_intents/${ids.intent}`],
    listPaymentMethods: ['POST', '/v2/payment_methods', { json: { customer_id: ids.customer } }],
    retrievePaymentMethod: ['GET', `/v2/payment_methods/${ids.method}`],
    searchCustomers: ['GET', `/v2/customers?partner_customer_id=${partnerId}`],
    linkCustomer: ['POST', `/v2/customers/${unlinked}/link`, { json: { partner_customer_id: 'p-1' } }],
    listStatements: ['GET', `/v2/customers/${ids.customer}/accounts/${ids.account}/statements?limit=2`],
    retrieveRewardsBalance: ['GET', `/v2/customers/${ids.customer}/rewards_balance`],
    listRewardCategories: ['GET', '/v2/rewards/rewards_categories'],
    retrieveReward: ['GET', `/v2/rewards/${ids.reward}`],
    updateReward: ['PATCH', `/v2/rewards/${ids.reward}`, { json: { amount: 5 } }],
    deleteOrderEvent: ['DELETE', `/v2/order_events/${ids.order}`],
    createApiKey: ['POST', '/v2/keys'],
  }
}

export const operations = Object.keys(callsOf({ ids: {} } as World))

const read = new Map<string, Record<string, Whole>>()

/** The answer of an operation that is called first, without an active scenario. */
export function golden(world: World, operation: string): Whole {
  const answers = read.get(world.goldenFile) ?? readGolden(world)
  read.set(world.goldenFile, answers)
  const found = answers[operation]
  if (!found) throw new Error(`${world.goldenFile} has no answer of ${operation}`)
  return found
}

export function goldenPath({ goldenFile }: World): string {
  return join(packageRoot(), 'test', 'scenarios', 'golden', goldenFile)
}

function readGolden(world: World): Record<string, Whole> {
  return JSON.parse(readFileSync(goldenPath(world), 'utf8')) as Record<string, Whole>
}
