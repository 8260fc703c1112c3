import { describe, expect, test } from 'vitest'
import {
  assumptionCatalogue,
  assumptionIds,
  type AssumptionId,
  settableValuesOf,
} from '../../../src/contract/assumptions.ts'
import { fitting } from '../../helpers/fitting.ts'
import { startSandbox, type Answered, type CallApi, type CallOptions } from '../../helpers/sandbox.ts'
import { drawn } from '../../setup/samples.ts'

/**
 * A scenario injects the answer of the service, under any assumptions: its call gets the same bytes as a call that the
 * service refuses for that reason.
 */

type CallArgs = [method: string, path: string, options?: CallOptions]

interface Occasion {
  on: string
  effect: unknown
  /** Calls that nothing is wrong with but the scenario. */
  injected: CallArgs
  /** The call that is refused without any scenario. */
  real: CallArgs
}

const ada = '/v2/customers/cus_ada'
const stranger = '/v2/customers/cus_none'
const statements = `${ada}/accounts/acct_ada/statements`
const reward = '/v2/rewards/rwd_ada_pending'
const event = '/v2/order_events/ord_ada_1'
/** Every field that an assumption can require is there, so that no answer rests on whether it is. */
const intent = {
  customer_id: 'cus_ada',
  amount: 5,
  currency: 'USD',
  payment_method_id: 'pm_ada_card',
  network_transaction_id: '1',
}
const created = (change: object): CallArgs => [
  'POST',
  '/v2/transaction_intents',
  { json: { ...intent, ...change } },
]
const listed = (customer: string): CallArgs => [
  'POST',
  '/v2/payment_methods',
  { json: { customer_id: customer } },
]
const linked = (customer: string, id = 'new'): CallArgs => [
  'POST',
  `${customer}/link`,
  { json: { partner_customer_id: id } },
]
const updated = (path: string): CallArgs => ['PATCH', path, { json: { amount: 5 } }]

const notFound: Occasion[] = [
  {
    on: 'createTransactionIntent',
    effect: { not_found: 'customer_id' },
    injected: created({}),
    real: created({ customer_id: 'cus_none' }),
  },
  {
    on: 'createTransactionIntent',
    effect: { not_found: 'payment_method_id' },
    injected: created({}),
    real: created({ payment_method_id: 'pm_none' }),
  },
  {
    on: 'retrieveTransactionIntent',
    effect: 'not_found',
    injected: ['GET', '/v2/transaction_intents/int_ada_1'],
    real: ['GET', '/v2/transaction_intents/int_none'],
  },
  {
    on: 'listPaymentMethods',
    effect: 'not_found',
    injected: listed('cus_ada'),
    real: listed('cus_none'),
  },
  {
    on: 'retrievePaymentMethod',
    effect: 'not_found',
    injected: ['GET', '/v2/payment_methods/pm_ada_card'],
    real: ['GET', '/v2/payment_methods/pm_none'],
  },
  { on: 'linkCustomer', effect: 'not_found', injected: linked(ada), real: linked(stranger) },
  {
    on: 'listStatements',
    effect: { not_found: 'customer_id' },
    injected: ['GET', statements],
    real: ['GET', `${stranger}/accounts/acct_ada/statements`],
  },
  {
    on: 'listStatements',
    effect: { not_found: 'account_id' },
    injected: ['GET', statements],
    real: ['GET', `${ada}/accounts/acct_none/statements`],
  },
  {
    on: 'retrieveRewardsBalance',
    effect: 'not_found',
    injected: ['GET', `${ada}/rewards_balance`],
    real: ['GET', `${stranger}/rewards_balance`],
  },
  { on: 'retrieveReward', effect: 'not_found', injected: ['GET', reward], real: ['GET', '/v2/rewards/none'] },
  { on: 'updateReward', effect: 'not_found', injected: updated(reward), real: updated('/v2/rewards/none') },
]

/** An error by its type is the one of the same occasion, whichever that is under the assumptions in force. */
const byType: Occasion[] = [
  {
    on: 'listStatements',
    effect: { error: 'ACCOUNT_NOT_FOUND_ERROR' },
    injected: ['GET', statements],
    real: ['GET', `${ada}/accounts/acct_none/statements`],
  },
  {
    on: 'listStatements',
    effect: { error: 'CUSTOMER_NOT_FOUND_ERROR' },
    injected: ['GET', statements],
    real: ['GET', `${stranger}/accounts/acct_ada/statements`],
  },
  {
    on: 'listPaymentMethods',
    effect: { error: 'CUSTOMER_NOT_FOUND_ERROR' },
    injected: listed('cus_ada'),
    real: listed('cus_none'),
  },
  {
    on: 'updateReward',
    effect: { error: 'CONFLICT_ERROR' },
    injected: updated(reward),
    real: updated('/v2/rewards/rwd_ada_available'),
  },
  {
    on: 'linkCustomer',
    effect: { error: 'CUSTOMER_ALREADY_LINKED' },
    injected: linked(ada),
    real: linked('/v2/customers/cus_ben', 'partner-ada'),
  },
  {
    on: 'deleteOrderEvent',
    effect: { error: 'NOT_FOUND_ERROR' },
    injected: ['DELETE', event],
    real: ['DELETE', '/v2/order_events/ord_none'],
  },
  {
    on: 'deleteOrderEvent',
    effect: { error: 'FORBIDDEN_ERROR' },
    injected: ['DELETE', event],
    real: ['DELETE', event, { key: 'sk_sandbox_none' }],
  },
]

/** Effects by which the operation itself comes to refuse. */
const byCause: Occasion[] = [
  {
    on: 'updateReward',
    effect: { change: { rewards: { $reward_id: { status: 'AVAILABLE' } } } },
    injected: updated(reward),
    real: updated('/v2/rewards/rwd_ada_available'),
  },
  {
    on: 'deleteOrderEvent',
    effect: { change: { order_events: { $order_event_id: null } } },
    injected: ['DELETE', event],
    real: ['DELETE', '/v2/order_events/ord_none'],
  },
  ...['deleteOrderEvent', '*'].map((on): Occasion => ({
    on,
    effect: 'missing_scope',
    injected: ['DELETE', event],
    real: ['DELETE', event, { key: 'sk_sandbox_none' }],
  })),
  {
    on: '*',
    effect: 'unauthenticated',
    injected: ['GET', reward],
    real: ['GET', reward, { key: 'sk_sandbox_nobody' }],
  },
  {
    on: 'searchCustomers',
    effect: { page: 'expired_cursor' },
    injected: ['GET', '/v2/customers?starting_after=cus_ada'],
    real: ['GET', '/v2/customers?starting_after=cus_none'],
  },
]

const all = [...notFound, ...byType, ...byCause]

/** Everything of an answer but the number of its request, which links carry too. */
function bytes({ status, headers, text }: Answered): unknown {
  const {
    'x-sandbox-request-id': requestId,
    'content-length': _length,
    ...rest
  } = Object.fromEntries(headers)
  expect(requestId).toMatch(/^req_default_\d+$/)
  return { status, headers: rest, text: text.replaceAll(/"pdf_url":"[^"]*"/g, '"pdf_url":""') }
}

/** Every call selects its product, so that none rests on whether it must. */
const send = (call: CallApi, [method, path, options = {}]: CallArgs, headers = {}): Promise<Answered> =>
  call(method, path, { ...options, headers: { 'x-service-merchant-key': 'mk_summit', ...headers } })

/** Under these assumptions, the scenario answers as the service, and what it injects leaves no trace. */
async function expectAlike(assume: Record<string, string | number>, occasion: Occasion): Promise<void> {
  const { on, effect, injected, real } = occasion
  const { call, scenarios, state } = await startSandbox({ assume })
  await scenarios.register({ name: 'armed', description: 'Of a test.', rules: [{ on, effect }] })
  const refused = await send(call, real)
  const before = state.document()
  const answer = await send(call, injected, { 'x-sandbox-scenario': 'armed' })
  expect(bytes(answer)).toEqual(bytes(refused))
  if (!byCause.includes(occasion)) expect(state.document()).toEqual(before)
}

const title = ({ on, effect }: Occasion): string => `${on} ${JSON.stringify(effect)}`

/** Assumptions that change how errors are answered, with the occasions on which they do. */
const deciding: Partial<Record<AssumptionId, Occasion[]>> = {
  not_found_status: notFound,
  unknown_account_type: [...notFound, ...byType].filter(({ on }) => on === 'listStatements'),
  payment_methods_unknown_customer: [...notFound, ...byType].filter(({ on }) => on === 'listPaymentMethods'),
  reward_not_pending: all.filter(({ on }) => on === 'updateReward'),
  link_conflict_status: all.filter(({ on }) => on === 'linkCustomer'),
  link_replaces: all.filter(({ on }) => on === 'linkCustomer'),
  link_conflict_type: all.filter(({ on }) => on === 'linkCustomer'),
  delete_missing_order_event: all.filter(({ on }) => on === 'deleteOrderEvent'),
  unauthenticated_status: all.filter(({ effect }) => effect === 'unauthenticated'),
  unauthenticated_type: all.filter(({ effect }) => effect === 'unauthenticated'),
  forbidden_type: all.filter(({ on, effect }) => on === 'deleteOrderEvent' || effect === 'missing_scope'),
  unknown_cursor: all.filter(({ on }) => on === 'searchCustomers'),
}

const valuesOf = (id: AssumptionId): readonly (string | number)[] => settableValuesOf(id)

const one = assumptionIds.flatMap((id) =>
  valuesOf(id).flatMap((value) =>
    (deciding[id] ?? []).map(
      (occasion) => [`${id}=${value}`, title(occasion), { [id]: value }, occasion] as const,
    ),
  ),
)

const alternatives = [1, 2, 3].flatMap((place) => {
  const assume = fitting(
    Object.fromEntries(
      assumptionIds.map((id) => [id, valuesOf(id)[place] ?? assumptionCatalogue[id].default]),
    ),
  )
  return all.map(
    (occasion) => [`alternatives number ${place}, all at once`, title(occasion), assume, occasion] as const,
  )
})

describe('an injected error is the real one', () => {
  test.each(drawn([...one, ...alternatives]))('%s: %s', async (_under, _title, assume, occasion) => {
    await expectAlike(assume, occasion)
  })

  test.each(valuesOf('unknown_cursor'))(
    'unknown_cursor=%s: an expired page token is one that was never given',
    async (value) => {
      const { call, scenarios } = await startSandbox({ assume: { unknown_cursor: value } })
      const rule = { on: 'listStatements', effect: { page: 'expired_cursor' } }
      await scenarios.register({ name: 'armed', description: 'Of a test.', rules: [rule] })
      const { next_page_token: token } = (await call('GET', statements)).json
      const real = await call('GET', `${statements}?starting_after=${token}x`)
      const headers = { 'x-sandbox-scenario': 'armed' }
      const answer = await call('GET', `${statements}?starting_after=${token}`, { headers })
      expect(bytes(answer)).toEqual(bytes(real))
    },
  )
})

describe('what a rule says itself', () => {
  test.each<[string, object, CallArgs, number, object]>([
    [
      'a message of its own stays',
      { on: 'updateReward', effect: { error: 'CONFLICT_ERROR', message: 'Too late.' } },
      updated(reward),
      400,
      { error: { type: 'BAD_REQUEST_ERROR', message: 'Too late.' } },
    ],
    [
      'an error that every operation can give needs no occasion',
      { on: 'listStatements', effect: { error: 'BAD_REQUEST_ERROR' } },
      ['GET', statements],
      400,
      { error: { type: 'BAD_REQUEST_ERROR', message: 'The request is invalid.' } },
    ],
    [
      'an error that the operation never gives is given as it is',
      { on: 'retrieveReward', off_contract: true, effect: { error: 'CONFLICT_ERROR' } },
      ['GET', reward],
      409,
      { error: { type: 'CONFLICT_ERROR', message: 'The request conflicts with the current state.' } },
    ],
  ])('%s', async (_title, rule, [method, path, options], status, body) => {
    const scenario = { name: 'armed', description: 'Of a test.', rules: [rule] }
    const { fetch } = await startSandbox({ scenarios: [scenario] })
    const json = options?.json === undefined ? null : JSON.stringify(options.json)
    const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
    const init: RequestInit = { method, headers, body: json }
    const answer = await fetch(path, init)
    expect([answer.status, await answer.json()]).toEqual([status, body])
  })
})
