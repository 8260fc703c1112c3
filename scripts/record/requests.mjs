// Generates the requests of a run. They are the same for the same seed, and together reach every endpoint and error.

/** Returns a generator of numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const customers = ['cus_ada', 'cus_ben', 'cus_carla', 'cus_hana', 'cus_none']
const rewards = ['rwd_ada_pending', 'rwd_ada_referral', 'rwd_carla_offer', 'rwd_none']
const scenarios = [
  'unavailable',
  'rate-limited',
  'reward-vanishes',
  'flaky-every-third',
  'unknown-fields',
  'nobody',
]
const keys = [
  'sk_sandbox_full',
  'sk_sandbox_full',
  'sk_sandbox_full',
  'sk_sandbox_multi',
  'sk_sandbox_none',
  undefined,
]
const versions = [undefined, undefined, '2025-05-05', '2026-10-13', 'latest', '2024-01-01']
const names = ['default', 'w1', 'w2']

/**
 * @param intents ids of intents in earlier responses.
 * @returns {{ method: string, path: string, headers: Record<string, string>, body?: string }}
 */
export function nextRequest(random, intents) {
  const below = (count) => Math.floor(random() * count)
  const pick = (from) => from[below(from.length)]
  const workspace = pick(names)
  const json = (method, path, value) => ({ method, path, value })
  const customer = () => pick(customers)
  const ofApi = [
    () => ({ method: 'GET', path: `/v2/rewards/${pick(rewards)}` }),
    () => ({ method: pick(['GET', 'HEAD']), path: `/v2/customers/${customer()}/rewards_balance` }),
    () => ({
      method: 'GET',
      path: `/v2/customers?limit=${below(9)}${random() < 0.3 ? '&starting_after=cus_ben' : ''}`,
    }),
    () => ({ method: 'GET', path: `/v2/customers?partner_customer_id=partner-${below(4)}` }),
    () => ({
      method: 'GET',
      path: `/v2/customers/cus_ada/accounts/acct_ada/statements?limit=${1 + below(4)}`,
    }),
    () => ({ method: 'GET', path: '/v2/rewards/rewards_categories?locale=de' }),
    () => ({ method: 'GET', path: `/v2/payment_methods/${pick(['pm_ada_card', 'pm_ada_old', 'pm_none'])}` }),
    () => json('POST', '/v2/payment_methods', { customer_id: customer() }),
    () => ({ method: 'GET', path: `/v2/transaction_intents/${intents.at(-1 - below(5)) ?? 'int_none'}` }),
    () =>
      json('POST', '/v2/transaction_intents', {
        customer_id: customer(),
        amount: below(900) - 3,
        currency: pick(['USD', 'USD', 'usd', 'EUR', 4]),
        ...(random() < 0.7 ? { payment_method_id: 'pm_ada_card' } : {}),
        ...(random() < 0.1 ? { metadata: { note: 'ünïcode', list: [1, 2.5, null] } } : {}),
      }),
    () =>
      json(
        'PATCH',
        `/v2/rewards/${pick(rewards)}`,
        random() < 0.3 ? { status: 'AVAILABLE' } : { amount: below(900) },
      ),
    () => json('POST', `/v2/customers/${customer()}/link`, { partner_customer_id: `partner-${below(4)}` }),
    () => ({ method: 'DELETE', path: `/v2/order_events/ord_ada_${1 + below(5)}` }),
    () => ({ method: 'POST', path: '/v2/keys' }),
    () => ({
      method: pick(['PUT', 'OPTIONS', 'GET']),
      path: pick(['/v2/keys', '/v2/nothing', '/v2/rewards/']),
    }),
    () => ({ method: 'POST', path: '/v2/transaction_intents', text: '{"amount": 1,' }),
  ]
  const at = (path) => `/_sandbox${path}${path.includes('?') ? '&' : '?'}workspace=${workspace}`
  const ofControl = [
    () => json('POST', at('/clock/advance'), { minutes: 1 + below(90) }),
    () => json('PUT', at('/scenarios/active'), random() < 0.5 ? [] : [pick(scenarios)]),
    () => ({ method: 'PUT', path: at(`/snapshots/${pick(['one', 'two'])}`) }),
    () => ({ method: 'POST', path: at(`/snapshots/${pick(['one', 'two'])}/restore`) }),
    () => json('PATCH', at(`/state/rewards/${pick(rewards)}`), { amount: below(900) }),
    () => ({ method: 'GET', path: at('/state?counts=true') }),
    () => ({ method: 'POST', path: at('/reset') }),
  ]
  const isControl = random() < 0.06
  const { method, path, value, text } = pick(isControl ? ofControl : ofApi)()
  const key = pick(keys)
  const version = pick(versions)
  const body = value === undefined ? text : JSON.stringify(value)
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(isControl || key === undefined ? {} : { authorization: `Bearer ${key}.${workspace}` }),
    ...(isControl || version === undefined ? {} : { 'x-service-version': version }),
    ...(!isControl && random() < 0.03 ? { 'x-sandbox-scenario': pick(scenarios) } : {}),
    ...(!isControl && random() < 0.05 ? { 'x-service-merchant-key': pick(['mk_harbor', 'mk_summit']) } : {}),
  }
  return { method, path, headers, ...(body === undefined ? {} : { body }) }
}

export const workspaces = names
