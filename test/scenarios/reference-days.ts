// Tests of a client's day, in process and over HTTP.
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { CallFailed, ReferenceClient, type ClientOptions } from '../helpers/reference-client.ts'

/**
 * A client's day, run under every scenario of the catalogue. Without one it ends as `usual` says; the table names for
 * each scenario what is different then, which is what its description promises.
 */

interface Day {
  customers: string
  statements: string
  authorizedUsers: string
  cardDetails: string
  method: string
  balance: string
  created: string
  intent: string
  reward: string
  orderEvent: string
  link: string
  /** The final rows of the sandbox. */
  state: { customers: number; statements: number; intents: number; reward: string; orderEvents: number }
  /** The milliseconds that the client was asked to wait. */
  waits: number[]
}

const defaultDay: Day = {
  customers: '26',
  statements: '27',
  authorizedUsers: 'shown',
  cardDetails: 'shown',
  method: 'ACTIVE',
  balance: 'read',
  created: 'CONFIRMED',
  intent: 'CONFIRMED',
  reward: 'DEDUCTED',
  orderEvent: 'deleted',
  link: 'linked',
  state: { customers: 28, statements: 30, intents: 4, reward: 'DEDUCTED', orderEvents: 4 },
  waits: [],
}
const untouched = { ...defaultDay.state, intents: 3, reward: 'PENDING', orderEvents: 5 }

/** Every step of the day fails in the same way. */
function nothingBut(failure: string, waits: number[] = []): Partial<Day> {
  const { state: _state, waits: _waits, ...steps } = defaultDay
  const failed = Object.fromEntries(Object.keys(steps).map((step) => [step, failure]))
  return { ...failed, state: untouched, waits }
}

const notFound = (what: string): string => `404 ${what}_NOT_FOUND_ERROR`
const firstWait = [200]
const forbidden = '403 FORBIDDEN_ERROR'

interface Run {
  scenario: string
  /** The differences from the usual day. */
  differs: Partial<Day>
  version?: string
}

export const runs: Run[] = [
  {
    scenario: 'not-found-customer',
    differs: {
      statements: notFound('CUSTOMER'),
      cardDetails: notFound('CUSTOMER'),
      balance: notFound('CUSTOMER'),
      created: notFound('CUSTOMER'),
      link: notFound('CUSTOMER'),
      state: { ...defaultDay.state, intents: 3 },
    },
  },
  { scenario: 'not-found-account', differs: { statements: notFound('ACCOUNT') } },
  {
    scenario: 'not-found-payment-method',
    differs: {
      method: notFound('PAYMENT_METHOD'),
      created: notFound('PAYMENT_METHOD'),
      state: { ...defaultDay.state, intents: 3 },
    },
  },
  { scenario: 'not-found-transaction-intent', differs: { intent: '404 TRANSACTION_INTENT_FOUND_ERROR' } },
  {
    scenario: 'not-found-reward',
    differs: { reward: notFound('REWARD'), state: { ...defaultDay.state, reward: 'PENDING' } },
  },
  {
    scenario: 'scope-missing-transaction-intent-write',
    differs: { created: forbidden, state: { ...defaultDay.state, intents: 3 } },
  },
  { scenario: 'scope-missing-transaction-intent-read', differs: { intent: forbidden } },
  { scenario: 'scope-missing-account-read', differs: { statements: forbidden } },
  {
    scenario: 'scope-missing-order-write',
    differs: { orderEvent: forbidden, state: { ...defaultDay.state, orderEvents: 5 } },
  },
  { scenario: 'scope-missing-pci-details-read', differs: { cardDetails: 'left out' } },
  { scenario: 'scope-missing-authorized-user-read', differs: { authorizedUsers: 'left out' } },
  { scenario: 'version-unsupported', differs: nothingBut('400 BAD_REQUEST_ERROR') },
  { scenario: 'version-unsupported', version: 'latest', differs: nothingBut('400 BAD_REQUEST_ERROR') },
  { scenario: 'version-sunset-2025-05-05', differs: {} },
  {
    scenario: 'version-sunset-2025-05-05',
    version: '2025-05-05',
    differs: nothingBut('400 BAD_REQUEST_ERROR'),
  },
  { scenario: 'version-latest-preview', differs: nothingBut('400 BAD_REQUEST_ERROR') },
  { scenario: 'version-latest-preview', version: 'latest', differs: {} },
  { scenario: 'key-revoked', differs: nothingBut('401 UNAUTHORIZED_ERROR') },
  { scenario: 'pagination-empty', differs: { customers: '0', statements: '0', authorizedUsers: 'left out' } },
  { scenario: 'pagination-one-per-page', differs: {} },
  { scenario: 'pagination-exact-multiple', differs: {} },
  { scenario: 'pagination-short-last-page', differs: {} },
  { scenario: 'pagination-empty-page-with-more', differs: {} },
  {
    scenario: 'pagination-insert-while-walking',
    differs: { state: { ...defaultDay.state, customers: 29 } },
  },
  {
    scenario: 'pagination-delete-while-walking',
    differs: { customers: '25', state: { ...defaultDay.state, customers: 27 } },
  },
  { scenario: 'pagination-expired-cursor', differs: {} },
  {
    scenario: 'pagination-repeated-item',
    differs: { customers: '26, an item twice', statements: '27, an item twice' },
  },
  { scenario: 'pagination-missing-cursor', differs: { statements: '10, no cursor' } },
  { scenario: 'pagination-repeated-cursor', differs: { statements: '20, the same cursor twice' } },
  { scenario: 'pagination-wrong-total', differs: { customers: '26, another total' } },
  {
    scenario: 'reward-settled-before-update',
    differs: { reward: 'AVAILABLE', state: { ...defaultDay.state, reward: 'AVAILABLE' } },
  },
  { scenario: 'reward-vanishes', differs: { reward: notFound('REWARD') } },
  {
    scenario: 'commit-but-answer-lost',
    differs: { state: { ...defaultDay.state, intents: 5 }, waits: firstWait },
  },
  { scenario: 'slow', differs: {} },
  { scenario: 'hang', differs: { waits: firstWait } },
  { scenario: 'reset', differs: { waits: firstWait } },
  { scenario: 'truncated', differs: { waits: firstWait } },
  { scenario: 'rate-limited', differs: { waits: [1000, 1000] } },
  { scenario: 'unavailable', differs: nothingBut('503 no answer to use') },
  { scenario: 'html-gateway-error', differs: { waits: firstWait } },
  { scenario: 'flaky-every-third', differs: {} },
  { scenario: 'unknown-fields', differs: {} },
  { scenario: 'unknown-fields', version: '2025-05-05', differs: {} },
  { scenario: 'new-enum-values-latest', differs: {} },
  { scenario: 'new-enum-values-latest', version: '2025-05-05', differs: {} },
  {
    scenario: 'new-enum-values-latest',
    version: 'latest',
    differs: {
      method: 'SANDBOX_NEW_VALUE',
      created: 'SANDBOX_NEW_VALUE',
      intent: 'SANDBOX_NEW_VALUE',
      reward: 'SANDBOX_NEW_VALUE',
      state: { ...defaultDay.state, reward: 'PENDING' },
    },
  },
  { scenario: 'null-optionals', differs: {} },
]

/** These fail on their own rhythm, so how often the client waits is not what they promise. */
const ownRhythm = new Set(['flaky-every-third', 'unavailable'])

async function spend(open: Sandbox, options: Omit<ClientOptions, 'wait' | 'apiKey'>): Promise<Day> {
  const waits: number[] = []
  const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds)
  const client = new ReferenceClient({ ...options, apiKey: open.apiKey, wait })
  const step = async (work: () => Promise<string>): Promise<string> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof CallFailed) return error.message
      throw error
    }
  }
  const walked = (list: { ids: string[]; breaches: string[] }): string =>
    [list.ids.length, ...list.breaches].join(', ')
  type List<T> = { data: T[] }

  // In order, as the days before and after a fault are part of what scenarios promise.
  const customers = await step(async () => walked(await client.customers()))
  const statements = await step(async () => walked(await client.statements('cus_ada', 'acct_ada')))
  const authorizedUsers = await step(async () => {
    const path = '/v2/customers?partner_customer_id=partner-ada'
    const { data } = await client.call<List<{ authorized_users?: unknown }>>('GET', path)
    return data[0]?.authorized_users ? 'shown' : 'left out'
  })
  const cardDetails = await step(async () => {
    const body = { customer_id: 'cus_ada', type: 'CARD' }
    type Card = { card?: { pci_details?: unknown } | null }
    const { data } = await client.call<List<Card>>('POST', '/v2/payment_methods', body)
    return data.some(({ card }) => card?.pci_details) ? 'shown' : 'left out'
  })
  const method = await step(async () => (await client.call('GET', '/v2/payment_methods/pm_ada_card')).status)
  const balance = await step(async () => {
    const { reward_balance: read } = await client.call('GET', '/v2/customers/cus_ada/rewards_balance')
    return typeof read === 'number' ? 'read' : 'not a number'
  })
  let made = 'int_ada_1'
  const created = await step(async () => {
    const wanted = { customer_id: 'cus_ada', amount: 4200, currency: 'USD', payment_method_id: 'pm_ada_card' }
    const intent = await client.call('POST', '/v2/transaction_intents', wanted)
    made = intent.id
    return intent.status
  })
  const intent = await step(async () => (await client.call('GET', `/v2/transaction_intents/${made}`)).status)
  const reward = await step(() => client.settle('rwd_ada_pending'))
  const orderEvent = await step(async () => {
    await client.call('DELETE', '/v2/order_events/ord_ada_1')
    return 'deleted'
  })
  const link = await step(async () => {
    const wanted = { partner_customer_id: 'partner-ben' }
    const linked = await client.call('POST', '/v2/customers/cus_ben/link', wanted)
    return linked['partner_customer_id'] === 'partner-ben' ? 'linked' : 'not linked'
  })
  const { state } = open
  return {
    customers,
    statements,
    authorizedUsers,
    cardDetails,
    method,
    balance,
    created,
    intent,
    reward,
    orderEvent,
    link,
    waits,
    state: {
      customers: state.size('customers'),
      statements: state.size('statements'),
      intents: state.size('transaction_intents'),
      reward: String(Reflect.get(state.get('rewards', 'rwd_ada_pending') ?? {}, 'status')),
      orderEvents: state.size('order_events'),
    },
  }
}

function expectDay(day: Day, { scenario, differs }: Pick<Run, 'scenario' | 'differs'>): void {
  const expected = { ...defaultDay, ...differs }
  expect(day).toEqual(ownRhythm.has(scenario) ? { ...expected, waits: day.waits } : expected)
}

/**
 * Lets waits of scenarios pass at once, in steps so small that a client over HTTP, whose limits are on the same clock,
 * does not give up before the bytes have come.
 */
async function withoutWaiting<T>(work: Promise<T>): Promise<T> {
  const progress = { done: false }
  const finished = work.finally(() => (progress.done = true))
  while (!progress.done) {
    await new Promise(setImmediate)
    vi.advanceTimersByTime(2)
  }
  return finished
}

/** Patience that ends for the first call as soon as the sandbox has begun not to answer it, and for no other. */
function givingUp(open: Sandbox): () => AbortSignal {
  const calls: AbortController[] = []
  const look = (): void => {
    if (open.requests.list({ outcome: 'fault' }).length > 0) calls[0]?.abort()
    else setImmediate(look)
  }
  return () => {
    const call = new AbortController()
    if (calls.push(call) === 1) look()
    return call.signal
  }
}

/** The days of a client that calls its sandbox through this door. */
export function describeDays(door: 'in process' | 'over HTTP'): void {
  describe(`the reference client ${door}`, () => {
    async function day({
      scenario,
      version,
    }: {
      scenario?: string
      version?: string | undefined
    }): Promise<Day> {
      const open = await createSandbox({ scenarios: scenario === undefined ? [] : [scenario] })
      onTestFinished(async () => {
        vi.useRealTimers()
        await open.close()
      })
      const url = door === 'over HTTP' ? (await open.listen()).url : undefined
      const send: ClientOptions['send'] = (path, init) =>
        url === undefined ? open.fetch(path, init) : fetch(`${url}${path}`, init)
      const patience = scenario === 'hang' ? givingUp(open) : undefined
      if (scenario === 'slow') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const spent = spend(open, { send, version, patience })
      return scenario === 'slow' ? withoutWaiting(spent) : spent
    }

    test('without a scenario: the usual day', async () => {
      expect(await day({})).toEqual(defaultDay)
    })

    test.each(runs)('$scenario, version $version', async (run) => {
      expectDay(await day(run), run)
    })
  })
}
