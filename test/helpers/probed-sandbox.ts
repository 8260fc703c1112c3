// A sandbox of ours as a target that has everything a probe could ask for, and a way to plant what it assumes.
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import {
  assumptionCatalogue,
  assumptionIds,
  type AssumptionId,
  settableValuesOf,
} from '../../src/contract/assumptions.ts'
import type { AssumptionEntry } from '../../src/contract/assumptions/assumption-entry.ts'
import { scopeNames } from '../../src/contract/scopes.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import { fitting } from './fitting.ts'
import { testNow } from './sandbox.ts'

/** More than the largest page, so that every limit of pages shows. */
const crowd = 1_050
/** More than the largest page of statements. */
const cycles = 120

/** The place of a customer by their time of creation. */
const ageOf = (n: number): number => (n * 7919) % crowd
const closedStatuses = { statuses: { 'Any Card': 'CLOSED', 'Other Card': 'CLOSED' } }

const two = (n: number): string => String(n).padStart(2, '0')
const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n)
const closed = range(crowd).filter((n) => ageOf(n) === 0 || ageOf(n) === crowd - 1)

function document(): object {
  return {
    products: [product('mk_summit'), product('mk_harbor')],
    api_keys: [
      {
        id: 'key_full',
        secret: 'secret_full',
        api_key: 'sk_full',
        scopes: scopeNames,
        products: ['mk_summit'],
      },
      ...scopeNames.map((lacking) => ({
        id: `key_${lacking}`,
        secret: `secret_${lacking}`,
        api_key: `sk_${lacking}`,
        scopes: scopeNames.filter((scope) => scope !== lacking),
        products: ['mk_summit'],
      })),
      {
        id: 'key_multi',
        secret: 'secret_multi',
        api_key: 'sk_multi',
        scopes: scopeNames,
        products: ['mk_summit', 'mk_harbor'],
      },
    ].map((key) => ({ environment: 'sandbox', ...key })),
    customers: [
      // The newest and the oldest are closed; the oldest has the smallest id, too.
      ...range(crowd).map((n) => ({
        ...customer(`cus_${n}`, n),
        ...(closed.includes(n) ? closedStatuses : {}),
      })),
      {
        ...customer('cus_es', 40),
        preferred_language: 'es',
        partner_customer_id: 'p-1',
        email: 'eva@example.com',
        phone: '+12065550101',
        opening_balance: 12_000,
        authorized_users: [
          { authorized_user_id: 'au_1', first_name: 'Al', last_name: 'So', status: 'active' },
        ],
      },
      { ...customer('cus_linked', 50), partner_customer_id: 'p-2' },
      // Has no rewards beside those that the target names.
      customer('cus_rewards', 55),
      ...range(4).map((n) => customer(`cus_expendable_${n}`, 60 + n)),
    ],
    accounts: [
      { id: 'acct_1', customer_id: 'cus_es', currency: 'USD' },
      { id: 'acct_empty', customer_id: 'cus_1', currency: 'USD' },
    ],
    payment_methods: [
      card('pm_1', 'ACTIVE', 1, '4242424242424242'),
      card('pm_old', 'CANCELED', 2, '5555555555554444'),
      { ...card('pm_off', 'INACTIVE', 3, '378282246310005') },
      {
        ...method('pm_secured', 'CARD', 'ACTIVE', 4),
        secured_credit_card: details('4111111111111111'),
        account_id: 'acct_1',
      },
      {
        ...method('pm_bank', 'BANK_ACCOUNT', 'ACTIVE', 5),
        bank_account: {
          last4: '6789',
          routing_number: '110000000',
          bank_name: 'Bank',
          account_type: 'CHECKING',
        },
      },
      {
        ...method('pm_loan', 'LOAN', 'ACTIVE', 6),
        loan: {
          amount: 500_000,
          term_months: 24,
          currency: 'USD',
          remaining_balance: 1,
          apr: '11.90',
          loan_status: 'CURRENT',
        },
      },
      {
        ...card('pm_other', 'ACTIVE', 7, '6011111111111117'),
        customer_id: 'cus_linked',
        account_id: undefined,
      },
      ...closed.map((n, place) => ({
        ...card(`pm_closed_${n}`, 'ACTIVE', 1, ['5105105105105100', '4012888888881881'][place] ?? ''),
        customer_id: `cus_${n}`,
        account_id: undefined,
      })),
    ],
    rewards: [
      ...(['PENDING', 'AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'] as const).map((status, n) => ({
        ...reward(`rwd_${status.toLowerCase()}`, n),
        status,
      })),
      { ...reward('rwd_deduction', 5), customer_id: 'cus_rewards', status: 'PENDING_DEDUCTION' },
      { ...reward('rwd_deducted_before', 6), customer_id: 'cus_rewards', status: 'DEDUCTED' },
      ...range(12).map((n) => ({
        ...reward(`rwd_expendable_${n}`, n),
        customer_id: 'cus_rewards',
        amount: 1_000 + 7 * n,
      })),
    ],
    transaction_intents: [
      {
        id: 'int_1',
        customer_id: 'cus_es',
        amount: 8_400,
        currency: 'USD',
        status: 'CONFIRMED',
        created_at: '2026-10-20T18:00:00Z',
        payment_method_id: 'pm_old',
      },
    ],
    statements: range(cycles).map((n) => statement(n)),
    order_events: range(4).map((n) => ({ id: `oev_${n}`, customer_id: 'cus_es' })),
  }
}

const both = (en: string, es: string): object => ({ en, es })

const product = (merchantKey: string): object => ({
  merchant_key: merchantKey,
  name: merchantKey,
  rewards: {
    currency: 'POINTS',
    symbol: 'points',
    description: both('points', 'puntos'),
    precision: 2,
    categories: [
      {
        name: both('Dining', 'Restaurantes'),
        description: both('Three points.', 'Tres puntos.'),
        earn_rate: '3.00',
        type: 'MERCHANT',
        merchants: ['Bistro'],
      },
      {
        name: 'Everything else',
        description: 'One point for each dollar.',
        earn_rate: '1.00',
        type: 'BASE',
        merchants: [],
      },
    ],
    special_categories: [
      {
        name: both('Welcome', 'Bienvenida'),
        description: both('A bonus.', 'Un bono.'),
        type: 'SIGNUP_BONUS',
      },
    ],
  },
})

const customer = (id: string, n: number): Record<string, unknown> => ({
  id,
  first_name: 'Per',
  last_name: 'Son',
  email: `${id.replaceAll('_', '-')}@example.com`,
  statuses: { 'Any Card': 'ACTIVE' },
  created_at: new Date(Date.UTC(2024, 0, 1) + ageOf(n) * 3_600_000).toISOString(),
  product: 'mk_summit',
})

const method = (id: string, type: string, status: string, n: number): Record<string, unknown> => ({
  id,
  type,
  customer_id: 'cus_es',
  status,
  created_at: `2025-0${n}-05T00:00:00Z`,
})

const details = (pan: string): object => ({
  last4: pan.slice(-4),
  network: 'VISA',
  card_type: 'PHYSICAL',
  card_design_id: 'design_1',
  exp_month: '01',
  exp_year: '2030',
  pci_details: { pan, exp_month: '01', exp_year: '2030', cvv: '737' },
})

const card = (id: string, status: string, n: number, pan: string): Record<string, unknown> => ({
  ...method(id, 'CARD', status, n),
  card: details(pan),
  account_id: 'acct_1',
})

const reward = (id: string, n: number): object => ({
  id,
  customer_id: 'cus_es',
  amount: 250 + n,
  type: 'ONE_TIME',
  currency: 'POINTS',
  status: 'PENDING',
  created_at: `2026-09-${two(n + 1)}T00:00:00Z`,
})

function statement(n: number): object {
  const [year, month] = [2014 + Math.floor(n / 12), (n % 12) + 1]
  const at = (day: number): string => `${year}-${two(month)}-${two(day)}T00:00:00Z`
  return {
    statement_id: `stm_${n}`,
    customer_id: 'cus_es',
    account_id: 'acct_1',
    period_start_date: at(1),
    period_end_date: at(20),
    due_date: at(28),
    currency: 'USD',
    statement_balance: 100,
    minimum_due: 10,
    previous_balance: 0,
    purchases: 100,
    payments: 0,
    credits: 0,
    refunds: 0,
    interest: 0,
    fees: 0,
  }
}

/** Everything a target can name, for the rows above. */
export const richTarget: Omit<GivenTarget, 'fetch' | 'budget'> = {
  keys: {
    full: 'sk_full',
    without: Object.fromEntries(scopeNames.map((scope) => [scope, `sk_${scope}`])),
    multi: 'sk_multi',
  },
  merchant_keys: ['mk_summit', 'mk_harbor'],
  ids: {
    customer: 'cus_es',
    partner_customer_id: 'p-1',
    account: 'acct_1',
    payment_method: 'pm_1',
    intent: 'int_1',
    reward: 'rwd_deduction',
    deducted_reward: 'rwd_deducted_before',
  },
  expendable: {
    pending_rewards: range(12).map((n) => `rwd_expendable_${n}`),
    order_events: range(4).map((n) => `oev_${n}`),
    customers: range(4).map((n) => `cus_expendable_${n}`),
  },
}

export interface ProbedSandbox {
  sandbox: Sandbox
  target: GivenTarget
  /** Every call that arrived. */
  calls: { method: string; path: string }[]
}

/** A request as it was sent. */
export interface Arriving {
  method: string
  path: string
  headers: Headers
  body: string | undefined
}

/** Rewrites what a target answers: a planted fault, or a value that no assumption has. */
export type Rewrite = (request: Arriving, answer: Response) => Response | Promise<Response>

/** The effect of a target on a request before it reads it: a planted rule. */
export type Arrive = (request: Arriving) => Arriving

/** Starts one; the caller closes it. */
export async function probedSandbox(
  assume: UnvalidatedSettings = {},
  rewrite: Rewrite = (_, answer) => answer,
  arrive: Arrive = (request) => request,
): Promise<ProbedSandbox> {
  const options = { fixtures: document(), assume, clock: testNow, frozen: true, journalSize: 5_000 }
  const sandbox = await createSandbox(options as SandboxOptions)
  const calls: ProbedSandbox['calls'] = []
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const called = { method: init.method ?? 'GET', path: pathname + search }
    calls.push(called)
    const body = typeof init.body === 'string' ? init.body : undefined
    const request = { ...called, headers: new Headers(init.headers), body }
    const { path, ...taken } = arrive({ ...request, headers: new Headers(init.headers) })
    const answer = await sandbox.fetch(new URL(path, url).href, { ...taken, body: taken.body ?? null })
    return rewrite(request, answer)
  }
  return {
    sandbox,
    calls,
    target: { ...richTarget, budget: { requests: 500, per_second: 1e6, timeout_seconds: 7 }, fetch },
  }
}

/** The values of a number that the rows above can show, if that is less than its range. */
const maxShown: Partial<Record<AssumptionId, number>> = { customers_page_size_cap: crowd - 1 }

/** Lists that hide no row: many probes and checks look for rows in them, and find none under other values. */
export const wholeLists: UnvalidatedSettings = {
  customers_without_filter: 'all',
  payment_methods_listed: 'all',
}

/** Values of all assumptions by a seed: of numbers, as often one of the catalogue as any that the rows above can show. */
export function randomAssumptions(seed: number, fixed: UnvalidatedSettings = {}): UnvalidatedSettings {
  const draw = randomFrom(seed)
  // In an order of their own: that of the catalogue says what partners meet, and may change.
  return fitting(
    Object.fromEntries(assumptionIds.toSorted().map((id) => [id, fixed[id] ?? anyValue(id, draw)])),
  )
}

/** Numbers from 0 up to 1, by a seed; of seeds that follow each other they have nothing in common (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function anyValue(id: AssumptionId, draw: () => number): string | number {
  const { default: defaultValue, range: whole }: AssumptionEntry = assumptionCatalogue[id]
  const values: readonly (string | number)[] = settableValuesOf(id)
  const [chance, place] = [draw(), draw()]
  if (!whole || chance < 0.5) return values[Math.floor(place * values.length)] ?? defaultValue
  const [least, most] = whole
  // Of each order of size as many.
  const drawn = Math.floor(least * (Math.min(most, maxShown[id] ?? most) / least) ** place)
  return Math.max(least, drawn)
}
