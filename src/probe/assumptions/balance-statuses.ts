// Probes which rewards a balance adds up: by its change when rewards change, or by its value if no change decides.
import { retrieveReward, retrieveRewardsBalance, balanceSigns } from '../../endpoints/rewards.ts'
import { pathTo } from '../path-to.ts'
import { valuesOf, type AssumptionValue } from '../../contract/assumptions.ts'
import { rewardStatus, updatableRewardStatus, type RewardStatus } from '../../contract/resources/reward.ts'
import { fieldOf, isViolation, isSuccess, unlike } from '../answers.ts'
import { briefly } from '../error-shape.ts'
import { cannotTell, other, value, type ProbeContext, type Probe, type Step } from '../probe.ts'
import { found } from '../target.ts'
import { readReward, updateReward } from './reward-steps.ts'

type Counting = AssumptionValue<'balance_statuses'>

/** The new status of each expendable reward. */
const moves = ['AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'] as const
const [available, deduction, deducted] = moves

interface SeenReward {
  customer: string
  amount: number
  status: RewardStatus
}

/** A reward as it was read before any change. */
function rewardIn(context: ProbeContext, step: string): SeenReward | undefined {
  const answer = context.answer(step)
  const [customer, amount] = [fieldOf(answer, 'customer_id'), fieldOf(answer, 'amount')]
  const status = rewardStatus.safeParse(fieldOf(answer, 'status'))
  if (typeof customer !== 'string' || typeof amount !== 'number' || !status.success) return undefined
  return { customer, amount, status: status.data }
}

/** Such a reward, if it can be changed and its balance shows that. */
function movable(context: ProbeContext, move: string): SeenReward | undefined {
  const reward = rewardIn(context, `reward for ${move}`)
  return reward?.status === updatableRewardStatus && reward.amount !== 0 ? reward : undefined
}

/** The balance of the customer of a reward. */
function balance(name: string, rewardOf: (context: ProbeContext) => SeenReward | undefined): Step {
  return {
    name,
    risk: 'read',
    method: 'GET',
    path: () => pathTo(retrieveRewardsBalance),
    request(context) {
      const reward = rewardOf(context)
      return reward && { path: pathTo(retrieveRewardsBalance, { customer_id: reward.customer }) }
    },
  }
}

function balanceIn(context: ProbeContext, step: string): number | undefined {
  const amount = fieldOf(context.answer(step), 'reward_balance')
  return typeof amount === 'number' ? amount : undefined
}

/** Whether an update cannot create deductions, so that only existing ones can show their effect. */
const deductionsRefused = (context: ProbeContext): boolean => isViolation(context.answer(deduction))

/** The reward whose amount is changed while it is pending. */
const resized = (context: ProbeContext): SeenReward | undefined =>
  deductionsRefused(context) ? movable(context, deduction) : undefined

/** The observed balance, and the expected one under each value. */
interface Sight {
  what: string
  seen: number
  expected(signs: (typeof balanceSigns)[Counting]): number
}

function sightsOf(context: ProbeContext): Sight[] {
  const changes = [
    ...moves.map((move) => ({
      step: move,
      what: `making a pending reward ${move}`,
      expected: (signs: Parameters<Sight['expected']>[0]) =>
        ((signs[move] ?? 0) - (signs.PENDING ?? 0)) * (movable(context, move)?.amount ?? 0),
    })),
    {
      step: 'amount',
      what: 'adding 1 to a pending reward',
      expected: (signs: Parameters<Sight['expected']>[0]) => signs.PENDING ?? 0,
    },
  ]
  return changes.flatMap(({ step, ...sight }) => {
    const [before, after] = [balanceIn(context, `before ${step}`), balanceIn(context, `after ${step}`)]
    if (!isSuccess(context.answer(step)) || before === undefined || after === undefined) return []
    return [{ ...sight, seen: after - before }]
  })
}

/** Rewards that a target names, which are read if no update can create deductions. */
const knownRewards = ['reward', 'deducted_reward'] as const

/** The values under which a customer without other rewards would have the observed balance. */
function byKnownRewards(context: ProbeContext, candidates: readonly Counting[]): Counting[] {
  const moved = movable(context, available)
  const seen = balanceIn(context, `after ${available}`)
  const known = knownRewards
    .flatMap((name) => rewardIn(context, name) ?? [])
    .filter(({ customer }) => customer === moved?.customer)
  if (!moved || known.length === 0) return []
  return candidates.filter((one) => {
    const signs = balanceSigns[one]
    const own = (signs[available] ?? 0) * moved.amount
    return seen === known.reduce((sum, { status, amount }) => sum + (signs[status] ?? 0) * amount, own)
  })
}

export const balanceProbe: Probe<Counting> = {
  id: 'balance_statuses',
  needs: [],
  uses: { pending_rewards: moves.length },
  steps: [
    ...moves.flatMap((move, row) => [
      readReward(`reward for ${move}`, row),
      balance(`before ${move}`, (context) => movable(context, move)),
      updateReward(move, row, (context) =>
        balanceIn(context, `before ${move}`) === undefined ? undefined : { status: move },
      ),
      balance(`after ${move}`, (context) => movable(context, move)),
    ]),
    balance('before amount', resized),
    updateReward('amount', moves.indexOf(deduction), (context) => {
      const reward = resized(context)
      return reward && { amount: reward.amount + 1 }
    }),
    balance('after amount', resized),
    ...knownRewards.map((name): Step => ({
      name,
      risk: 'read',
      method: 'GET',
      path: ({ target }) => pathTo(retrieveReward, { reward_id: found(target, `ids.${name}`) }),
      request: (context) =>
        found(context.target, `ids.${name}`) !== undefined && deductionsRefused(context) ? {} : undefined,
    })),
  ],
  read(context) {
    const first = context.answer(available)
    if (!movable(context, available) || !first) {
      return cannotTell(
        'an expendable reward is not pending, or has no amount',
        `expendable.pending_rewards that are ${updatableRewardStatus} and have amounts`,
      )
    }
    if (!isSuccess(first)) return unlike(first)
    const sights = sightsOf(context)
    const candidates = valuesOf('balance_statuses').filter((one) =>
      sights.every(({ seen, expected }) => seen === expected(balanceSigns[one])),
    )
    const [counting, another] = candidates
    if (!counting) {
      return other(sights.map(({ what, seen }) => `${what} moves the balance by ${seen}`).join(', '))
    }
    // A balance that never changes may be delayed.
    if (!another && sights.some(({ seen }) => seen !== 0)) return value(counting)
    const [known, alsoKnown] = byKnownRewards(context, candidates)
    if (known && !alsoKnown) return value(known)
    const second = context.answer(deduction)
    return cannotTell(
      second && !isSuccess(second)
        ? `no reward could be made ${deduction}: it was answered ${briefly(second)}`
        : 'the balance change does not identify a value',
      `an ids.reward that is ${deduction} and an ids.deducted_reward that is ${deducted}, of a customer with expendable.pending_rewards and no other rewards`,
    )
  },
}
