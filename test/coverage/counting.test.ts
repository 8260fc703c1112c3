import { describe, expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { scopeNames } from '../../src/contract/scopes.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { pointOf } from '../../src/coverage/points/index.ts'
import type { PointContext } from '../../src/coverage/points/point.ts'
import { exercise } from '../../src/coverage/reports/exercise.ts'
import { loadSamples } from '../../src/coverage/reports/samples.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { basic, fullKey, startSandbox, type CallOptions } from '../helpers/sandbox.ts'
import { sendSamples } from '../helpers/send-samples.ts'
import { drawn } from '../setup/samples.ts'

const pending = '/v2/rewards/rwd_ada_pending'
const customers = '/v2/customers'
const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements'
const methods = '/v2/payment_methods'
const categories = '/v2/rewards/rewards_categories'

/** The points that were exercised, each with how often. */
async function hits(sandbox: Sandbox, workspace?: string): Promise<Record<string, number>> {
  const { points } = await sandbox.coverage.get(workspace === undefined ? {} : { workspace })
  return Object.fromEntries(points.filter(({ covered }) => covered).map(({ id, hits: count }) => [id, count]))
}

/** The points of any call with a Bearer key of one product and without a version. */
const plain = ['auth/bearer', 'version/none', 'product/of_key']
const transaction = ['type/TRANSACTION', 'status/PENDING']
const under = (name: string): CallOptions => ({ headers: { 'x-sandbox-scenario': name } })

type Situation = [situation: string, method: string, path: string, options: CallOptions, points: string[]]

/** Each call as the first one of a sandbox, and all points of its operation that it exercises. */
const situations: Readonly<Record<string, readonly Situation[]>> = {
  retrieveReward: [
    ['a success', 'GET', pending, {}, ['success', ...plain, ...transaction]],
    ['a declared error', 'GET', '/v2/rewards/x', {}, ['error/REWARD_NOT_FOUND_ERROR', ...plain]],
    ['HEAD: no body, so no answer', 'HEAD', pending, {}, plain],
    ['no credential', 'GET', pending, { key: null }, ['auth/missing']],
    ['a key that nobody has', 'GET', pending, { key: 'nobody' }, ['auth/unusable']],
    ['a key of production', 'GET', pending, { key: 'sk_production_full' }, ['auth/unusable']],
    ['a scheme that is none', 'GET', pending, { headers: { authorization: 'JWT x' } }, ['auth/unusable']],
    [
      'a Basic key',
      'GET',
      pending,
      { headers: basic(fullKey) },
      ['success', 'auth/basic_key', 'version/none', 'product/of_key', ...transaction],
    ],
    [
      'a Basic key id and secret',
      'GET',
      pending,
      { headers: basic('key_full', 'secret_full') },
      ['success', 'auth/basic_key_pair', 'version/none', 'product/of_key', ...transaction],
    ],
    ...['2025-05-05', '2026-10-13', 'latest'].map((version): Situation => [
      `version ${version}`,
      'GET',
      pending,
      { headers: { 'x-service-version': version } },
      ['success', 'auth/bearer', `version/${version}`, 'product/of_key', ...transaction],
    ]),
    [
      'an unsupported version, which ends the call before its product is selected',
      'GET',
      pending,
      { headers: { 'x-service-version': '2024-01-01', 'x-service-merchant-key': 'mk_nobody' } },
      ['auth/bearer', 'version/unsupported'],
    ],
    [
      'a product that is selected',
      'GET',
      pending,
      { key: 'sk_sandbox_multi', headers: { 'x-service-merchant-key': 'mk_summit' } },
      ['success', 'auth/bearer', 'version/none', 'product/selected', ...transaction],
    ],
    [
      'a product that is not selected',
      'GET',
      pending,
      { key: 'sk_sandbox_multi' },
      ['auth/bearer', 'version/none', 'product/not_selected'],
    ],
    [
      'a product that the key does not have',
      'GET',
      pending,
      { headers: { 'x-service-merchant-key': 'mk_harbor' } },
      ['auth/bearer', 'version/none', 'product/unknown'],
    ],
    ['an error that a scenario injects', 'GET', pending, under('not-found-reward'), plain],
    ['an answer off contract', 'GET', pending, under('html-gateway-error'), plain],
    ['an answer that is lost', 'GET', pending, under('reset'), plain],
    ['an answer that a scenario rewrites', 'GET', pending, under('unknown-fields'), plain],
    ['a key that a scenario revokes', 'GET', pending, under('key-revoked'), plain],
    ['a version that a scenario refuses', 'GET', pending, under('version-unsupported'), plain],
  ],
  updateReward: [
    [
      'a row that a scenario changes first: the refusal is the own one of the sandbox',
      'PATCH',
      pending,
      { json: { status: 'AVAILABLE' }, ...under('reward-settled-before-update') },
      ['error/BAD_REQUEST_ERROR', ...plain, 'sent/status/AVAILABLE'],
    ],
    [
      'values at their limits',
      'PATCH',
      pending,
      { json: { amount: 0, status: 'PENDING' } },
      ['success', ...plain, 'boundary/amount/minimum', 'sent/status/PENDING', ...transaction],
    ],
    [
      'values beyond them',
      'PATCH',
      pending,
      { json: { amount: -7 } },
      ['error/VALIDATION_ERROR', ...plain, 'boundary/amount/below_minimum'],
    ],
    [
      'a body that is no JSON: no violation, and nothing that was sent',
      'PATCH',
      pending,
      { body: '{', headers: { 'content-type': 'application/json' } },
      plain,
    ],
  ],
  listStatements: [
    [
      'no scope: nothing that was sent is looked at',
      'GET',
      `${statements}?limit=0`,
      { key: 'sk_sandbox_without_account_read' },
      [...plain, 'scope/ACCOUNT_READ/missing'],
    ],
    [
      'a scope that a scenario takes away',
      'GET',
      statements,
      under('scope-missing-account-read'),
      [...plain, 'scope/ACCOUNT_READ/missing'],
    ],
    [
      'the first page',
      'GET',
      `${statements}?limit=1`,
      {},
      ['success', ...plain, 'scope/ACCOUNT_READ/held', 'page/first', 'boundary/limit/minimum'],
    ],
    [
      'the only page',
      'GET',
      `${statements}?limit=100`,
      {},
      ['success', ...plain, 'scope/ACCOUNT_READ/held', 'page/only', 'boundary/limit/maximum'],
    ],
    [
      'a size beyond its limit',
      'GET',
      `${statements}?limit=101`,
      {},
      ['error/VALIDATION_ERROR', ...plain, 'scope/ACCOUNT_READ/held', 'boundary/limit/above_maximum'],
    ],
    [
      'an id as a cursor',
      'GET',
      `${statements}?limit=5&starting_after=stm_ada_27`,
      {},
      ['error/VALIDATION_ERROR', ...plain, 'scope/ACCOUNT_READ/held', 'page/unknown_cursor'],
    ],
    [
      'a page that a scenario cuts within the contract',
      'GET',
      statements,
      under('pagination-one-per-page'),
      ['success', ...plain, 'scope/ACCOUNT_READ/held', 'page/first', 'page/default_size'],
    ],
    [
      'a page that a scenario cuts off contract',
      'GET',
      statements,
      under('pagination-missing-cursor'),
      [...plain, 'scope/ACCOUNT_READ/held'],
    ],
    [
      'a list of nobody: no page, so none of the usual size',
      'GET',
      '/v2/customers/nobody/accounts/acct_ada/statements',
      {},
      ['error/CUSTOMER_NOT_FOUND_ERROR', ...plain, 'scope/ACCOUNT_READ/held'],
    ],
  ],
  searchCustomers: [
    [
      'a customer without authorized users: nothing of their scope',
      'GET',
      `${customers}?partner_customer_id=nobody&limit=1`,
      {},
      ['success', ...plain, 'page/empty', 'boundary/limit/minimum'],
    ],
    [
      'characters beyond the limits',
      'GET',
      `${customers}?limit=5&partner_customer_id=%00${encodeURIComponent('é')}`,
      {},
      [
        'error/VALIDATION_ERROR',
        ...plain,
        'boundary/partner_customer_id/below_lowest_character',
        'boundary/partner_customer_id/above_highest_character',
      ],
    ],
  ],
  listPaymentMethods: [
    [
      'loans: nothing to show or leave out for the card scope',
      'POST',
      methods,
      { json: { customer_id: 'cus_ada', type: 'LOAN' } },
      ['success', ...plain, 'sent/type/LOAN', 'type/LOAN', 'status/ACTIVE', 'kind/loan'],
    ],
  ],
  retrievePaymentMethod: [
    [
      'card details with their scope',
      'GET',
      `${methods}/pm_ada_card`,
      {},
      ['success', ...plain, 'scope/PCI_DETAILS_READ/present', 'type/CARD', 'status/ACTIVE', 'kind/card'],
    ],
    [
      'and without it',
      'GET',
      `${methods}/pm_ada_card`,
      { key: 'sk_sandbox_without_pci_details_read' },
      ['success', ...plain, 'scope/PCI_DETAILS_READ/absent', 'type/CARD', 'status/ACTIVE', 'kind/card'],
    ],
  ],
  listRewardCategories: [
    ['no locale', 'GET', categories, {}, ['success', ...plain, 'locale/none']],
    ['Spanish', 'GET', `${categories}?locale=es`, {}, ['success', ...plain, 'locale/es']],
    ['of Mexico', 'GET', `${categories}?locale=es-MX`, {}, ['success', ...plain, 'locale/es_regional']],
    ['another', 'GET', `${categories}?locale=fr`, {}, ['success', ...plain, 'locale/other']],
  ],
  createApiKey: [
    ['a key without scopes', 'POST', '/v2/keys', { key: 'sk_sandbox_none' }, ['success', ...plain]],
  ],
}

/** Makes the call of a situation. */
async function make(sandbox: Sandbox, [, method, path, options]: Situation): Promise<void> {
  const { key = fullKey, headers, json, body } = options
  const sent = new Headers(headers)
  if (key !== null && !sent.has('authorization')) sent.set('authorization', `Bearer ${key}`)
  if (json !== undefined) sent.set('content-type', 'application/json')
  const content = json === undefined ? body : JSON.stringify(json)
  // Some answers are not as the contract has them, or get lost.
  await sandbox
    .fetch(path, { method, headers: sent, ...(content === undefined ? {} : { body: content }) })
    .then((answer) => answer.arrayBuffer())
    .catch(() => undefined)
}

describe('a planted suite exercises the points of its calls and no others', () => {
  const all = Object.entries(situations).flatMap(([operation, own]) =>
    own.map((situation) => ({ operation, situation })),
  )
  const suites = 10
  // Three of each ten calls, so that a suite has calls of several operations, and each call stands in several suites.
  it.each(Array.from({ length: suites }, (_, first) => first))('suite %i of ten', async (first) => {
    const chosen = [first, first + 3, first + 7].map((place) => place % suites)
    const suite = all.filter((_, place) => chosen.includes(place % suites))
    const sandbox = await startSandbox()
    const expected: Record<string, number> = {}
    for (const { operation, situation } of suite) {
      await make(sandbox, situation)
      for (const name of situation[4]) {
        const point = `${operation}/${name}`
        expected[point] = (expected[point] ?? 0) + 1
      }
      // Each call finds the rows that it expects; what was counted stays.
      sandbox.reset()
    }
    expect(suite.length).toBeGreaterThan(10)
    expect(await hits(sandbox)).toEqual(expected)
  })
})

describe('a call exercises these points and no others', () => {
  const all = Object.entries(situations).flatMap(([operation, own]) =>
    own.map((situation) => [operation, ...situation] as const),
  )
  it.each(all)('%s, %s', async (operation, ...situation) => {
    const sandbox = await startSandbox()
    await make(sandbox, situation)
    const [, , , , points] = situation
    expect(sandbox.requests.list()).toHaveLength(1)
    const expected = points.map((name) => [`${operation}/${name}`, 1])
    expect(await hits(sandbox)).toEqual(Object.fromEntries(expected))
  })

  it.each([
    ['GET', '/v2/reward/x'],
    ['PUT', customers],
    ['OPTIONS', customers],
    ['GET', '/_sandbox/requests'],
  ])('%s %s: none, as it is no call of an operation', async (method, path) => {
    const sandbox = await startSandbox()
    await sandbox.fetch(path, { method, headers: { authorization: `Bearer ${fullKey}` } })
    expect(await hits(sandbox)).toEqual({})
  })
})

it.each([
  ['sk_sandbox_none', ['none']],
  ['sk_sandbox_without_order_write', scopeNames.filter((scope) => scope !== 'ORDER_WRITE')],
])('a created key that shows its scopes, of %s, exercises %j and no others', async (key, shown) => {
  const assume = { create_key_shape: 'id_key_secret_scopes_created_at' }
  const sandbox = await startSandbox({ assume })
  await make(sandbox, ['a key', 'POST', '/v2/keys', { key }, []])
  const points = ['success', ...plain, ...shown.map((scope) => `scopes/${scope}`)]
  expect(await hits(sandbox)).toEqual(Object.fromEntries(points.map((name) => [`createApiKey/${name}`, 1])))
})

it.each([
  [{}, 'cus_ben', 'partner-ada'],
  [{}, 'cus_ada', 'new'],
  [{ link_conflict_type: 'CONFLICT_ERROR' }, 'cus_ben', 'partner-ada'],
  [{ link_conflict_type: 'CONFLICT_ERROR', link_conflict_status: 400 }, 'cus_ada', 'new'],
])(
  'a link that conflicts, under %j, exercises one point for its error',
  async (assume, id, partner_customer_id) => {
    const sandbox = await startSandbox({ assume })
    await make(sandbox, ['a link', 'POST', `${customers}/${id}/link`, { json: { partner_customer_id } }, []])
    const points = ['error/CUSTOMER_ALREADY_LINKED', ...plain]
    expect(await hits(sandbox)).toEqual(Object.fromEntries(points.map((name) => [`linkCustomer/${name}`, 1])))
  },
)

it('a refusal that a scenario injects says nothing of the scopes of the key', async () => {
  const injected = {
    name: 'injected',
    description: 'A scope that nobody looked at.',
    rules: [{ on: 'listStatements', effect: { error: 'FORBIDDEN_ERROR' } }],
  }
  const sandbox = await startSandbox({ scenarios: [injected] })
  expect((await sandbox.call('GET', statements)).status).toBe(403)
  expect(Object.keys(await hits(sandbox))).toEqual(plain.map((name) => `listStatements/${name}`))
})

describe('the total', () => {
  const read = async (
    sandbox: Awaited<ReturnType<typeof startSandbox>>,
    workspace: string,
  ): Promise<void> => {
    await sandbox.call('GET', pending, { key: `${fullKey}.${workspace}` })
  }
  const success = 'retrieveReward/success'

  it('is of all workspaces, of those that were reset or deleted too', async () => {
    const sandbox = await startSandbox()
    await Promise.all(['default', 'w1', 'w2', 'w2', 'w3'].map((name) => read(sandbox, name)))
    sandbox.workspace('w1').reset()
    sandbox.reset()
    await sandbox.fetch('/_sandbox/workspaces/w2', { method: 'DELETE' })
    expect((await hits(sandbox))[success]).toBe(5)
    expect((await hits(sandbox, 'w3'))[success]).toBe(1)
    // A new one has exercised nothing yet.
    expect(await hits(sandbox, 'w2')).toEqual({})
    sandbox.coverage.clear()
    expect([await hits(sandbox), await hits(sandbox, 'w3')]).toEqual([{}, {}])
  })

  it.each<[string, SandboxOptions]>([
    ['that keeps little', { journalSize: 3 }],
    ['that is off', { journalSize: 0 }],
  ])('rests on no journal: with one %s', async (_, options) => {
    const sandbox = await startSandbox(options)
    for (let count = 0; count < 50; count++) await read(sandbox, 'default')
    expect((await hits(sandbox))[success]).toBe(50)
    sandbox.requests.clear()
    expect((await hits(sandbox))[success]).toBe(50)
  })
})

describe('the requests of a report exercise the points that they stand at', () => {
  const worlds: [string, SandboxOptions][] = [
    ['as it is', {}],
    ['production', { environment: 'production' }],
    ['other assumptions', { assume: { customers_page_size_parameter: 'page_size', zero_amount: 'refuse' } }],
  ]
  it.each(worlds)('%s', async (_, options) => {
    const sandbox = await startSandbox(options)
    const { environment = 'sandbox', assume = {} } = options
    const world: PointContext = { values: resolveAssumptions(assume), environment }
    const catalogue = new PointCatalogue(world)
    const samples = await loadSamples(environment)
    const failed: string[] = []
    const points = endpoints.flatMap((endpoint) =>
      catalogue.of(endpoint).drafts.map((draft) => ({ endpoint, draft })),
    )
    for (const { endpoint, draft } of drawn(points)) {
      const requests = exercise(endpoint, draft, samples, world)
      // The built-in fixtures have nothing for some points of production.
      if (requests.length === 0 && environment === 'production') continue
      sandbox.reset()
      sandbox.coverage.clear()
      await sendSamples(sandbox, requests)
      const { id } = pointOf(endpoint, draft)
      if (!(id in (await hits(sandbox)))) failed.push(id)
    }
    expect(failed).toEqual([])
  })
})
