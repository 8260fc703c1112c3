// Payment methods, customers, statements, rewards and order events: each value, another one, or nothing is observed.
import { describe, expect, it } from 'vitest'
import { valuesOf, type AssumptionId } from '../../../src/contract/assumptions.ts'
import type { GivenTarget } from '../../../src/probe/target-type.ts'
import type { UnvalidatedSettings } from '../../../src/input/resolve-assumptions.ts'
import { observe } from '../../helpers/planting.ts'
import type { Rewrite } from '../../helpers/probed-sandbox.ts'

/** Both ends of what the rows can show, and some between; the values of the catalogue are planted elsewhere. */
const numbers: [AssumptionId, number][] = [
  ...[1, 2, 99, 101, 437, 1001, 1020].map((cap): [AssumptionId, number] => ['customers_page_size_cap', cap]),
  ...[1, 2, 57, 99].map((size): [AssumptionId, number] => ['default_page_size', size]),
]

describe('what was planted is found', () => {
  it.each(numbers)('%s=%i', async (id, planted) => {
    const { verdict, value, why } = await observe(id, { assume: { [id]: planted }, seed: planted })
    expect({ verdict, value, why }).toEqual({ verdict: 'observed', value: planted })
  })

  const together: [AssumptionId, UnvalidatedSettings][] = [
    ['customers_order', { customers_order: 'newest_first', default_page_size: 1 }],
    ['customers_order', { customers_order: 'oldest_first', customers_page_size_cap: 1 }],
    ['customers_order', { customers_order: 'id', default_page_size: 2 }],
    ['default_page_size', { default_page_size: 25, customers_page_size_cap: 1 }],
    ['reward_description_language', { reward_description_language: 'english', default_page_size: 1 }],
    [
      'payment_methods_order',
      { payment_methods_pagination: 'limit_and_starting_after', default_page_size: 1 },
    ],
    ['payment_methods_pagination', { payment_methods_pagination: 'none', unknown_body_fields: 'refuse' }],
    ['unknown_account_type', { unknown_account_type: 'BAD_REQUEST_ERROR', not_found_status: 400 }],
    [
      'link_conflict_status',
      { link_conflict_status: 400, not_found_status: 400, link_response: 'no_content' },
    ],
    ...valuesOf('balance_statuses').map((value): [AssumptionId, UnvalidatedSettings] => [
      'balance_statuses',
      { balance_statuses: value, reward_target_statuses: 'available_only' },
    ]),
  ]
  it.each(together)('%s where %o', async (id, assume) => {
    const { verdict, value, why } = await observe(id, { assume, seed: 7 })
    expect({ verdict, value, why }).toEqual({ verdict: 'observed', value: assume[id] ?? value })
  })
})

type Request = Parameters<Rewrite>[0]

const json = (status: number, body: unknown): Response => Response.json(body, { status })
const shapeB = (status: number, type = 'STRANGE_ERROR'): Response =>
  json(status, { error: { type, message: 'No.' } })
const shapeA = (): Response =>
  json(400, { path: '/', details: ['field is wrong'], error: 'Bad Request', status: 400, timestamp: '' })

/** Answers some calls in another way. */
const answering =
  (
    method: string,
    path: RegExp,
    answer: (request: Request, unchanged: Response) => Response | Promise<Response>,
  ): Rewrite =>
  (request, unchanged) =>
    request.method === method && path.test(request.path) ? answer(request, unchanged) : unchanged

/** Changes the rows of a page. */
const paging = (
  method: string,
  path: RegExp,
  change: (rows: object[]) => object[],
  more?: boolean,
): Rewrite =>
  answering(method, path, async (_, unchanged) => {
    if (unchanged.status !== 200) return unchanged
    const page = (await unchanged.json()) as { data: object[]; has_more: boolean }
    return json(200, { ...page, data: change(page.data), has_more: more ?? page.has_more })
  })

const emptyPage = { data: [], has_more: false, total: 0 }
const swapEnds = (rows: object[]): object[] => [...rows.slice(-1), ...rows.slice(1, -1), ...rows.slice(0, 1)]
const link = /^\/v2\/customers\/[^/]+\/link$/
let calls = 0
/** The answer to every call but the first. */
const laterOn = (unchanged: Response, answer: Response): Response => (calls++ === 0 ? unchanged : answer)

interface Other {
  id: AssumptionId
  assume?: UnvalidatedSettings
  rewrite: Rewrite
  seen: string
}

const others: Other[] = [
  {
    id: 'payment_methods_required_filter',
    rewrite: answering('POST', /payment_methods/, ({ body }, unchanged) =>
      body?.includes('pan') ? unchanged : shapeA(),
    ),
    seen: 'a customer_id alone is refused',
  },
  {
    id: 'payment_methods_unknown_customer',
    rewrite: answering('POST', /payment_methods/, () => shapeB(409)),
    seen: 'status 409 in shape B, STRANGE_ERROR',
  },
  {
    id: 'payment_methods_pagination',
    assume: { payment_methods_pagination: 'none' },
    rewrite: answering('POST', /payment_methods/, async ({ body }, unchanged) =>
      body?.includes('cannot_exist')
        ? unchanged
        : json(200, { ...((await unchanged.json()) as object), has_more: true }),
    ),
    seen: 'there are more payment methods, and no limit is read',
  },
  {
    id: 'payment_methods_order',
    assume: { default_page_size: 100 },
    rewrite: paging('POST', /payment_methods/, swapEnds),
    seen: 'rows that are in none of the orders newest_first, oldest_first',
  },
  {
    id: 'customers_page_size_parameter',
    rewrite: answering('GET', /customers\?/, () => json(200, emptyPage)),
    seen: 'none of limit, page_size, per_page, size is read as a page size',
  },
  {
    id: 'customers_page_size_parameter',
    assume: { customers_page_size_parameter: 'limit' },
    rewrite: answering('GET', /customers\?.*\bsize=/, ({ path }) =>
      path.endsWith('0') ? shapeA() : json(200, emptyPage),
    ),
    seen: 'limit and size are all read as a page size',
  },
  {
    id: 'customers_page_size_cap',
    rewrite: paging('GET', /customers\?\w+=101$/, (rows) =>
      [...rows, ...rows, ...rows, ...rows].slice(0, 102),
    ),
    assume: { customers_page_size_cap: 100 },
    seen: '102 customers on a page of 101',
  },
  {
    id: 'default_page_size',
    assume: { default_page_size: 100 },
    rewrite: paging('GET', /statements$/, (rows) => [...rows, {}]),
    seen: '101 items on a page',
  },
  {
    id: 'default_page_size',
    assume: { default_page_size: 25, customers_page_size_cap: 100 },
    rewrite: paging('GET', /statements$/, (rows) => rows.slice(1)),
    seen: '24 statements on a page, and 25 customers',
  },
  {
    id: 'customers_order',
    assume: { default_page_size: 25 },
    rewrite: paging('GET', /customers($|\?)/, swapEnds),
    seen: 'rows that are in none of the orders newest_first, oldest_first, id',
  },
  {
    id: 'unknown_cursor',
    rewrite: answering('GET', /starting_after/, () => shapeB(404)),
    seen: 'status 404 in shape B, STRANGE_ERROR',
  },
  {
    id: 'unknown_cursor',
    assume: { unknown_cursor: 'refuse' },
    rewrite: answering('GET', /statements\?starting_after/, () => json(200, emptyPage)),
    seen: 'refuse for customers, and empty_page for statements',
  },
  {
    id: 'link_response',
    rewrite: answering('POST', link, () => json(201, {})),
    seen: 'status 201 without the link and the customer',
  },
  {
    id: 'link_conflict_status',
    rewrite: answering('POST', link, (_, unchanged) => laterOn(unchanged, shapeB(423))),
    seen: 'status 423 in shape B, STRANGE_ERROR',
  },
  {
    id: 'link_conflict_status',
    rewrite: answering('POST', link, () => json(200, {})),
    seen: 'two customers hold one identifier',
  },
  {
    id: 'link_conflict_type',
    rewrite: answering('POST', link, (_, unchanged) => laterOn(unchanged, shapeB(409))),
    seen: 'type STRANGE_ERROR',
  },
  {
    id: 'link_replaces',
    rewrite: answering('GET', /partner_customer_id/, () => json(200, emptyPage)),
    assume: { link_replaces: 'replace' },
    seen: 'it is accepted, but the customer lacks the new identifier',
  },
  {
    id: 'statements_page_size_parameter',
    rewrite: answering('GET', /statements\?/, () => shapeA()),
    seen: 'none of limit, page_size, per_page, size is read as a page size',
  },
  {
    id: 'unknown_account_type',
    rewrite: answering('GET', /cannot_exist/, () =>
      json(404, { type: 'NO_ACCOUNT', message: '', param: 'x' }),
    ),
    seen: 'status 404 in shape C, NO_ACCOUNT',
  },
  ...valuesOf('reward_target_statuses').map((targets) => ({
    id: 'balance_statuses' as const,
    assume: { reward_target_statuses: targets },
    rewrite: answering('GET', /rewards_balance$/, () => json(200, { reward_balance: 5 })),
    seen: expect.stringMatching(/^making a pending reward AVAILABLE moves the balance by 0/) as string,
  })),
  {
    id: 'reward_target_statuses',
    assume: { reward_target_statuses: 'all' },
    rewrite: answering('PATCH', /rewards/, ({ body }, unchanged) => {
      if (body?.includes('"DEDUCTED"')) return shapeA()
      return body?.includes('"AVAILABLE"') ? json(200, {}) : unchanged
    }),
    seen: 'of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED: PENDING, AVAILABLE, PENDING_DEDUCTION',
  },
  {
    id: 'reward_not_pending',
    rewrite: answering('PATCH', /rewards/, (_, unchanged) => laterOn(unchanged, shapeB(422))),
    seen: 'status 422 in shape B, STRANGE_ERROR',
  },
  {
    id: 'locale_parameter',
    rewrite: answering('GET', /categories\?/, () => shapeA()),
    seen: 'none of locale, language, lang is known',
  },
  {
    id: 'delete_order_event_status',
    rewrite: answering('DELETE', /order_events/, () => new Response(null, { status: 205 })),
    seen: 'status 205',
  },
  {
    id: 'delete_missing_order_event',
    rewrite: answering('DELETE', /order_events/, () => shapeB(410)),
    seen: 'status 410 in shape B, STRANGE_ERROR',
  },
  {
    id: 'delete_missing_order_event',
    rewrite: answering('DELETE', /order_events/, () => shapeA()),
    seen: 'status 400 in shape A, field is wrong',
  },
]

describe('what is none of the values is told as it is', () => {
  it.each(others)('$id: $seen', async ({ id, assume = {}, rewrite, seen }) => {
    calls = 0
    const found = await observe(id, { assume, rewrite, seed: 11 })
    expect(found).toMatchObject({ verdict: 'observed_other', seen })
    expect(found.value).toBeUndefined()
  })
})

interface Unclear {
  id: AssumptionId
  assume?: UnvalidatedSettings
  rewrite?: Rewrite
  target?: (target: GivenTarget) => GivenTarget
  takes: string | RegExp
}

const without =
  (name: keyof NonNullable<GivenTarget['ids']>) =>
  ({ ids, ...target }: GivenTarget): GivenTarget => ({ ...target, ids: { ...ids, [name]: undefined } })

const expending =
  (rows: GivenTarget['expendable']) =>
  (target: GivenTarget): GivenTarget => ({ ...target, expendable: { ...target.expendable, ...rows } })

const first = (count: number): Rewrite =>
  paging('GET', /customers($|\?)/, (rows) => rows.slice(0, count), false)

const unclear: Unclear[] = [
  {
    id: 'payment_methods_pagination',
    assume: { payment_methods_pagination: 'limit_and_starting_after' },
    target: (target) => ({ ...target, ids: { ...target.ids, customer: 'cus_linked' } }),
    takes: '2 payment methods of ids.customer',
  },
  {
    id: 'payment_methods_order',
    target: (target) => ({ ...target, ids: { ...target.ids, customer: 'cus_linked' } }),
    takes: '2 payment methods of ids.customer with different created_at',
  },
  { id: 'customers_page_size_cap', rewrite: first(40), takes: '61 more customers' },
  {
    id: 'customers_page_size_cap',
    assume: { customers_page_size_cap: 1_000_000 },
    takes: 'more customers than one page holds',
  },
  {
    id: 'default_page_size',
    assume: { default_page_size: 100 },
    rewrite: first(40),
    target: without('account'),
    takes: '61 more customers, or ids.account with 101 statements',
  },
  {
    id: 'default_page_size',
    assume: { customers_page_size_cap: 1, default_page_size: 10 },
    target: without('account'),
    takes: 'ids.account with more than 1 statements',
  },
  { id: 'customers_order', rewrite: first(1), takes: /^more customers with different created_at/ },
  {
    id: 'unknown_cursor',
    assume: { unknown_cursor: 'empty_page' },
    rewrite: first(0),
    target: without('account'),
    takes: 'a target with customers',
  },
  {
    id: 'link_response',
    assume: { link_replaces: 'refuse' },
    target: expending({ customers: ['cus_linked'] }),
    takes: 'expendable.customers that exist and have no partner_customer_id',
  },
  {
    id: 'link_conflict_status',
    assume: { not_found_status: 400 },
    target: expending({ customers: ['cus_expendable_0', 'cus_gone'] }),
    takes: 'expendable.customers that exist and have no partner_customer_id',
  },
  {
    id: 'link_replaces',
    target: expending({ customers: ['cus_gone'] }),
    takes: 'expendable.customers that exist and have no partner_customer_id',
  },
  {
    id: 'balance_statuses',
    assume: { balance_statuses: 'AVAILABLE', reward_target_statuses: 'available_only' },
    target: (target) => ({ ...target, ids: { ...target.ids, reward: 'rwd_pending_deduction' } }),
    takes:
      'an ids.reward that is PENDING_DEDUCTION and an ids.deducted_reward that is DEDUCTED, of a customer with expendable.pending_rewards and no other rewards',
  },
  // A deduction that is pending does not tell whether one that is complete is subtracted, and the other way round.
  ...(['reward', 'deducted_reward'] as const).map((name) => ({
    id: 'balance_statuses' as const,
    assume: { balance_statuses: 'AVAILABLE', reward_target_statuses: 'available_only' },
    target: without(name),
    takes: /^an ids.reward that is PENDING_DEDUCTION and an ids.deducted_reward that is DEDUCTED, /,
  })),
  {
    id: 'balance_statuses',
    target: expending({ pending_rewards: ['rwd_available', 'rwd_expendable_1', 'rwd_expendable_2'] }),
    takes: 'expendable.pending_rewards that are PENDING and have amounts',
  },
  {
    id: 'reward_target_statuses',
    target: expending({ pending_rewards: ['rwd_expendable_1', 'rwd_available'] }),
    takes: 'expendable.pending_rewards that are PENDING',
  },
  {
    id: 'reward_not_pending',
    target: expending({ pending_rewards: ['rwd_available'] }),
    takes: 'expendable.pending_rewards that are PENDING',
  },
  {
    id: 'reward_description_language',
    target: without('partner_customer_id'),
    takes: 'a customer who prefers Spanish as ids.partner_customer_id, and 2 more who do not',
  },
  ...(['locale_parameter', 'reward_description_language'] as const).map((id) => ({
    id,
    assume: {
      unknown_query_parameters: 'ignore',
      reward_description_language: 'english',
      customers_without_filter: 'all',
      default_page_size: 100,
      customers_page_size_cap: 100,
    },
    rewrite: answering('GET', /categories/, () => json(200, { categories: [], special_categories: [] })),
    takes: 'a product with texts in Spanish',
  })),
  {
    id: 'delete_order_event_status',
    assume: { delete_missing_order_event: 'bad_request' },
    target: expending({ order_events: ['oev_gone'] }),
    takes: 'an order event that exists',
  },
]

describe('what the rows do not show is not guessed, and what it takes is told', () => {
  it.each(unclear)('$id: $takes', async ({ takes, id, assume = {}, ...rest }) => {
    const found = await observe(id, { assume, seed: 8, ...rest })
    expect(found).toMatchObject({ verdict: 'not_observable', takes: expect.stringMatching(takes) as string })
    expect(found.value).toBeUndefined()
  })
})

const unclearAnyway: { id: AssumptionId; assume?: UnvalidatedSettings; rewrite: Rewrite; why: RegExp }[] = [
  {
    id: 'payment_methods_required_filter',
    rewrite: answering('POST', /payment_methods/, ({ body }, unchanged) =>
      body?.includes('pan') ? shapeA() : unchanged,
    ),
    why: /a test card number is refused together with a customer_id/,
  },
  {
    id: 'reward_description_language',
    rewrite: answering('GET', /rewards_balance$/, () =>
      json(200, { reward_description: `points of ${'I'.repeat(++calls)}` }),
    ),
    why: /descriptions differ among customers of one language/,
  },
  {
    id: 'default_page_size',
    rewrite: answering('GET', /customers/, () => shapeB(403)),
    why: /it was answered status 403 in shape B/,
  },
  {
    id: 'customers_page_size_cap',
    rewrite: answering('GET', /customers\?/, () => json(200, emptyPage)),
    why: /the name of the page size is not known/,
  },
  {
    // 4.5 MB: half a customer more would be too much.
    id: 'customers_page_size_cap',
    assume: { customers_page_size_cap: 1_000_000 },
    rewrite: paging('GET', /customers\?\w+=101$/, (rows) =>
      rows.map((row) => ({ ...row, metadata: { note: '-'.repeat(44_000) } })),
    ),
    why: /a page may hold 101 customers, and a larger one cannot be read to its end/,
  },
  {
    // A balance that is late, with an update of amounts that does not show either.
    id: 'balance_statuses',
    assume: { reward_target_statuses: 'available_only' },
    rewrite: (request, unchanged) => {
      if (request.path.endsWith('rewards_balance')) return json(200, { reward_balance: 5 })
      return request.body?.includes('amount') ? shapeA() : unchanged
    },
    why: /no reward could be made PENDING_DEDUCTION: it was answered status 400 in shape A/,
  },
]

describe('what other answers leave open is not guessed', () => {
  it.each(unclearAnyway)('$id: $why', async ({ why, id, assume = {}, rewrite }) => {
    const found = await observe(id, { assume, rewrite, seed: 17 })
    expect(found).toMatchObject({ verdict: 'not_observable', why: expect.stringMatching(why) as string })
    expect(found.value).toBeUndefined()
  })
})
