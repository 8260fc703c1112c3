/** The mixed work of the clients: which request comes next, by seed. */
import type { Random } from './random.ts'

/** A call of the API or of the control plane in one workspace. */
export interface SandboxRequest {
  readonly method: string
  /** From the origin on, with the workspace where it is one of the control plane. */
  readonly path: string
  readonly json?: unknown
  /** The value of `x-sandbox-scenario` of the call. */
  readonly scenario?: string
}

/** The ids that clients have learned from the answers of a workspace. */
export interface Known {
  readonly intents: string[]
}

const customers = ['cus_ada', 'cus_ben', 'cus_carla']
const rewards = ['rwd_ada_pending', 'rwd_ada_referral', 'rwd_carla_offer', 'rwd_carla_one_time']
const orders = ['ord_ada_1', 'ord_ada_2', 'ord_ada_3', 'ord_ada_4']
/** Those whose rules count calls, and one that changes rows. */
const counting = ['rate-limited', 'flaky-every-third', 'reward-vanishes', 'reward-settled-before-update']
const names = ['one', 'two']

type Make = (random: Random, known: Known) => SandboxRequest

const get = (path: string): SandboxRequest => ({ method: 'GET', path })
const post = (path: string, json?: unknown): SandboxRequest => ({ method: 'POST', path, json })

/** Each with how often it comes. */
const ofApi: readonly (readonly [weight: number, make: Make])[] = [
  [12, (random) => get(`/v2/rewards/${random.pick(rewards)}`)],
  [6, (random) => get(`/v2/customers/${random.pick(customers)}/rewards_balance`)],
  [4, (random) => get(`/v2/customers?limit=${1 + random.below(5)}`)],
  [4, (random) => get(`/v2/customers?partner_customer_id=partner-${random.below(4)}`)],
  [3, () => get('/v2/customers/cus_ada/accounts/acct_ada/statements?limit=2')],
  [2, () => get('/v2/rewards/rewards_categories')],
  [3, () => get('/v2/payment_methods/pm_ada_card')],
  [4, (random) => post('/v2/payment_methods', { customer_id: random.pick(customers) })],
  [
    8,
    (random, { intents }) =>
      get(`/v2/transaction_intents/${intents.length === 0 ? 'int_none' : random.pick(intents)}`),
  ],
  [
    12,
    (random) =>
      post('/v2/transaction_intents', {
        customer_id: 'cus_ada',
        amount: 1 + random.below(1000),
        currency: 'USD',
        payment_method_id: 'pm_ada_card',
      }),
  ],
  [
    8,
    (random) => ({
      method: 'PATCH',
      path: `/v2/rewards/${random.pick(rewards)}`,
      json: random.chance(0.2) ? { status: 'AVAILABLE' } : { amount: random.below(1000) },
    }),
  ],
  [
    4,
    (random) =>
      post(`/v2/customers/${random.pick(customers)}/link`, {
        partner_customer_id: `partner-${random.below(4)}`,
      }),
  ],
  [2, (random) => ({ method: 'DELETE', path: `/v2/order_events/${random.pick(orders)}` })],
  [2, () => post('/v2/keys')],
]

const ofControl: readonly (readonly [weight: number, make: Make])[] = [
  [2, () => post('/reset')],
  [3, (random) => ({ method: 'PUT', path: `/snapshots/${random.pick(names)}` })],
  [3, (random) => post(`/snapshots/${random.pick(names)}/restore`)],
  [1, (random) => ({ method: 'DELETE', path: `/snapshots/${random.pick(names)}` })],
  [1, () => get('/snapshots')],
  [3, (random) => post('/clock/advance', { minutes: 1 + random.below(90) })],
  [1, () => get('/clock')],
  [
    5,
    (random) => ({
      method: 'PUT',
      path: '/scenarios/active',
      json: random.chance(0.3) ? [] : [random.pick(counting)],
    }),
  ],
  [1, () => get('/scenarios/active')],
  [2, (random) => get(`/scenarios/${random.pick(counting)}`)],
  [2, () => get('/state?counts=true')],
  [1, () => get('/state/rewards?limit=5')],
  [
    2,
    (random) => ({
      method: 'PATCH',
      path: `/state/rewards/${random.pick(rewards)}`,
      json: { amount: random.below(1000) },
    }),
  ],
]

function pickWeighted(random: Random, from: typeof ofApi): Make {
  let at = random.below(from.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, make] of from) {
    at -= weight
    if (at < 0) return make
  }
  throw new Error('nothing to pick from')
}

/** @param control which share of the requests is for the control plane. */
export function nextRequest(random: Random, workspace: string, known: Known, control = 0.15): SandboxRequest {
  if (!random.chance(control)) {
    const made = pickWeighted(random, ofApi)(random, known)
    return random.chance(0.05) ? { ...made, scenario: random.pick(counting.slice(0, 2)) } : made
  }
  const { path, ...request } = pickWeighted(random, ofControl)(random, known)
  return {
    ...request,
    path: `/_sandbox${path}${path.includes('?') ? '&' : '?'}workspace=${workspace}`,
  }
}

/** The headers that a request is sent with. */
export function headersOf(
  { path, json, scenario }: SandboxRequest,
  workspace: string,
): Record<string, string> {
  return {
    ...(path.startsWith('/_sandbox') ? {} : { authorization: `Bearer sk_sandbox_full.${workspace}` }),
    ...(scenario === undefined ? {} : { 'x-sandbox-scenario': scenario }),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

/** The parts that may differ between processes. */
const ownHeaders = new Set([
  'date',
  'x-sandbox-request-id',
  'x-sandbox-commit',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
])
const ownMembers = /"(as_of|pdf_url|timestamp|date)":"[^"]*"/g

/** The parts of an answer that do not depend on the replica. */
export function comparable(
  status: number,
  headers: Iterable<readonly [string, string]>,
  body: string,
): string {
  const kept = [...headers]
    .filter(([name]) => !ownHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`)
  return [status, ...kept.toSorted(), body.replaceAll(ownMembers, '"$1":"…"')].join('\n')
}
