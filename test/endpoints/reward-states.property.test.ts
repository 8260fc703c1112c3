import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rewardStatuses, type RewardStatus } from '../../src/contract/resources/reward.ts'
import { callerFor, startSandbox, type CallApi } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

/** The expected reward: the contract's one transition, the deduction that an assumption allows, and nothing else. */
interface ModelReward {
  customer: string
  amount: number
  status: RewardStatus
  updatedAt: number
}

interface Model {
  rewards: ModelReward[]
  targets: readonly RewardStatus[]
  /** Whether an update may complete a deduction, so that the reward decides about its status. */
  mayDeduct: boolean
  signs: Partial<Record<RewardStatus, number>>
  opening: Record<string, number>
}

interface Real {
  call: CallApi
  advance(seconds: number): void
}

const path = (at: number) => `/v2/rewards/rwd_${at}`
const customers = ['cus_1', 'cus_2']

/** A body that the contract allows to be sent; what becomes of it depends on the reward. */
interface Change {
  amount?: number
  status?: RewardStatus
}

class Update implements fc.AsyncCommand<Model, Real> {
  readonly at: number
  readonly change: Change

  constructor(at: number, change: Change) {
    this.at = at
    this.change = change
  }

  check = () => true

  async run(model: Model, { call }: Real): Promise<void> {
    const reward = model.rewards[this.at]
    const { amount, status } = this.change
    const answer = await call('PATCH', path(this.at), { json: this.change })
    const empty = amount === undefined && status === undefined
    const isTarget = status === undefined || model.targets.includes(status)
    // Which rewards that may change depends on the status of the reward, whatever the targets are.
    const asksToDeduct = status === 'DEDUCTED' && amount === undefined
    const mayDeduct = model.mayDeduct && asksToDeduct
    if (empty || (!isTarget && !asksToDeduct)) {
      expect([answer.status, answer.json.error]).toEqual([400, 'Bad Request'])
    } else if (reward === undefined) {
      expect([answer.status, answer.json.type]).toEqual([404, 'REWARD_NOT_FOUND_ERROR'])
    } else if (reward.status === 'PENDING' && !isTarget) {
      expect([answer.status, answer.json.error]).toEqual([400, 'Bad Request'])
    } else if (reward.status === 'PENDING' || (reward.status === 'PENDING_DEDUCTION' && mayDeduct)) {
      expect(answer.status).toBe(200)
      const updatedAt = Date.parse(answer.json.updated_at)
      expect(updatedAt).toBeGreaterThan(reward.updatedAt)
      Object.assign(reward, this.change, { updatedAt })
      expect(answer.json).toMatchObject({
        id: `rwd_${this.at}`,
        amount: reward.amount,
        status: reward.status,
      })
    } else {
      expect([answer.status, answer.json.error?.type]).toEqual([400, 'BAD_REQUEST_ERROR'])
    }
  }

  toString = () => `update ${this.at} ${JSON.stringify(this.change)}`
}

class Retrieve implements fc.AsyncCommand<Model, Real> {
  readonly at: number

  constructor(at: number) {
    this.at = at
  }

  check = () => true

  async run(model: Model, { call }: Real): Promise<void> {
    const reward = model.rewards[this.at]
    const { status, json } = await call('GET', path(this.at))
    if (reward) {
      expect([status, json.amount, json.status, json.customer_id, Date.parse(json.updated_at)]).toEqual([
        200,
        reward.amount,
        reward.status,
        reward.customer,
        reward.updatedAt,
      ])
    } else {
      expect([status, json.type]).toEqual([404, 'REWARD_NOT_FOUND_ERROR'])
    }
  }

  toString = () => `retrieve ${this.at}`
}

class Balance implements fc.AsyncCommand<Model, Real> {
  readonly customer: string

  constructor(customer: string) {
    this.customer = customer
  }

  check = () => true

  async run({ rewards, signs, opening }: Model, { call }: Real): Promise<void> {
    const { json } = await call('GET', `/v2/customers/${this.customer}/rewards_balance`)
    const own = rewards.filter(({ customer }) => customer === this.customer)
    expect(json.reward_balance).toBe(
      own.reduce(
        (sum, { status, amount }) => sum + (signs[status] ?? 0) * amount,
        opening[this.customer] ?? 0,
      ),
    )
  }

  toString = () => `balance ${this.customer}`
}

class Wait implements fc.AsyncCommand<Model, Real> {
  readonly seconds: number

  constructor(seconds: number) {
    this.seconds = seconds
  }

  check = () => true

  async run(_: Model, { advance }: Real): Promise<void> {
    advance(this.seconds)
  }

  toString = () => `wait ${this.seconds}`
}

const amount = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.constant(0))
const change: fc.Arbitrary<Change> = fc.record(
  { amount, status: fc.constantFrom(...rewardStatuses) },
  { requiredKeys: [] },
)
// One more than there ever are, so that an unknown reward is met too.
const at = fc.integer({ min: 0, max: 4 })
const commands = fc.commands<Model, Real, false>(
  [
    fc.tuple(at, change).map(([which, what]) => new Update(which, what)),
    // Most updates settle a reward; without these few would stay pending for long.
    fc.tuple(at, amount).map(([which, what]) => new Update(which, { amount: what })),
    at.map((which) => new Retrieve(which)),
    fc.constantFrom(...customers).map((customer) => new Balance(customer)),
    fc.integer({ min: 0, max: 100_000 }).map((seconds) => new Wait(seconds)),
  ],
  { maxCommands: 40 },
)
const initial = fc.record({
  opening: fc.tuple(amount, amount),
  rewards: fc.array(
    fc.record({
      customer: fc.constantFrom(...customers),
      amount,
      status: fc.oneof(fc.constant('PENDING' as const), fc.constantFrom(...rewardStatuses)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const createdAt = '2026-01-01T00:00:00.000Z'

describe('the states of a reward and the balance, against a model', () => {
  const settings = [
    [{}, rewardStatuses, { AVAILABLE: 1, DEDUCTED: -1 }],
    [{ balance_statuses: 'AVAILABLE' }, rewardStatuses, { AVAILABLE: 1 }],
    [
      { balance_statuses: 'AVAILABLE+PENDING', reward_target_statuses: 'all_but_pending' },
      rewardStatuses.filter((status) => status !== 'PENDING'),
      { AVAILABLE: 1, PENDING: 1 },
    ],
    [
      { balance_statuses: 'AVAILABLE-PENDING_DEDUCTION-DEDUCTED', reward_target_statuses: 'available_only' },
      ['AVAILABLE' as const],
      { AVAILABLE: 1, PENDING_DEDUCTION: -1, DEDUCTED: -1 },
    ],
  ] as const
  const refused = { reward_deduction_update: 'refused' }
  test.each([
    ...settings.map(([assume, ...model]) => [assume, true, ...model] as const),
    ...settings.map(([assume, ...model]) => [{ ...assume, ...refused }, false, ...model] as const),
  ])('under %j', async (assume, mayDeduct, targets, signs) => {
    const sandbox = await startSandbox({
      assume,
      fixtures: { customers: customers.map((id) => ({ id })) },
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(initial, commands, async (start, steps) => {
        const workspace = sandbox.workspace(`run_${run++}`)
        const call = callerFor(workspace, { assume })
        for (const [place, id] of customers.entries()) {
          workspace.state.patch('customers', id, { opening_balance: start.opening[place] })
        }
        for (const [place, reward] of start.rewards.entries()) {
          workspace.state.put('rewards', `rwd_${place}`, {
            customer_id: reward.customer,
            amount: reward.amount,
            status: reward.status,
            type: 'OFFER',
            created_at: createdAt,
            updated_at: createdAt,
          })
        }
        const model: Model = {
          rewards: start.rewards.map((reward) => ({ ...reward, updatedAt: Date.parse(createdAt) })),
          targets,
          mayDeduct,
          signs,
          opening: { cus_1: start.opening[0], cus_2: start.opening[1] },
        }
        const real: Real = { call, advance: (seconds) => workspace.clock.advance({ seconds }) }
        await fc.asyncModelRun(() => ({ model, real }), steps)
        // However the commands ended: everything is as the model has it.
        for (const place of model.rewards.keys()) await new Retrieve(place).run(model, real)
        for (const customer of customers) await new Balance(customer).run(model, real)
      }),
      { numRuns: samples(60), seed: 20_261_121 },
    )
  })
})
