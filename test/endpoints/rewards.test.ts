import { valuesOf } from '../../src/contract/assumptions.ts'
import { describe, expect, test } from 'vitest'
import { headersOf, invalid, jsonHeaders, shapeB, shapeC } from '../helpers/answers.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { startSandbox, type CallApi } from '../helpers/sandbox.ts'
import { assumptionCatalogue } from '../../src/contract/assumptions.ts'
import { rewardStatus } from '../../src/contract/resources/reward.ts'
import { askControl } from '../helpers/control.ts'

const pending = '/v2/rewards/rwd_ada_pending'

const update = (call: CallApi, json: unknown, path = pending) => call('PATCH', path, { json })

const balanceOf = async (call: CallApi, customer = 'cus_ada'): Promise<number> =>
  (await call('GET', `/v2/customers/${customer}/rewards_balance`)).json.reward_balance

const notFound = shapeC('REWARD_NOT_FOUND_ERROR', 'reward_id', 'No reward has this reward_id.')

const notPending = 'Only a pending reward can be updated.'

describe('retrieving a reward', () => {
  test.each([
    'rwd_ada_pending',
    'rwd_ada_available',
    'rwd_ada_pending_deduction',
    'rwd_ada_deducted',
    'rwd_ada_offer',
  ])('%s -> 200 and all of it, no more', async (id) => {
    const { call, state } = await startSandbox()
    const answer = await call('GET', `/v2/rewards/${id}`)
    expect([answer.status, answer.json]).toEqual([200, state.get('rewards', id)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', []))
  })

  test.each([
    ['unknown', 'rwd_nobody'],
    ['in other casing', 'RWD_ADA_PENDING'],
    ["of another product's customer", 'rwd_hana_pending'],
    ['a word that every object has', 'constructor'],
  ])('an id that is %s -> 404 C, the same bytes for all', async (_, id) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `/v2/rewards/${id}`)
    expect([answer.status, answer.json]).toEqual([404, notFound])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
  })
})

describe('updating a pending reward', () => {
  test.each([
    [{ status: 'AVAILABLE' }, []],
    [{ status: 'PENDING_DEDUCTION' }, ['reward_target_statuses']],
    [{ status: 'DEDUCTED' }, ['reward_target_statuses']],
    [{ status: 'PENDING' }, ['reward_target_statuses']],
    [{ amount: 999 }, []],
    [{ amount: 0 }, ['reward_amount_zero']],
    [{ amount: 9_007_199_254_740_991 }, []],
    [{ amount: 1, status: 'AVAILABLE' }, []],
  ])('case 100: %j -> 200, only that changes, and updated_at', async (change, assumptions) => {
    const { call, state } = await startSandbox()
    const before = state.get('rewards', 'rwd_ada_pending')
    const answer = await update(call, change)
    expect([answer.status, answer.json]).toEqual([
      200,
      { ...before, ...change, updated_at: '2026-11-21T12:00:00.000Z' },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', assumptions))
    const read = await call('GET', pending)
    expect(read.text).toBe(answer.text)
  })

  test('case 100: updated_at is strictly later each time, also on a frozen clock and for the same values', async () => {
    const { call, clock } = await startSandbox()
    const times = []
    for (const amount of [1, 2, 2]) times.push((await update(call, { amount })).json.updated_at)
    clock.advance({ seconds: 1 })
    times.push((await update(call, { amount: 3 })).json.updated_at)
    expect(times).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.001Z',
      '2026-11-21T12:00:00.002Z',
      '2026-11-21T12:00:01.000Z',
    ])
  })

  test('case 100: a row from the future of the clock -> updated_at is later than the one it had', async () => {
    const { call, state } = await startSandbox()
    state.patch('rewards', 'rwd_ada_pending', { updated_at: '2027-01-01T00:00:00Z' })
    expect((await update(call, { amount: 1 })).json.updated_at).toBe('2027-01-01T00:00:00.001Z')
  })

  const statuses = 'status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED'
  test.each<[unknown, string[]]>([
    [{}, ['body: amount or status is required']],
    [{ other: 1 }, ['body: amount or status is required']],
    [{ status: 'available' }, [statuses]],
    [{ status: 'CANCELED' }, [statuses]],
    [{ status: '' }, [statuses]],
    [{ status: null }, ['body: amount or status is required']],
    [{ status: ['AVAILABLE'] }, [statuses]],
    [{ amount: 1.5 }, ['amount: must be an integer']],
    [{ amount: '5' }, ['amount: must be an integer']],
    [{ amount: null }, ['body: amount or status is required']],
    [{ amount: true }, ['amount: must be an integer']],
    [{ amount: -1 }, ['amount: must not be negative']],
    [{ amount: 7, status: 'available' }, [statuses]],
    [{ amount: 1.5, status: 'AVAILABLE' }, ['amount: must be an integer']],
    [{ amount: 'x', status: 'x' }, ['amount: must be an integer', statuses]],
  ])('case 101: %j -> 400 of shape A, and nothing is changed', async (change, details) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await update(call, change)
    expect([answer.status, answer.json]).toEqual([400, invalid(pending, ...details)])
    expect(state.document()).toEqual(before)
  })

  const settled: [id: string, change: { status?: string; amount?: number }][] = [
    ['rwd_ada_available', { status: 'PENDING' }],
    ['rwd_ada_available', { status: 'AVAILABLE' }],
    ['rwd_ada_available', { status: 'DEDUCTED' }],
    ['rwd_ada_available', { amount: 1 }],
    ['rwd_ada_pending_deduction', { status: 'DEDUCTED', amount: 1 }],
    ['rwd_ada_pending_deduction', { status: 'AVAILABLE' }],
    ['rwd_ada_pending_deduction', { amount: 1 }],
    ['rwd_ada_deducted', { status: 'DEDUCTED' }],
    ['rwd_ada_deducted', { status: 'AVAILABLE', amount: 1 }],
  ]
  /** A body of DEDUCTED alone is decided where the status of the reward is known, so not by the targets of a pending one. */
  const dependsOnTargets = ({ status, amount }: { status?: string; amount?: number }): boolean =>
    status !== undefined && status !== 'AVAILABLE' && (status !== 'DEDUCTED' || amount !== undefined)
  const refused = { reward_deduction_update: 'refused' }
  test.each<[UnvalidatedSettings, ...(typeof settled)[number], string[]]>([
    ...settled.map((row): [UnvalidatedSettings, ...typeof row, string[]] => [{}, ...row, []]),
    ...settled.map((row): [UnvalidatedSettings, ...typeof row, string[]] => [refused, ...row, []]),
    [refused, 'rwd_ada_pending_deduction', { status: 'DEDUCTED' }, ['reward_deduction_update']],
  ])('case 102: under %j, %s %j -> 400 B, and nothing is changed', async (assume, id, change, named) => {
    const { call, state } = await startSandbox({ assume })
    const before = state.document()
    const answer = await update(call, change, `/v2/rewards/${id}`)
    expect([answer.status, answer.json]).toEqual([400, shapeB('BAD_REQUEST_ERROR', notPending)])
    expect(headersOf(answer)).toEqual(
      jsonHeaders('req_default_1', [
        ...(dependsOnTargets(change) ? ['reward_target_statuses'] : []),
        ...named,
        'reward_not_pending',
      ]),
    )
    expect(state.document()).toEqual(before)
  })

  test.each([
    [{}],
    [{ reward_deduction_update: 'allowed' }],
    [{ reward_target_statuses: 'all_but_pending' }],
    [{ reward_target_statuses: 'available_only' }],
  ])('case 102: under %j, the deduction of a pending deduction -> 200, once', async (assume) => {
    const { call, state } = await startSandbox({ assume })
    const id = 'rwd_ada_pending_deduction'
    const before = state.get('rewards', id)
    const answer = await update(call, { status: 'DEDUCTED' }, `/v2/rewards/${id}`)
    const after = { ...before, status: 'DEDUCTED', updated_at: '2026-11-21T12:00:00.000Z' }
    expect([answer.status, answer.json]).toEqual([200, after])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['reward_deduction_update']))
    expect(state.get('rewards', id)).toEqual(after)
    const again = await update(call, { status: 'DEDUCTED' }, `/v2/rewards/${id}`)
    expect([again.status, again.json]).toEqual([400, shapeB('BAD_REQUEST_ERROR', notPending)])
    expect(state.get('rewards', id)).toEqual(after)
  })

  test('case 102: after its status changed -> a second update is refused', async () => {
    const { call } = await startSandbox()
    expect((await update(call, { status: 'AVAILABLE' })).status).toBe(200)
    const again = await update(call, { status: 'AVAILABLE' })
    expect([again.status, again.json]).toEqual([400, shapeB('BAD_REQUEST_ERROR', notPending)])
  })

  test('case 103: two updates at once -> one 200, one 400 B, and the reward is what the 200 said', async () => {
    const { call } = await startSandbox()
    const answers = await Promise.all(
      ['AVAILABLE', 'DEDUCTED'].map((status) => update(call, { status, amount: status.length })),
    )
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
    expect([won?.status, lost?.status]).toEqual([200, 400])
    expect(lost?.json).toEqual(shapeB('BAD_REQUEST_ERROR', notPending))
    expect((await call('GET', pending)).json).toEqual(won?.json)
  })

  test('case 104: other fields of a reward in the body -> ignored, neither used nor stored', async () => {
    const { call, state } = await startSandbox()
    const before = state.get('rewards', 'rwd_ada_pending')
    const answer = await update(call, {
      id: 'rwd_other',
      customer_id: 'cus_ben',
      type: 'OFFER',
      currency: 'USD',
      created_at: '2020-01-01T00:00:00Z',
      updated_at: '2020-01-01T00:00:00Z',
      metadata: { admin: true },
      transaction_event_id: 'x',
      amount: 7,
    })
    expect([answer.status, answer.json]).toEqual([
      200,
      { ...before, amount: 7, updated_at: '2026-11-21T12:00:00.000Z' },
    ])
    expect(answer.assumptions).toEqual(['unknown_body_fields'])
    expect(state.get('rewards', 'rwd_ada_pending')).toEqual(answer.json)
    expect(state.get('rewards', 'rwd_other')).toBeUndefined()
  })

  test('case 105: an unknown reward and an invalid body -> 400 of shape A', async () => {
    const { call } = await startSandbox()
    const answer = await update(call, {}, '/v2/rewards/rwd_nobody')
    expect([answer.status, answer.json]).toEqual([
      400,
      invalid('/v2/rewards/rwd_nobody', 'body: amount or status is required'),
    ])
  })

  test.each([
    ['unknown', 'rwd_nobody'],
    ["of another product's customer", 'rwd_hana_pending'],
  ])('a reward that is %s and a valid body -> 404 C, the same bytes for both', async (_, id) => {
    const { call, state } = await startSandbox()
    const before = state.document()
    const answer = await update(call, { amount: 1 }, `/v2/rewards/${id}`)
    expect([answer.status, answer.json]).toEqual([404, notFound])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
    expect(state.document()).toEqual(before)
  })
})

describe('the rewards balance', () => {
  const path = '/v2/customers/cus_ada/rewards_balance'

  test('available rewards and the opening balance, less deductions -> the whole answer', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', path)
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        customer_id: 'cus_ada',
        reward_balance: 12_000 + 1840 + 750 + 20_000 - 5000,
        reward_symbol: 'points',
        reward_description: 'Summit points',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['balance_statuses']))
  })

  test('a customer without rewards -> zero', async () => {
    const { call } = await startSandbox()
    expect((await call('GET', '/v2/customers/cus_ben/rewards_balance')).json).toEqual({
      customer_id: 'cus_ben',
      reward_balance: 0,
      reward_symbol: 'points',
      reward_description: 'Summit points',
    })
  })

  test('the other product -> its own symbol and text', async () => {
    const { call } = await startSandbox()
    const answer = await call('GET', '/v2/customers/cus_hana/rewards_balance', {
      key: 'sk_sandbox_multi',
      headers: { 'x-service-merchant-key': 'mk_harbor' },
    })
    expect(answer.json).toEqual({
      customer_id: 'cus_hana',
      reward_balance: 1500 + 2375,
      reward_symbol: '$',
      reward_description: 'Cash back',
    })
  })

  test.each([
    ['unknown', 'cus_nobody'],
    ['of another product', 'cus_hana'],
    ['a word that every object has', '__proto__'],
  ])('a customer who is %s -> 404 C, the same bytes for all', async (_, id) => {
    const { call } = await startSandbox()
    const answer = await call('GET', `/v2/customers/${id}/rewards_balance`)
    expect([answer.status, answer.json]).toEqual([
      404,
      {
        type: 'CUSTOMER_NOT_FOUND_ERROR',
        message: 'No customer has this customer_id.',
        param: 'customer_id',
      },
    ])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['not_found_status']))
  })

  const most = 9_007_199_254_740_991
  const reward = (status: string, amount: number, at: number) => ({
    id: `rwd_${at}`,
    customer_id: 'cus_1',
    status: status as 'AVAILABLE',
    amount,
  })

  test.each<[string, [string, number][], number, string]>([
    ['the largest integer', [['AVAILABLE', 1]], most - 1, '9007199254740991'],
    ['one more', [['AVAILABLE', 1]], most, '9007199254740992'],
    ['an odd sum beyond', [['AVAILABLE', 2]], most, '9007199254740993'],
    ['below the least', [['AVAILABLE', -2]], -most, '-9007199254740993'],
    [
      'beyond on the way, and back',
      [
        ['AVAILABLE', most],
        ['AVAILABLE', -most],
      ],
      7,
      '7',
    ],
    ['many', Array.from({ length: 7 }, () => ['AVAILABLE', most]), most, '72057594037927928'],
  ])('case 128: a balance of %s -> every digit of it', async (_, parts, opening_balance, balance) => {
    const rewards = parts.map(([status, amount], at) => reward(status, amount, at))
    const sandbox = await startSandbox({
      fixtures: { customers: [{ id: 'cus_1', opening_balance }], rewards },
    })
    const { text } = await sandbox.call('GET', '/v2/customers/cus_1/rewards_balance')
    expect(text).toContain(`"reward_balance":${balance},`)
    // Also if a scenario rewrites the body, and in the journal.
    await sandbox.scenarios.activate('unknown-fields')
    const rewritten = await sandbox.fetch('/v2/customers/cus_1/rewards_balance', {
      headers: { authorization: `Bearer ${sandbox.apiKey}` },
    })
    expect(await rewritten.text()).toContain(`"reward_balance":${balance},`)
    const id = rewritten.headers.get('x-sandbox-request-id')
    const entry = await askControl(sandbox, 'GET', `/requests/${id}`)
    expect(entry.text).toContain(`"reward_balance":${balance},`)
  })

  test('case 128: every value of balance_statuses adds exactly', async () => {
    const { alternatives, default: defaultValue } = assumptionCatalogue.balance_statuses
    for (const balance_statuses of [defaultValue, ...alternatives]) {
      const rewards = rewardStatus.options.map((status, at) => reward(status, most - at, at))
      const { call } = await startSandbox({
        assume: { balance_statuses },
        fixtures: { customers: [{ id: 'cus_1', opening_balance: most - 2 }], rewards },
      })
      const signs = new Map(
        balance_statuses
          .match(/(?:^|[+-])[A-Z_]+/g)
          ?.map((part) => [part.replace(/^[+-]/, ''), part.startsWith('-') ? -1n : 1n]),
      )
      let sum = BigInt(most - 2)
      for (const { status, amount } of rewards) sum += (signs.get(status) ?? 0n) * BigInt(amount)
      const { text } = await call('GET', '/v2/customers/cus_1/rewards_balance')
      expect(text).toContain(`"reward_balance":${sum},`)
    }
  })

  test('settling a reward moves the balance at once; a refused update does not', async () => {
    const { call } = await startSandbox()
    const seen = [await balanceOf(call)]
    for (const change of [{ amount: 300 }, { status: 'AVAILABLE' }, { status: 'DEDUCTED' }]) {
      await update(call, change)
      seen.push(await balanceOf(call))
    }
    expect(seen).toEqual([29_590, 29_590, 29_890, 29_890])
  })
})

describe('assumptions of the rewards', () => {
  const available = 12_000 + 1840 + 750 + 20_000

  test.each([
    [undefined, available - 5000, 100],
    ['AVAILABLE-DEDUCTED', available - 5000, 100],
    ['AVAILABLE', available, 100],
    ['AVAILABLE+PENDING', available + 252 + 5000, 100 - 252],
    ['AVAILABLE+PENDING_DEDUCTION', available + 2500, 100],
    ['AVAILABLE-PENDING_DEDUCTION-DEDUCTED', available - 2500 - 5000, 100],
  ])(
    'balance_statuses=%s -> %i; settling a pending 252 at 100 moves it by %i',
    async (value, balance, moved) => {
      const { call } = await startSandbox({ assume: value === undefined ? {} : { balance_statuses: value } })
      const answer = await call('GET', '/v2/customers/cus_ada/rewards_balance')
      expect([answer.json.reward_balance, answer.assumptions]).toEqual([balance, ['balance_statuses']])
      await update(call, { amount: 100, status: 'AVAILABLE' })
      expect((await balanceOf(call)) - balance).toBe(moved)
    },
  )

  test.each(valuesOf('balance_statuses'))(
    'case 129: balance_statuses=%s -> the balance never rises when a deduction goes on',
    async (value) => {
      const { call, state } = await startSandbox({ assume: { balance_statuses: value } })
      const row = state.get('rewards', 'rwd_ada_available')
      const seen: number[] = []
      for (const status of ['AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'] as const) {
        state.put('rewards', 'rwd_ada_available', { ...row, status })
        seen.push(await balanceOf(call))
      }
      expect(seen).toEqual(seen.toSorted((a, b) => b - a))
      expect(seen[2]).toBeLessThan(Number(seen[0]))
    },
  )

  test('case 129: the values', () => {
    expect(valuesOf('balance_statuses')).toEqual([
      'AVAILABLE-DEDUCTED',
      'AVAILABLE',
      'AVAILABLE+PENDING',
      'AVAILABLE+PENDING_DEDUCTION',
      'AVAILABLE-PENDING_DEDUCTION-DEDUCTED',
    ])
  })

  test.each([
    ['english', 'Cash back'],
    ['preferred_language', 'Reembolso en efectivo'],
  ])('case 139: reward_description_language=%s -> %s', async (reward_description_language, text) => {
    const { call, state } = await startSandbox({ assume: { reward_description_language } })
    const hana = state.get('customers', 'cus_hana') as object
    state.put('customers', 'cus_hana', { ...hana, preferred_language: 'es-MX' })
    const answer = await call('GET', '/v2/customers/cus_hana/rewards_balance', {
      key: 'sk_sandbox_multi',
      headers: { 'x-service-merchant-key': 'mk_harbor' },
    })
    expect(answer.json.reward_description).toBe(text)
    expect(answer.assumptions).toEqual(['balance_statuses', 'reward_description_language'])
  })

  const every = ['PENDING', 'AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED']
  test.each([
    [undefined, every],
    ['all', every],
    ['all_but_pending', every.slice(1)],
    ['available_only', ['AVAILABLE']],
  ])('reward_target_statuses=%s -> %j and no other', async (value, allowed) => {
    const { call, state } = await startSandbox({
      assume: value === undefined ? {} : { reward_target_statuses: value },
    })
    const before = state.get('rewards', 'rwd_ada_pending') as object
    for (const status of every) {
      state.put('rewards', 'rwd_ada_pending', before)
      const answer = await update(call, { status })
      expect([status, answer.status, answer.json.status]).toEqual(
        allowed.includes(status) ? [status, 200, status] : [status, 400, 400],
      )
      if (answer.status === 400) {
        expect(answer.json).toEqual(invalid(pending, `status: must be one of ${allowed.join(', ')}`))
        expect(state.get('rewards', 'rwd_ada_pending')).toEqual(before)
      }
      expect(answer.assumptions).toEqual(status === 'AVAILABLE' ? [] : ['reward_target_statuses'])
    }
    expect((await update(call, { amount: 1 }, '/v2/rewards/rwd_ada_referral')).assumptions).toEqual([])
  })

  test.each([
    [undefined, 400, 'BAD_REQUEST_ERROR'],
    ['bad_request', 400, 'BAD_REQUEST_ERROR'],
    ['conflict', 409, 'CONFLICT_ERROR'],
  ])('reward_not_pending=%s -> %i B %s, and nothing is changed', async (value, status, type) => {
    const { call, state } = await startSandbox({
      assume: value === undefined ? {} : { reward_not_pending: value },
    })
    const before = state.document()
    const answer = await update(call, { amount: 1 }, '/v2/rewards/rwd_ada_deducted')
    expect([answer.status, answer.json]).toEqual([status, shapeB(type, notPending)])
    expect(headersOf(answer)).toEqual(jsonHeaders('req_default_1', ['reward_not_pending']))
    expect(state.document()).toEqual(before)
  })

  test.each([
    [undefined, 400],
    ['refuse', 400],
    ['accept', 200],
  ])('negative_amount=%s -> %i for an amount of -1', async (value, status) => {
    const { call } = await startSandbox({ assume: value === undefined ? {} : { negative_amount: value } })
    const answer = await update(call, { amount: -1 })
    expect([answer.status, answer.assumptions]).toEqual([status, ['negative_amount']])
    expect((await call('GET', pending)).json.amount).toBe(status === 200 ? -1 : 252)
  })
})

test.each([
  [{ amount: 0 }, ['amount: must not be zero']],
  [{ amount: 0, status: 'NONE' }, ['status', 'amount: must not be zero']],
])('reward_amount_zero=refuse, %j -> 400 of shape A, nothing changed', async (change, details) => {
  const { call, state } = await startSandbox({ assume: { reward_amount_zero: 'refuse' } })
  const before = state.get('rewards', 'rwd_ada_pending')
  const answer = await update(call, change)
  expect(answer.status).toBe(400)
  expect(answer.json.details).toEqual(details.map((detail) => expect.stringContaining(detail)))
  expect(answer.assumptions).toEqual(['reward_amount_zero'])
  expect(state.get('rewards', 'rwd_ada_pending')).toEqual(before)
})

describe('balance_other_currencies', () => {
  const customer = {
    id: 'cus_one',
    first_name: 'Per',
    last_name: 'Son',
    email: 'one@example.com',
    statuses: {},
    created_at: '2026-01-01T00:00:00Z',
  }
  const reward = (id: string, amount: number, currency?: string): object => ({
    id,
    customer_id: 'cus_one',
    amount,
    type: 'OFFER',
    status: 'AVAILABLE',
    created_at: '2026-01-01T00:00:00Z',
    ...(currency === undefined ? {} : { currency }),
  })
  const rewards = [reward('rwd_p', 100, 'POINTS'), reward('rwd_n', 20), reward('rwd_u', 3, 'USD')]

  test.each([
    ['added', 123],
    ['left_out', 120],
  ] as const)('%s -> %i of 100 POINTS, 20 without a currency and 3 USD', async (value, sum) => {
    const { call } = await startSandbox({
      assume: { balance_other_currencies: value },
      fixtures: { customers: [customer], rewards },
    })
    const answer = await call('GET', '/v2/customers/cus_one/rewards_balance')
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        customer_id: 'cus_one',
        reward_balance: sum,
        reward_symbol: 'points',
        reward_description: 'Summit points',
      },
    ])
    expect(answer.assumptions).toEqual(['balance_other_currencies'])
  })
})
