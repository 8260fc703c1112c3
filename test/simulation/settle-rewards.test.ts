import { describe, expect, it } from 'vitest'
import type { Accrual } from '../../src/contract/resources/reward.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { ConflictError, NotFoundError } from '../../src/input/refusals.ts'
import { simulateTransaction } from '../../src/simulation/arrive-transaction.ts'
import { closeStatement } from '../../src/simulation/close-statement.ts'
import type { SimulationAssumptions } from '../../src/simulation/earn-reward.ts'
import { simulateRewards } from '../../src/simulation/settle-rewards.ts'
import type { Row } from '../../src/store/rows.ts'
import type { State } from '../../src/store/state.ts'
import { begin, card, category, now, product, step, transaction, worldOf } from '../helpers/simulation.ts'

type RefundReward = SimulationAssumptions['refund_reward']

/** A program that earns a point for each dollar, and a customer with two accounts. */
const world = (accrual?: Accrual, rate = '1', rewards: readonly Row<'rewards'>[] = []): State =>
  worldOf({
    products: [product({ categories: [category('Base', rate)], ...(accrual && { accrual }) })],
    accounts: ['acct_1', 'acct_2'].map((id) => ({ id, customer_id: 'cus_1', currency: 'USD' })),
    payment_methods: [card('pm_1', 'cus_1', 'acct_1'), card('pm_2', 'cus_1', 'acct_2')],
    rewards,
  })

/** Plays steps on a frozen clock. */
function player(state: State, refund_reward: RefundReward = 'own_row', at = now) {
  const assumptions = { reward_rounding: 'down', refund_reward, transaction_amount: 'last_step' } as const
  const play = (input: object) => simulateTransaction(begin(state), input, at, assumptions)
  return {
    capture: (amount: number, more: object = {}) =>
      play({
        customer_id: 'cus_1',
        payment_method_id: 'pm_1',
        amount,
        currency: 'USD',
        merchant_name: 'Shop',
        ...more,
      }),
    refund: (transaction_id: string, amount?: number, more: object = {}) =>
      play({ transaction_id, status: 'REFUNDED', ...(amount === undefined ? {} : { amount }), ...more }),
  }
}

const later = now + 60_000
const closeAt = (state: State, at = later, account_id = 'acct_1') =>
  closeStatement(begin(state), { account_id }, at)
const settle = (state: State, reward_type: string, at = later) =>
  simulateRewards(begin(state), { customer_id: 'cus_1', reward_type }, at).rewards

/** A reward: its step (the sum of a cycle has none), amount, status, and how many ms from now it was changed. */
type Short = [of: string, amount: number, status: string, changed?: number | undefined]

const time = (ms: number): string => new Date(now + ms).toISOString()

const whole = ([of, amount, status, changed]: Short, createdAfter = 0): object => ({
  id: expect.stringMatching(/^rwd_\w{12}$/),
  customer_id: 'cus_1',
  ...(of === 'sum' ? {} : { transaction_event_id: of }),
  amount,
  type: of === 'sum' ? 'STATEMENT' : 'TRANSACTION',
  currency: 'POINTS',
  status,
  created_at: time(of === 'sum' ? createdAfter : 0),
  ...(changed === undefined ? {} : { updated_at: time(changed) }),
})

/** The name of each step: its status and its place in the order of playing. */
function names(state: State): Map<string, string> {
  const steps = [...state.all('transaction_events')].toSorted((a, b) => (a.n ?? 0) - (b.n ?? 0))
  return new Map(steps.map(({ id, status }, at) => [id, `${at} ${status}`]))
}

/** Rewards with the names of their steps, in the order of these. */
function named(state: State, rewards: Iterable<object>): object[] {
  const nameOf = names(state)
  const shown = [...(rewards as Iterable<Row<'rewards'>>)].map(({ transaction_event_id: of, ...row }) => ({
    ...row,
    ...(of === undefined ? {} : { transaction_event_id: nameOf.get(of) }),
  }))
  const order = ({ transaction_event_id: of = '9' }: { transaction_event_id?: string | undefined }) => of
  return shown.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

const C = '0 CAPTURED'
const [R1, R2, R3] = ['1 REFUNDED', '2 REFUNDED', '3 REFUNDED'] as const

/** 10.99 earn 10; of that 3.50 take back 3, 3.50 more take 7 less 3, and the last 3.99 take the rest. */
const lives = { captured: [], 'refunded in part': [350, 350], refunded: [350, 350, 399] } as const
type Stage = keyof typeof lives

describe('the rewards of a purchase', () => {
  const own = (pending: string, deduction: string, changed?: number): Record<Stage, Short[]> => {
    const captured: Short[] = [[C, 10, pending, changed]]
    const part: Short[] = [...captured, [R1, 3, deduction, changed], [R2, 4, deduction, changed]]
    return { captured, 'refunded in part': part, refunded: [...part, [R3, 3, deduction, changed]] }
  }
  const ownWaiting = own('PENDING', 'PENDING_DEDUCTION')
  const ownSettled = own('AVAILABLE', 'DEDUCTED', 60_000)
  const sameWaiting: Record<Stage, Short[]> = {
    captured: [[C, 10, 'PENDING']],
    'refunded in part': [[C, 3, 'PENDING', 2]],
    refunded: [[C, 3, 'PENDING_DEDUCTION', 3]],
  }
  const sameSettled: Record<Stage, Short[]> = {
    captured: [[C, 10, 'AVAILABLE', 60_000]],
    'refunded in part': [[C, 3, 'AVAILABLE', 60_000]],
    refunded: [[C, 3, 'DEDUCTED', 60_000]],
  }
  const none: Record<Stage, Short[]> = { captured: [], 'refunded in part': [], refunded: [] }
  const sums: Record<Stage, Short[]> = {
    captured: [['sum', 10, 'AVAILABLE']],
    'refunded in part': [['sum', 3, 'AVAILABLE']],
    refunded: [],
  }
  const sameInstant: Record<Stage, Short[]> = {
    captured: [[C, 10, 'AVAILABLE']],
    'refunded in part': [[C, 3, 'AVAILABLE', 2]],
    refunded: [[C, 3, 'DEDUCTED', 3]],
  }
  const ownInstant = own('AVAILABLE', 'DEDUCTED')

  type Rewards = Record<Stage, Short[]>
  const cases: [Accrual | undefined, RefundReward, string | undefined, Rewards, Rewards, Rewards][] = [
    // accrual, refund_reward, the type that settles; at first, after the statement, after simulateRewards
    ['instant', 'own_row', undefined, ownInstant, ownInstant, ownInstant],
    ['instant', 'same_reward', undefined, sameInstant, sameInstant, sameInstant],
    [undefined, 'own_row', 'STATEMENT', ownWaiting, ownSettled, ownSettled],
    ['statement', 'own_row', 'STATEMENT', ownWaiting, ownSettled, ownSettled],
    ['statement', 'same_reward', 'STATEMENT', sameWaiting, sameSettled, sameSettled],
    ['statement_aggregated', 'own_row', 'STATEMENT', none, sums, sums],
    ['statement_aggregated', 'same_reward', 'STATEMENT', none, sums, sums],
    ['delayed', 'own_row', 'DELAYED', ownWaiting, ownWaiting, ownSettled],
    ['delayed', 'same_reward', 'DELAYED', sameWaiting, sameWaiting, sameSettled],
  ]
  const stages: Stage[] = ['captured', 'refunded in part', 'refunded']

  it.each(
    cases.flatMap(([accrual, refundReward, ...more]) =>
      stages.map((stage) => [accrual, refundReward, stage, ...more] as const),
    ),
  )('accrual %s, refund_reward=%s, %s', (accrual, refundReward, stage, type, atFirst, billed, settled) => {
    const live = (): State => {
      const state = world(accrual)
      const { capture, refund } = player(state, refundReward)
      const { transaction: row } = capture(1099)
      for (const amount of lives[stage]) refund(row.id, amount)
      return state
    }
    const rewardsOf = (state: State) => named(state, state.all('rewards'))
    const rows = (short: Short[]) => short.map((one) => whole(one, 60_000))
    const [one, other] = [live(), live()]
    expect(rewardsOf(one)).toStrictEqual(rows(atFirst[stage]))
    closeAt(one)
    expect(rewardsOf(one)).toStrictEqual(rows(billed[stage]))
    if (type === undefined) return
    expect(named(other, settle(other, type))).toStrictEqual(rows(settled[stage]))
    expect(rewardsOf(other)).toStrictEqual(rows(settled[stage]))
    expect(settle(other, type, later + 60_000)).toEqual([])
    expect(rewardsOf(other)).toStrictEqual(rows(settled[stage]))
  })

  it.each<[RefundReward, Accrual, Short[]]>([
    ['own_row', 'statement', [[C, 10, 'PENDING'], [R1, 10, 'PENDING_DEDUCTION']]], // prettier-ignore
    ['own_row', 'instant', [[C, 10, 'AVAILABLE'], [R1, 10, 'DEDUCTED']]], // prettier-ignore
    ['same_reward', 'statement', [[C, 10, 'PENDING_DEDUCTION', 1]]],
    ['same_reward', 'instant', [[C, 10, 'DEDUCTED', 1]]],
  ])('%s, accrual %s: a full refund at once', (refundReward, accrual, expected) => {
    const state = world(accrual)
    const { capture, refund } = player(state, refundReward)
    refund(capture(1099).transaction.id)
    expect(named(state, state.all('rewards'))).toStrictEqual(expected.map((one) => whole(one)))
  })

  it('each step -> what it earned or took back, and the reward of it', () => {
    const fieldsOf = (accrual: Accrual, refundReward: RefundReward) => {
      const state = world(accrual)
      const { capture, refund } = player(state, refundReward)
      const captured = capture(1099)
      const made = [captured, refund(captured.transaction.id, 350), refund(captured.transaction.id)]
      return made.map(({ event, reward }) => [
        event?.earn_rate,
        event?.reward_amount,
        event?.reward_id === reward?.id,
        reward?.amount,
      ])
    }
    expect(fieldsOf('statement', 'own_row')).toEqual([
      ['1', 10, true, 10],
      [undefined, 3, true, 3],
      [undefined, 7, true, 7],
    ])
    expect(fieldsOf('statement', 'same_reward')).toEqual([
      ['1', 10, true, 10],
      [undefined, 3, true, 7],
      [undefined, 7, true, 7],
    ])
    expect(fieldsOf('statement_aggregated', 'own_row')).toEqual([
      ['1', 10, true, undefined],
      [undefined, 3, true, undefined],
      [undefined, 7, true, undefined],
    ])
  })
})

describe('the share of a refund', () => {
  const shares = (rate: string, captured: number, refunds: number[]) => {
    const state = world('statement', rate)
    const { capture, refund } = player(state)
    const { transaction: row, reward } = capture(captured)
    const taken = refunds.map((amount) => refund(row.id, amount).reward?.amount ?? 'none')
    return [reward?.amount, taken]
  }

  it.each<[string, number, number[], number, (number | 'none')[]]>([
    // rate, captured, refunds; earned, taken back by each
    ['1', 1099, [350, 350, 399], 10, [3, 4, 3]],
    ['1', 1099, [99, 1, 999], 10, ['none', 1, 9]],
    ['1', 1099, [50, 49, 1000], 10, ['none', 'none', 10]],
    ['1', 1099, [1000, 98, 1], 10, [10, 'none', 'none']],
    ['1', 1099, [1098, 1], 10, [10, 'none']],
    ['1.5', 333, [111, 111, 111], 4, [1, 2, 1]],
    ['0', 1000, [500, 500], 0, ['none', 'none']],
    ['3', 1250, [1250], 37, [37]],
  ])('at %s, %i captured, %j refunded -> %i, %j', (rate, captured, refunds, earned, taken) => {
    expect(shares(rate, captured, refunds)).toEqual([earned, taken])
  })

  it.each<[RefundReward, number, number[], (number | 'none')[], string[]]>([
    // the amount that the partner set, refunds of 5000; deducted by each, the rewards in the end
    ['own_row', 10, [5000], [10], ['10 PENDING', '10 PENDING_DEDUCTION']],
    ['own_row', 10, [1000, 4000], [10, 'none'], ['10 PENDING', '10 PENDING_DEDUCTION']],
    ['own_row', 90, [2500, 2500], [25, 65], ['90 PENDING', '25 PENDING_DEDUCTION', '65 PENDING_DEDUCTION']],
    ['own_row', 0, [5000], ['none'], ['0 PENDING']],
    ['same_reward', 90, [2500, 2500], [65, 65], ['65 PENDING_DEDUCTION']],
    ['same_reward', 0, [5000], [0], ['0 PENDING_DEDUCTION']],
  ])('%s, of a reward of 50 that the partner set to %i', (refundReward, set, refunds, deducted, rewards) => {
    const state = world()
    const { capture, refund } = player(state, refundReward)
    const { transaction: row, reward } = capture(5000)
    if (reward) state.put('rewards', { ...reward, amount: set })
    expect(refunds.map((amount) => refund(row.id, amount).reward?.amount ?? 'none')).toEqual(deducted)
    const left = [...state.all('rewards')].map(({ amount, status }) => `${amount} ${status}`)
    expect(left.toSorted()).toEqual(rewards.toSorted())
  })

  it('same_reward: a whole refund whose last part deducts nothing -> still PENDING_DEDUCTION', () => {
    const state = world()
    const { capture, refund } = player(state, 'same_reward')
    const { transaction: row } = capture(100)
    refund(row.id, 99)
    expect(refund(row.id, 1).reward).toMatchObject({ amount: 1, status: 'PENDING_DEDUCTION' })
    const { transaction: small } = capture(50)
    expect(refund(small.id, 50).reward).toMatchObject({ amount: 0, status: 'PENDING_DEDUCTION' })
  })

  it.each<RefundReward>(['own_row', 'same_reward'])('%s: so little that it takes nothing', (refundReward) => {
    const state = world()
    const { capture, refund } = player(state, refundReward)
    const { transaction: row, event: captured, reward } = capture(1099)
    const before = [...state.all('rewards')]
    const { event, reward: taken } = refund(row.id, 99)
    expect(taken).toBeNull()
    expect(event).toStrictEqual({
      id: expect.any(String),
      transaction_id: row.id,
      n: 2,
      status: 'REFUNDED',
      amount: 99,
      posted_at: time(0),
      account_id: 'acct_1',
      capture_id: captured?.id,
    })
    expect([...state.all('rewards')]).toStrictEqual(before)
    expect(before).toEqual([reward])
  })

  it('of each of two captures -> by its own capture', () => {
    const state = world()
    const { capture, refund } = player(state)
    const { transaction: row } = capture(2000, { status: 'APPROVED' })
    const next = (amount: number) =>
      simulateTransaction(begin(state), { transaction_id: row.id, amount }, now, {
        reward_rounding: 'down',
        refund_reward: 'own_row',
        transaction_amount: 'last_step',
      })
    const [one, other] = [next(199), next(1801)]
    expect([one.reward?.amount, other.reward?.amount]).toEqual([1, 18])
    const taken = [one, other].map(({ event }) => refund(row.id, undefined, { event_id: event?.id }))
    expect(taken.map(({ reward }) => reward?.amount)).toEqual([1, 18])
  })

  it('at the rate of its capture, whatever the rate is now', () => {
    const state = world(undefined, '2')
    const { capture, refund } = player(state)
    const { transaction: row } = capture(1000)
    state.put('products', product({ categories: [category('Base', '5')] }))
    expect(refund(row.id, 500).reward?.amount).toBe(10)
  })

  it('of all that was captured -> all that it earned, however that was computed', () => {
    const state = world()
    state.put('transactions', transaction('txn_1', { status: 'CAPTURED' }))
    state.put('transaction_events', step('txe_1', { earn_rate: '1', reward_amount: 12 }))
    const { refund } = player(state)
    expect([refund('txn_1', 500), refund('txn_1')].map(({ reward }) => reward?.amount)).toEqual([5, 7])
  })

  it('of a capture in a document, which earned nothing -> nothing', () => {
    const state = world()
    state.put('transactions', transaction('txn_1', { status: 'CAPTURED' }))
    state.put('transaction_events', step('txe_1'))
    expect(player(state).refund('txn_1').reward).toBeNull()
  })

  it.each<[RefundReward, Short[]]>([
    ['own_row', [['0 REFUNDED', 10, 'PENDING_DEDUCTION']]],
    ['same_reward', []],
  ])('%s: of no capture -> what it would have earned, or nothing', (refundReward, expected) => {
    const state = world()
    player(state, refundReward).capture(1099, { status: 'REFUNDED' })
    expect(named(state, state.all('rewards'))).toStrictEqual(expected.map((one) => whole(one)))
  })
})

describe('same_reward, when the reward has changed since', () => {
  it.each<[string, Partial<Row<'rewards'>>, number | undefined, Short]>([
    ['AVAILABLE, refunded in part', { status: 'AVAILABLE' }, 350, [C, 7, 'AVAILABLE', 1]],
    ['AVAILABLE, refunded', { status: 'AVAILABLE' }, undefined, [C, 10, 'PENDING_DEDUCTION', 1]],
    ['a lower amount, refunded in part', { amount: 2 }, 350, [C, 0, 'PENDING', 1]],
    ['PENDING_DEDUCTION', { status: 'PENDING_DEDUCTION' }, 350, [C, 10, 'PENDING_DEDUCTION']],
    ['DEDUCTED', { status: 'DEDUCTED' }, undefined, [C, 10, 'DEDUCTED']],
  ])('%s', (_, changed, amount, expected) => {
    const state = world()
    const { capture, refund } = player(state, 'same_reward')
    const { transaction: row } = capture(1099)
    const [reward] = [...state.all('rewards')]
    if (reward) state.put('rewards', { ...reward, ...changed })
    refund(row.id, amount)
    expect(named(state, state.all('rewards'))).toStrictEqual([whole(expected)])
  })
})

describe('the sum of a cycle', () => {
  const cycles = (...lists: ((life: ReturnType<typeof player>, id: string) => unknown)[]) => {
    const state = world('statement_aggregated')
    const { id } = player(state).capture(5000).transaction
    closeAt(state)
    for (const [at, steps] of lists.entries()) {
      const then = later + 60_000 * (at + 1)
      steps(player(state, 'own_row', then - 1000), id)
      closeAt(state, then)
    }
    return [...state.all('rewards')]
      .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
      .map(({ amount, status, type, created_at }) => [amount, status, type, Date.parse(created_at) - now])
  }
  const opening = [50, 'AVAILABLE', 'STATEMENT', 60_000]

  it('of nothing, or of zero -> no reward', () => {
    expect(cycles(() => undefined)).toEqual([opening])
    expect(cycles(({ capture, refund }, id) => [capture(700), refund(id, 700)])).toEqual([opening])
    expect(cycles(({ capture }) => capture(99))).toEqual([opening])
  })

  it('below zero -> DEDUCTED, with its amount', () => {
    expect(cycles(({ capture, refund }, id) => [capture(300), refund(id, 2000)])).toEqual([
      opening,
      [17, 'DEDUCTED', 'STATEMENT', 120_000],
    ])
    expect(cycles(({ capture }) => capture(1000, { status: 'REFUNDED' }))).toEqual([
      opening,
      [10, 'DEDUCTED', 'STATEMENT', 120_000],
    ])
  })

  it('of each cycle -> its own steps, each once', () => {
    const result = cycles(
      ({ capture }) => [capture(700), capture(300)],
      ({ refund }, id) => [refund(id, 100), refund(id, 200)],
      () => undefined,
      ({ refund, capture }, id) => [refund(id), capture(5000)],
    )
    expect(result).toEqual([
      opening,
      [10, 'AVAILABLE', 'STATEMENT', 120_000],
      [3, 'DEDUCTED', 'STATEMENT', 180_000],
      [3, 'AVAILABLE', 'STATEMENT', 300_000],
    ])
  })

  it('is the whole reward, to which its steps refer', () => {
    const state = world('statement_aggregated')
    const life = player(state)
    life.refund(life.capture(1099).transaction.id, 350)
    closeAt(state)
    const [sum, ...others] = [...state.all('rewards')]
    expect([sum, others]).toStrictEqual([whole(['sum', 7, 'AVAILABLE'], 60_000), []])
    expect([...state.all('transaction_events')].map(({ reward_id }) => reward_id)).toEqual([sum?.id, sum?.id])
  })

  it.each<RefundReward>(['own_row', 'same_reward'])(
    '%s: takes back after the sum as before',
    (refundReward) => {
      const state = world('statement_aggregated')
      const { id } = player(state).capture(1099).transaction
      closeAt(state)
      player(state, refundReward, later + 1).refund(id)
      closeAt(state, later + 60_000)
      expect([...state.all('rewards')].map(({ amount, status }) => [amount, status]).toSorted()).toEqual([
        [10, 'AVAILABLE'],
        [10, 'DEDUCTED'],
      ])
    },
  )

  it('too large for a JSON number -> a conflict', () => {
    const state = world('statement_aggregated', '1')
    const { capture } = player(state)
    for (const at of [1, 2]) {
      const { event } = capture(100 * at)
      if (event) state.put('transaction_events', { ...event, reward_amount: Number.MAX_SAFE_INTEGER })
    }
    expect(() => settle(state, 'STATEMENT')).toThrow(
      new ConflictError('the rewards add up to more than a JSON number can hold exactly'),
    )
  })
})

describe('which rewards are settled', () => {
  const waiting = (id: string, more: Partial<Row<'rewards'>> = {}): Row<'rewards'> => ({
    id,
    customer_id: 'cus_1',
    amount: 5,
    type: 'ONE_TIME',
    currency: 'POINTS',
    status: 'PENDING',
    created_at: '2026-01-01T00:00:00Z',
    ...more,
  })
  const rewards = [
    waiting('rwd_b', { created_at: '2026-02-01T00:00:00Z' }),
    waiting('rwd_a', { created_at: '2026-03-01T00:00:00Z', status: 'PENDING_DEDUCTION' }),
    waiting('rwd_c', { transaction_event_id: 'no step' }),
    waiting('rwd_available', { status: 'AVAILABLE' }),
    waiting('rwd_deducted', { status: 'DEDUCTED' }),
    waiting('rwd_other', { customer_id: 'cus_2' }),
  ]

  it('simulateRewards -> all of the customer that wait, the oldest first; no other changes', () => {
    const state = world('statement', '1', rewards)
    const settled = settle(state, 'STATEMENT')
    const changed = { updated_at: time(60_000) }
    const [b, a, c, available, deducted, other] = rewards
    expect(settled).toStrictEqual([
      { ...c, status: 'AVAILABLE', ...changed },
      { ...b, status: 'AVAILABLE', ...changed },
      { ...a, status: 'DEDUCTED', ...changed },
    ])
    expect([...state.all('rewards')].toSorted((x, y) => (x.id < y.id ? -1 : 1))).toStrictEqual([
      settled[2],
      available,
      settled[1],
      settled[0],
      deducted,
      other,
    ])
  })

  it('a statement -> those of steps on its account', () => {
    const state = world('statement', '1', rewards)
    const { capture } = player(state)
    const [one, other, none] = [
      capture(1000),
      capture(2000, { payment_method_id: 'pm_2' }),
      capture(3000, { currency: 'EUR' }),
    ]
    closeAt(state)
    const statuses = [one, other, none].map(({ reward }) => state.get('rewards', reward?.id ?? '')?.status)
    expect(statuses).toEqual(['AVAILABLE', 'PENDING', 'PENDING'])
    expect(rewards.map(({ id }) => state.get('rewards', id))).toStrictEqual(rewards)
    expect(settle(state, 'STATEMENT', later + 1)).toHaveLength(5)
  })

  it('a step that is posted later -> not before', () => {
    const state = world()
    const { reward } = player(state).capture(1000, { posted_at: time(90_000) })
    const status = () => state.get('rewards', reward?.id ?? '')?.status
    closeAt(state)
    expect([settle(state, 'STATEMENT'), status()]).toEqual([[], 'PENDING'])
    closeAt(state, now + 90_000)
    expect(status()).toBe('AVAILABLE')
  })

  it.each<[Accrual, number | undefined]>([
    ['statement', undefined],
    ['statement_aggregated', 10],
  ])('accrual %s: all steps on a frozen clock -> settled at that instant', (accrual, sum) => {
    const state = world(accrual)
    const { capture, refund } = player(state)
    const { id } = capture(1500).transaction
    refund(id, 400)
    refund(id, 100)
    const settled = settle(state, 'STATEMENT', now)
    if (sum === undefined) {
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['AVAILABLE', 'DEDUCTED', 'DEDUCTED'])
    } else expect(settled.map(({ amount }) => amount)).toEqual([sum])
  })
})

describe('what is refused', () => {
  it.each<[Accrual | undefined, string, string]>([
    [undefined, 'DELAYED', "must be STATEMENT, as the accrual of product 'mk_1' is statement"],
    ['statement', 'DELAYED', "must be STATEMENT, as the accrual of product 'mk_1' is statement"],
    [
      'statement_aggregated',
      'DELAYED',
      "must be STATEMENT, as the accrual of product 'mk_1' is statement_aggregated",
    ],
    ['delayed', 'STATEMENT', "must be DELAYED, as the accrual of product 'mk_1' is delayed"],
    ['instant', 'STATEMENT', "must not be set: no reward of product 'mk_1' waits, as its accrual is instant"],
    ['instant', 'DELAYED', "must not be set: no reward of product 'mk_1' waits, as its accrual is instant"],
  ])('accrual %s: %s', (accrual, type, message) => {
    expect(() => settle(world(accrual), type)).toThrow(
      new DocumentError([{ source: 'reward', path: 'reward_type', message }]),
    )
  })

  it('an unknown customer -> not found, with the nearest there is', () => {
    const input = { customer_id: 'cus_l', reward_type: 'STATEMENT' }
    expect(() => simulateRewards(begin(world()), input, now)).toThrow(
      new NotFoundError("no customer has the id 'cus_l', did you mean 'cus_1'?"),
    )
  })
})
