// The checks of the points that coverage has: right targets keep them all, and each goes red for its fault.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { checks } from '../../src/probe/checks/index.ts'
import { coverageChecks } from '../../src/probe/checks/of-coverage.ts'
import { conform, type Conformance } from '../../src/probe/conform.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import type { ProbeOptions } from '../../src/probe/start-run.ts'
import {
  probedSandbox,
  randomAssumptions,
  type ProbedSandbox,
  type Rewrite,
} from '../helpers/probed-sandbox.ts'
import { testMachine } from '../helpers/probing.ts'

const everything = { allow: ['write', 'irreversible'] } as const satisfies ProbeOptions

const brokenIn = ({ points }: Conformance): Record<string, unknown> =>
  Object.fromEntries(
    points
      .filter(({ verdict }) => verdict !== 'holds' && verdict !== 'not_observable')
      .map(({ id, verdict, why, expected }) => [id, { verdict, why, expected }]),
  )

describe('the checks', () => {
  it('have every point of coverage, in its order', () => {
    const ids = readFileSync('test/coverage/points/ids.txt', 'utf8').trim().split('\n')
    const known = new Set(checks.map(({ id }) => id))
    expect(ids.filter((id) => !known.has(id))).toEqual([])
    expect(coverageChecks.map(({ id }) => id)).toEqual(
      ids.filter((id) => !/\/page\/(?!unknown_cursor)/.test(id)),
    )
  })

  it('have ids and steps that are unique', () => {
    expect(checks.map(({ id }) => id)).toEqual([...new Set(checks.map(({ id }) => id))])
    for (const { id, steps } of checks) {
      const names = steps.map(({ name }) => name)
      expect({ id, names }).toEqual({ id, names: [...new Set(names)] })
    }
  })

  it('say nothing of what an assumption decides', () => {
    // 400 and 403 are stated, and 200 for the reward update; what else is a number is a limit or a version.
    const stated = /\b(400|403|(?<=call answers )200|100|128|0x\w+|\d{4}-\d{2}-\d{2}|1)\b/g
    for (const { id, sentence } of coverageChecks) {
      expect({ id, numbers: sentence.replace(stated, '').match(/\d\d+/) }).toEqual({ id, numbers: null })
    }
  })
})

describe('a right target', () => {
  it.each([0, 13])('with every row and assumptions of seed %i has nothing broken', async (seed) => {
    const { sandbox, target } = await probedSandbox(seed === 0 ? {} : randomAssumptions(seed))
    try {
      const found = await conform(target, everything, testMachine())
      expect(brokenIn(found)).toEqual({})
      expect(found.summary.holds).toBeGreaterThan(300)
      expect(found.requests.planned).toBeLessThanOrEqual(500)
    } finally {
      await sandbox.close()
    }
  })

  it('that lists no customers without a filter has nothing broken, and searches with one are checked', async () => {
    const { sandbox, target } = await probedSandbox({ customers_without_filter: 'bad_request' })
    try {
      const found = await conform(target, everything, testMachine())
      expect(brokenIn(found)).toEqual({})
      const pointOf = (id: string): unknown => found.points.find((point) => point.id === id)
      expect(pointOf('searchCustomers/match')).toMatchObject({ verdict: 'holds' })
      expect(pointOf('searchCustomers/success')).toMatchObject({
        verdict: 'not_observable',
        why: 'customers_without_filter decides it: a search without partner_customer_id is refused',
      })
    } finally {
      await sandbox.close()
    }
  })

  it.each([2, 4, 7, 11, 18])(
    'with a key alone and assumptions of seed %i has nothing broken',
    async (seed) => {
      const { sandbox, target } = await probedSandbox(randomAssumptions(seed))
      try {
        const { fetch, budget } = target
        const targetDocument = {
          keys: { full: 'sk_full' },
          merchant_keys: ['mk_summit'],
          ...(fetch ? { fetch } : {}),
          ...(budget ? { budget } : {}),
        }
        const found = await conform(targetDocument, everything, testMachine())
        expect(brokenIn(found)).toEqual({})
        expect(found.summary.holds).toBeGreaterThan(150)
      } finally {
        await sandbox.close()
      }
    },
  )

  it.each([1, 6, 9, 14])(
    'with the built-in rows and assumptions of seed %i has nothing broken',
    async (seed) => {
      const sandbox: Sandbox = await createSandbox({ assume: randomAssumptions(seed) })
      try {
        const found = await conform(builtIn(sandbox), everything, testMachine())
        expect(brokenIn(found)).toEqual({})
      } finally {
        await sandbox.close()
      }
    },
  )
})

/** Rows of a user who knows only the README. */
const builtIn = (sandbox: Sandbox): GivenTarget => ({
  fetch: sandbox.fetch,
  keys: { full: 'sk_sandbox_full', multi: 'sk_sandbox_multi' },
  merchant_keys: ['mk_summit', 'mk_harbor'],
  ids: { customer: 'cus_ada', account: 'acct_ada', payment_method: 'pm_ada_card', reward: 'rwd_ada_pending' },
  budget: { per_second: 1e6, timeout_seconds: 7 },
})

describe('what changes something', () => {
  it.each([
    // Only an answer with an id and a secret lets a run try them as a credential, with one key more.
    { create_key_shape: 'id_key_secret_scopes_created_at', keys: 9, unseen: [] },
    { create_key_shape: 'key_and_dates', keys: 8, unseen: ['createApiKey/auth/basic_key_pair'] },
  ])('$create_key_shape: is only what is allowed, once, and is noted', async (row) => {
    const { create_key_shape, keys, unseen } = row
    const { sandbox, target } = await probedSandbox({ create_key_shape })
    try {
      const before = sandbox.state.document()
      const quiet = testMachine()
      await conform(target, {}, quiet)
      expect(sandbox.state.document()).toEqual(before)
      expect(quiet.made.lines).toEqual([])

      const machine = testMachine()
      const found = await conform(target, { ...everything, only: operations }, machine)
      expect(brokenIn(found)).toEqual({})
      const sent = machine.made.lines.filter(({ id }) => id === undefined)
      const count = (start: string): number =>
        sent.filter(({ method, path }) => `${method} ${path}`.startsWith(start)).length
      expect({
        intents: count('POST /v2/transaction_intents'),
        customers: count('POST /v2/customers/cus_expendable_0/link'),
        rewards: count('PATCH /v2/rewards/rwd_expendable_0'),
        events: count('DELETE /v2/order_events/oev_0'),
        keys: count('POST /v2/keys'),
        all: sent.length,
      }).toEqual({ intents: 2, customers: 1, rewards: 1, events: 1, keys, all: keys + 5 })
      const held = found.points.filter(({ verdict }) => verdict === 'holds').map(({ id }) => id)
      expect(changed.filter((id) => !held.includes(id))).toEqual(unseen)
    } finally {
      await sandbox.close()
    }
  })
})

/** The operations that change something. */
const operations = [
  'createTransactionIntent',
  'linkCustomer',
  'updateReward',
  'deleteOrderEvent',
  'createApiKey',
].flatMap((id) => coverageChecks.filter(({ operation }) => operation === id).map((check) => check.id))

/** Points that only a change shows. */
const changed = [
  'createTransactionIntent/success',
  'createTransactionIntent/error/PAYMENT_METHOD_NOT_FOUND_ERROR',
  'createTransactionIntent/status/CONFIRMED',
  'linkCustomer/success',
  'updateReward/success',
  'updateReward/sent/status/AVAILABLE',
  'updateReward/type/ONE_TIME',
  'updateReward/status/AVAILABLE',
  'deleteOrderEvent/success',
  'createApiKey/success',
  'createApiKey/auth/bearer',
  'createApiKey/auth/basic_key',
  'createApiKey/auth/basic_key_pair',
  'createApiKey/version/none',
  'createApiKey/version/unsupported',
  'createApiKey/product/selected',
  'createApiKey/product/not_selected',
]

type Json = Record<string, unknown>

/** Answers with another status, body or headers; a header that is null goes. */
async function but(
  answer: Response,
  change: { status?: number; json?: unknown; headers?: Record<string, string | null> },
): Promise<Response> {
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  for (const [name, value] of Object.entries(change.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const status = change.status ?? answer.status
  const text = change.json === undefined ? await answer.text() : JSON.stringify(change.json)
  return new Response(status === 204 ? null : text, { status, headers })
}

/** The known facts about a request that a fault applies to. */
interface RequestFacts {
  method: string
  path: string
  version: string | null
  product: string | null
  key: string
  body: Json
}

const factsOf = ({ method, path, headers, body }: Parameters<Rewrite>[0]): RequestFacts => {
  const authorization = headers.get('authorization') ?? ''
  const basic = authorization.startsWith('Basic ')
  return {
    method,
    path,
    version: headers.get('x-service-version'),
    product: headers.get('x-service-merchant-key'),
    key: basic ? `basic ${Buffer.from(authorization.slice(6), 'base64').toString()}` : authorization.slice(7),
    body: body === undefined ? {} : (JSON.parse(body) as Json),
  }
}

type Fault = readonly [
  what: string,
  when: (facts: RequestFacts) => boolean,
  change: Parameters<typeof but>[1] | ((json: Json) => Parameters<typeof but>[1]),
  broken: readonly string[],
]

const reward = '/v2/rewards/rwd_deduction'
const noReward = '/v2/rewards/probe_cannot_exist'
/** A target that wants a product named with every call is given that of the key. */
const isPlain = ({ version, product, key }: RequestFacts): boolean =>
  version === null && (product === null || product === 'mk_summit') && key === 'sk_full'
/** A page of this size, whatever that is called. */
const sized = (path: string, size: number, facts: RequestFacts): boolean =>
  facts.path.startsWith(`${path}?`) &&
  /^\w+=\d+$/.test(facts.path.slice(path.length + 1)) &&
  facts.path.endsWith(`=${size}`)
const unversioned = { 'x-service-version': null }
const refused = (type: string) => ({ error: { type, message: 'No.' } })
const violation = (field: string) => ({
  path: '/',
  details: [`${field}: must be right`],
  error: 'Bad Request',
  status: 400,
  timestamp: '2026-11-20T09:30:00Z',
})
const validation = { status: 400, json: violation('x') }
const made = {
  status: 200,
  json: { id: 'x', data: [], has_more: false, total: 0 },
  headers: { 'x-service-version': '2026-10-13' },
}
const search = (partnerId: string) => (facts: RequestFacts) =>
  facts.path === `/v2/customers?partner_customer_id=${encodeURIComponent(partnerId)}`
const statements = '/v2/customers/cus_es/accounts/acct_1/statements'

/** With the classes that change nothing. */
const faults: readonly Fault[] = [
  [
    'a valid call fails',
    (a) => a.path === reward && isPlain(a),
    { status: 500, json: {} },
    ['retrieveReward/success'],
  ],
  [
    'a valid call is a violation',
    (a) => a.path === reward && isPlain(a),
    validation,
    ['retrieveReward/success'],
  ],
  [
    'a success without JSON',
    (a) => a.path === reward && isPlain(a),
    { json: 'text' },
    ['retrieveReward/success'],
  ],
  [
    'another error type',
    (a) => a.method === 'GET' && a.path === noReward,
    (json) => ({ json: { ...json, type: 'NO_REWARD' } }),
    ['retrieveReward/error/REWARD_NOT_FOUND_ERROR'],
  ],
  [
    'an error without a param',
    (a) => a.method === 'GET' && a.path === noReward,
    (json) => ({ json: { ...json, param: undefined } }),
    ['retrieveReward/error/REWARD_NOT_FOUND_ERROR'],
  ],
  [
    'a corrected spelling',
    (a) => a.method === 'GET' && a.path === '/v2/transaction_intents/probe_cannot_exist',
    (json) => ({ json: { ...json, type: 'TRANSACTION_INTENT_NOT_FOUND_ERROR' } }),
    ['retrieveTransactionIntent/error/TRANSACTION_INTENT_FOUND_ERROR'],
  ],
  [
    'a missing customer as an empty balance',
    (a) => a.path === '/v2/customers/probe_cannot_exist/rewards_balance',
    { status: 200, json: { customer_id: 'x', reward_balance: 0, reward_symbol: '', reward_description: '' } },
    ['retrieveRewardsBalance/error/CUSTOMER_NOT_FOUND_ERROR'],
  ],
  [
    'a missing reward of an update in shape B',
    (a) => a.method === 'PATCH' && a.path === noReward && isPlain(a) && a.body['status'] === 'AVAILABLE',
    (json) => ({ json: { error: json } }),
    ['updateReward/error/REWARD_NOT_FOUND_ERROR'],
  ],
  [
    'a missing event in shape C',
    (a) => a.method === 'DELETE' && isPlain(a),
    (json) => ({ json: { type: 'BAD_REQUEST_ERROR', ...json, error: undefined } }),
    ['deleteOrderEvent/error/BAD_REQUEST_ERROR'],
  ],
  [
    'Bearer is refused',
    (a) => a.path === reward && isPlain(a),
    { status: 401, json: refused('NO'), headers: unversioned },
    ['retrieveReward/auth/bearer'],
  ],
  [
    'Basic is refused',
    (a) => a.path === reward && a.key.startsWith('basic'),
    { status: 401, json: refused('NO'), headers: unversioned },
    ['retrieveReward/auth/basic_key'],
  ],
  [
    'Bearer is refused with an update',
    (a) => a.method === 'PATCH' && isPlain(a) && a.body['status'] === 'AVAILABLE',
    { status: 401, json: refused('NO'), headers: unversioned },
    ['updateReward/auth/bearer'],
  ],
  ['no key is fine', (a) => a.path === reward && a.key === '', made, ['retrieveReward/auth/missing']],
  [
    'an unusable key is fine',
    (a) => a.path.startsWith('/v2/customers/cus_es/accounts') && a.key === 'key_that_cannot_exist',
    made,
    ['listStatements/auth/unusable'],
  ],
  [
    'no key makes a key',
    (a) => a.path === '/v2/keys' && a.key === '',
    { status: 201, json: {} },
    ['createApiKey/auth/missing'],
  ],
  [
    'a row is looked for without a key',
    (a) => a.method === 'PATCH' && a.key === '',
    { status: 404, json: { type: 'REWARD_NOT_FOUND_ERROR', message: 'No.', param: 'reward_id' } },
    ['updateReward/auth/missing'],
  ],
  [
    'a refused key names a version',
    (a) => a.path === reward && a.key === 'key_that_cannot_exist',
    { headers: { 'x-service-version': '2025-05-05' } },
    ['retrieveReward/auth/unusable'],
  ],
  [
    'no version is named',
    (a) => a.path === reward && isPlain(a),
    { headers: unversioned },
    ['retrieveReward/version/none'],
  ],
  [
    'another version is named',
    (a) => a.path === reward && a.version === '2026-10-13',
    { headers: { 'x-service-version': '2025-05-05' } },
    ['retrieveReward/version/2026-10-13'],
  ],
  [
    'no version is named with an error',
    (a) => a.path === noReward && a.version === '2025-05-05' && a.method === 'GET',
    { headers: unversioned },
    ['retrieveReward/version/2025-05-05'],
  ],
  [
    'latest is called by another name',
    (a) => a.path === reward && a.version === 'latest',
    { headers: { 'x-service-version': '2026-10-13' } },
    ['retrieveReward/version/latest'],
  ],
  [
    'a released version is refused',
    (a) => a.method === 'PATCH' && a.version === '2026-10-13',
    { status: 400, json: refused('BAD_REQUEST_ERROR'), headers: unversioned },
    ['updateReward/version/2026-10-13'],
  ],
  [
    'an unsupported version is fine',
    (a) => a.path === reward && a.version === '2024-01-01',
    made,
    ['retrieveReward/version/unsupported'],
  ],
  [
    'an unsupported version has another status',
    (a) => a.path === reward && a.version === '2024-01-01',
    { status: 406 },
    ['retrieveReward/version/unsupported'],
  ],
  [
    'an unsupported version is named',
    (a) => a.path === reward && a.version === '2024-01-01',
    { headers: { 'x-service-version': '2024-01-01' } },
    ['retrieveReward/version/unsupported'],
  ],
  [
    'an unsupported version has no list of versions',
    (a) => a.method === 'DELETE' && a.version === '2024-01-01',
    { json: refused('BAD_REQUEST_ERROR') },
    ['deleteOrderEvent/version/unsupported'],
  ],
  [
    'an unsupported version in shape C',
    (a) => a.method === 'POST' && a.path.endsWith('/link') && a.version === '2024-01-01',
    (json) => ({ json: { ...(json['error'] as Json), param: 'x' } }),
    ['linkCustomer/version/unsupported'],
  ],
  [
    'a product of the key is refused',
    (a) => a.path === reward && a.key === 'sk_multi' && a.product === 'mk_summit',
    { status: 400, json: refused('BAD_REQUEST_ERROR') },
    ['retrieveReward/product/selected'],
  ],
  [
    'a call that names no product is let through',
    (a) => a.path === reward && a.key === 'sk_multi' && a.product === null,
    made,
    ['retrieveReward/product/not_selected'],
  ],
  [
    'a call that names a product that there is not is let through',
    (a) => a.path === reward && a.product === 'probe_cannot_exist',
    made,
    ['retrieveReward/product/unknown'],
  ],
  [
    'a scope that lacks does not matter',
    (a) => a.path.startsWith('/v2/transaction_intents/') && a.key === 'sk_TRANSACTION_INTENT_READ',
    made,
    ['retrieveTransactionIntent/scope/TRANSACTION_INTENT_READ/missing'],
  ],
  [
    'a scope that lacks does not matter to an intent',
    (a) => a.path === '/v2/transaction_intents' && a.key === 'sk_TRANSACTION_INTENT_WRITE',
    { status: 404, json: { type: 'CUSTOMER_NOT_FOUND_ERROR', message: '', param: 'customer_id' } },
    ['createTransactionIntent/scope/TRANSACTION_INTENT_WRITE/missing'],
  ],
  [
    'a scope that lacks has another status',
    (a) => a.path === statements && a.key === 'sk_ACCOUNT_READ',
    { status: 404 },
    ['listStatements/scope/ACCOUNT_READ/missing'],
  ],
  [
    'a scope that is held does not help',
    (a) => a.method === 'DELETE' && isPlain(a),
    { status: 403, json: refused('FORBIDDEN_ERROR') },
    ['deleteOrderEvent/scope/ORDER_WRITE/held'],
  ],
  [
    'card numbers are shown without the scope',
    (a) => a.path === '/v2/payment_methods/pm_1' && a.key === 'sk_PCI_DETAILS_READ',
    (json) => ({
      json: { ...json, card: { ...(json['card'] as Json), pci_details: { pan: '4242424242424242' } } },
    }),
    ['retrievePaymentMethod/scope/PCI_DETAILS_READ/absent'],
  ],
  [
    'a call without an omitting scope is refused',
    (a) => a.path === '/v2/payment_methods' && a.key === 'sk_PCI_DETAILS_READ',
    { status: 403, json: refused('FORBIDDEN_ERROR') },
    ['listPaymentMethods/scope/PCI_DETAILS_READ/absent'],
  ],
  [
    'authorized users are shown without the scope',
    (a) => a.path.startsWith('/v2/customers?') && a.key === 'sk_AUTHORIZED_USER_READ',
    (json) => ({
      json: { ...json, data: (json['data'] as Json[]).map((row) => ({ ...row, authorized_users: [] })) },
    }),
    ['searchCustomers/scope/AUTHORIZED_USER_READ/absent'],
  ],
  [
    'violations have another status',
    (a) => a.method === 'PATCH' && a.body['status'] === 'NONE',
    { status: 422 },
    ['updateReward/error/VALIDATION_ERROR'],
  ],
  [
    'violations have no details',
    (a) => a.path === '/v2/payment_methods' && a.body['type'] === 'NONE',
    (json) => ({ json: { ...json, details: [] } }),
    ['listPaymentMethods/error/VALIDATION_ERROR'],
  ],
  [
    'violations do not name the field',
    (a) => a.path === '/v2/transaction_intents' && a.body['currency'] === 7,
    (json) => ({ json: { ...json, details: ['wrong'] } }),
    ['createTransactionIntent/error/VALIDATION_ERROR'],
  ],
  [
    'violations in shape B',
    (a) => a.path.endsWith('/link') && a.body['partner_customer_id'] === 7,
    { json: refused('BAD_REQUEST_ERROR') },
    ['linkCustomer/error/VALIDATION_ERROR'],
  ],
  [
    'an empty partner id is fine',
    search(''),
    made,
    [
      'searchCustomers/error/VALIDATION_ERROR',
      'searchCustomers/boundary/partner_customer_id/below_minimum_length',
    ],
  ],
  [
    'a short partner id is refused',
    search('a'),
    { status: 400, json: violation('partner_customer_id') },
    ['searchCustomers/boundary/partner_customer_id/minimum_length'],
  ],
  [
    'a long partner id is refused',
    search('a'.repeat(128)),
    { status: 400, json: violation('partner_customer_id') },
    ['searchCustomers/boundary/partner_customer_id/maximum_length'],
  ],
  [
    'a partner id that is too long is fine',
    search('a'.repeat(129)),
    made,
    ['searchCustomers/boundary/partner_customer_id/above_maximum_length'],
  ],
  [
    'a space is refused',
    search('a b'),
    { status: 400, json: violation('partner_customer_id') },
    ['searchCustomers/boundary/partner_customer_id/lowest_character'],
  ],
  [
    'a control character is fine',
    search('a\u001fb'),
    made,
    ['searchCustomers/boundary/partner_customer_id/below_lowest_character'],
  ],
  [
    'a delete character is fine',
    search('a\u007fb'),
    made,
    ['searchCustomers/boundary/partner_customer_id/above_highest_character'],
  ],
  [
    'a tilde is refused',
    search('a~b'),
    { status: 400, json: violation('partner_customer_id') },
    ['searchCustomers/boundary/partner_customer_id/highest_character'],
  ],
  [
    'an id that is too long is linked',
    (a) => a.path.endsWith('/link') && a.body['partner_customer_id'] === 'a'.repeat(129),
    { status: 404, json: { type: 'CUSTOMER_NOT_FOUND_ERROR', message: '', param: 'customer_id' } },
    ['linkCustomer/boundary/partner_customer_id/above_maximum_length'],
  ],
  [
    'an id with a space is not linked',
    (a) => a.path.endsWith('/link') && a.body['partner_customer_id'] === 'a b',
    validation,
    ['linkCustomer/boundary/partner_customer_id/lowest_character'],
  ],
  [
    'a page of none is fine',
    (a) => sized(statements, 0, a),
    made,
    ['listStatements/boundary/limit/below_minimum'],
  ],
  [
    'a page of 101 is fine',
    (a) => sized(statements, 101, a),
    made,
    ['listStatements/boundary/limit/above_maximum'],
  ],
  [
    'a page of none customers is fine',
    (a) => sized('/v2/customers', 0, a),
    made,
    ['searchCustomers/boundary/limit/below_minimum'],
  ],
  [
    'a large page is refused',
    (a) => sized('/v2/customers', 1_000_000, a),
    { status: 400, json: violation('limit') },
    ['searchCustomers/boundary/limit/above_page'],
  ],
  [
    'a type is refused',
    (a) => a.path === '/v2/payment_methods' && a.body['type'] === 'LOAN',
    validation,
    ['listPaymentMethods/sent/type/LOAN'],
  ],
  [
    'an unsupported locale is Spanish',
    (a) => /=fr/.test(a.path),
    (json) => ({ json: spanish(json) }),
    ['listRewardCategories/locale/other'],
  ],
  [
    'a regional variant is English',
    (a) => /=es-MX/.test(a.path),
    (json) => ({ json: english(json) }),
    ['listRewardCategories/locale/es_regional'],
  ],
]

const english = (json: Json): Json => ({
  ...json,
  categories: (json['categories'] as Json[]).map((row, place) => ({
    ...row,
    ...(place === 0
      ? { name: 'Dining', description: 'Three points.' }
      : { name: 'Everything else', description: 'One point for each dollar.' }),
  })),
  special_categories: (json['special_categories'] as Json[]).map((row) => ({
    ...row,
    name: 'Welcome',
    description: 'A bonus.',
  })),
})
const spanish = (json: Json): Json => ({
  ...json,
  categories: (json['categories'] as Json[]).map((row) => ({
    ...row,
    name: 'Restaurantes',
    description: 'Tres puntos.',
  })),
  special_categories: (json['special_categories'] as Json[]).map((row) => ({
    ...row,
    name: 'Bienvenida',
    description: 'Un bono.',
  })),
})

/** With every class. */
const faultsOfChanges: readonly Fault[] = [
  [
    'an intent fails',
    (a) =>
      a.path === '/v2/transaction_intents' &&
      a.body['customer_id'] === 'cus_es' &&
      a.body['payment_method_id'] === 'pm_1',
    { status: 500 },
    ['createTransactionIntent/success'],
  ],
  [
    'an intent of no payment method',
    (a) => a.body['customer_id'] === 'cus_es' && a.body['payment_method_id'] === 'probe_cannot_exist',
    { status: 201 },
    ['createTransactionIntent/error/PAYMENT_METHOD_NOT_FOUND_ERROR'],
  ],
  [
    'an update has another status',
    (a) => a.method === 'PATCH' && a.path.includes('expendable'),
    { status: 202 },
    ['updateReward/success'],
  ],
  [
    'an update answers nothing',
    (a) => a.method === 'PATCH' && a.path.includes('expendable'),
    { json: null },
    ['updateReward/success'],
  ],
  [
    'a link fails',
    (a) => a.path.startsWith('/v2/customers/cus_expendable'),
    { status: 500 },
    ['linkCustomer/success'],
  ],
  [
    'a deletion fails',
    (a) => a.path.startsWith('/v2/order_events/oev'),
    { status: 500 },
    ['deleteOrderEvent/success'],
  ],
  [
    'a key is not made',
    (a) => a.path === '/v2/keys' && isPlain(a),
    { status: 500 },
    ['createApiKey/success'],
  ],
  [
    'Basic makes no key',
    (a) => a.path === '/v2/keys' && a.version === 'latest',
    { status: 401, headers: unversioned },
    ['createApiKey/auth/basic_key'],
  ],
  [
    'a pair makes no key',
    (a) => a.path === '/v2/keys' && a.key.startsWith('basic key_'),
    { status: 401, headers: unversioned },
    ['createApiKey/auth/basic_key_pair'],
  ],
  [
    'an unsupported version makes a key',
    (a) => a.path === '/v2/keys' && a.version === '2024-01-01',
    { status: 201 },
    ['createApiKey/version/unsupported'],
  ],
  [
    'a key of no product',
    (a) => a.path === '/v2/keys' && a.key === 'sk_multi' && a.product === null,
    { status: 201 },
    ['createApiKey/product/not_selected'],
  ],
]

describe('a target with one fault', () => {
  let target: ProbedSandbox
  let fault: Fault | undefined
  let hits = 0

  beforeAll(async () => {
    const drawn = randomAssumptions(303, {
      delete_missing_order_event: 'bad_request',
      customers_without_filter: 'all',
    })
    target = await probedSandbox(drawn, async (request, answer) => {
      if (!fault?.[1](factsOf(request))) return answer
      hits += 1
      const change = fault[2]
      return but(
        answer,
        typeof change === 'function' ? change((await answer.clone().json()) as Json) : change,
      )
    })
  })
  afterAll(() => target.sandbox.close())

  it.each(faults)('%s', (...planted) => finds(planted, {}))
  it.each(faultsOfChanges)('%s', (...planted) => finds(planted, everything))

  /** Asks the whole operation, so that no other point of it may be named. */
  async function finds(planted: Fault, options: ProbeOptions): Promise<void> {
    if (options.allow) target.sandbox.reset()
    fault = planted
    hits = 0
    const broken = planted[3]
    const only = [...new Set(broken.map((id) => id.split('/')[0] ?? ''))]
    const found = await conform(target.target, { ...options, only }, testMachine())
    expect(hits).toBeGreaterThan(0)
    expect(Object.keys(brokenIn(found))).toEqual(broken)
  }
})
