// Reward endpoints: get the balance of a customer, retrieve a reward, update a pending reward.
import { z } from 'zod'
import { valuesOf, type Assume, type Assumptions } from '../contract/assumptions.ts'
import { documented, requiresField } from '../contract/docs.ts'
import { exactSum } from '../contract/exact-sum.ts'
import { sameNumber } from '../json/exact-number.ts'
import {
  reward,
  rewardStatus,
  rewardStatuses,
  updatableRewardStatus,
  type RewardStatus,
} from '../contract/resources/reward.ts'
import { rewardsBalance } from '../contract/resources/rewards-balance.ts'
import type { CustomerRow, Row } from '../store/rows.ts'
import { languageOf, localized } from './localized.ts'
import { changedAt } from '../store/changed-at.ts'
import { endpoint, type AnyCall, type Rules } from './define.ts'
import { amountInForce, amountRules, notZero, requestedAmount, zeroInForce } from './parameters.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

/** The sign with which a reward of each status counts in the balance, by assumption. */
export const balanceSigns: Record<Assumptions['balance_statuses'], Partial<Record<RewardStatus, 1 | -1>>> = {
  'AVAILABLE-DEDUCTED': { AVAILABLE: 1, DEDUCTED: -1 },
  AVAILABLE: { AVAILABLE: 1 },
  'AVAILABLE+PENDING': { AVAILABLE: 1, PENDING: 1 },
  'AVAILABLE+PENDING_DEDUCTION': { AVAILABLE: 1, PENDING_DEDUCTION: 1 },
  'AVAILABLE-PENDING_DEDUCTION-DEDUCTED': { AVAILABLE: 1, PENDING_DEDUCTION: -1, DEDUCTED: -1 },
}

/** Returns the exact balance of rewards. */
function balanceOf(
  opening: number,
  rewards: readonly Row<'rewards'>[],
  counting: Assumptions['balance_statuses'],
): ReturnType<typeof exactSum> {
  const signs = balanceSigns[counting]
  return exactSum([opening, ...rewards.map(({ status, amount }) => (signs[status] ?? 0) * amount)])
}

function descriptionFor(
  { preferred_language: preferred }: CustomerRow,
  { product, assume }: Pick<AnyCall, 'product' | 'assume'>,
): string {
  const { description } = product.rewards
  const english = localized(description, 'en')
  const own = localized(description, languageOf(preferred))
  if (own === english) return english
  return assume('reward_description_language') === 'english' ? english : own
}

export const retrieveRewardsBalance = endpoint({
  id: 'retrieveRewardsBalance',
  method: 'GET',
  path: '/v2/customers/{customer_id}/rewards_balance',
  summary: 'Get the current rewards balance of a customer',
  params: { customer_id: 'The id of the customer.' },
  result: rewardsBalance,
  errors: [{ type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' }],
  handler(call) {
    const { params, tx, product, values, assume, fail } = call
    const customer = visibleCustomer(call, params.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const opening = customer.opening_balance ?? 0
    const all = tx.scan('rewards', 'by_customer', customer.id)
    const ofProgram = all.filter(
      ({ currency = product.rewards.currency }) => currency === product.rewards.currency,
    )
    const [rewards, others] =
      values.balance_other_currencies === 'added' ? [all, ofProgram] : [ofProgram, all]
    const balance = balanceOf(opening, rewards, values.balance_statuses)
    if (
      ofProgram.length < all.length &&
      !sameNumber(balanceOf(opening, others, values.balance_statuses), balance)
    ) {
      assume('balance_other_currencies')
    }
    const balances = valuesOf('balance_statuses').map((other) => balanceOf(opening, rewards, other))
    if (!balances.every((other) => sameNumber(other, balance))) assume('balance_statuses')
    return {
      customer_id: customer.id,
      reward_balance: balance,
      reward_symbol: product.rewards.symbol,
      reward_description: descriptionFor(customer, call),
    }
  },
})

export const retrieveReward = endpoint({
  id: 'retrieveReward',
  method: 'GET',
  path: '/v2/rewards/{reward_id}',
  summary: 'Retrieve a reward',
  params: { reward_id: 'The id of the reward.' },
  result: reward,
  errors: [{ type: 'REWARD_NOT_FOUND_ERROR', on: 'The reward is unknown.' }],
  handler: (call) =>
    visibleRow(call, 'rewards', call.params.reward_id) ?? call.fail('REWARD_NOT_FOUND_ERROR'),
})

/** The statuses to which a pending reward may be updated, by assumption. */
export const rewardTargets: Record<Assumptions['reward_target_statuses'], readonly RewardStatus[]> = {
  all: rewardStatus.options,
  all_but_pending: rewardStatus.options.filter((status) => status !== 'PENDING'),
  available_only: ['AVAILABLE'],
}

const alwaysAllowed = rewardStatuses.filter((status) =>
  Object.values(rewardTargets).every((allowed) => allowed.includes(status)),
)

const updateRules: Rules = (body, assume, values) => {
  const violations = amountRules(body, assume, values)
  if (body['amount'] === undefined && body['status'] === undefined) {
    violations.push('body: amount or status is required')
  }
  if (body['amount'] === 0 && assume('reward_amount_zero') === 'refuse') violations.push(notZero)
  const target = rewardStatus.safeParse(body['status'])
  // The handler decides about a deduction, as it depends on the status of the reward.
  if (target.success && !completesDeduction(body)) violations.push(...targetViolation(target.data, assume))
  return violations
}

/** The violation of a status to which no pending reward may be updated. */
function targetViolation(status: RewardStatus, assume: Assume): string[] {
  if (alwaysAllowed.includes(status)) return []
  const allowed = rewardTargets[assume('reward_target_statuses')]
  return allowed.includes(status) ? [] : [`status: must be one of ${allowed.join(', ')}`]
}

/** Whether an update asks to complete a deduction: only its status, and that is DEDUCTED. */
function completesDeduction({ amount, status }: Readonly<Record<string, unknown>>): boolean {
  return status === 'DEDUCTED' && amount === undefined
}

const deductionWithAmount = {
  allOf: [requiresField('amount'), { required: ['status'], properties: { status: { const: 'DEDUCTED' } } }],
}

/** The statuses that an update can set: those of a pending reward, and the end of a deduction. */
function statusesInForce(values: Assumptions): RewardStatus[] {
  const { reward_target_statuses: targets, reward_deduction_update: deduction } = values
  return [
    ...new Set([...rewardTargets[targets], ...(deduction === 'allowed' ? (['DEDUCTED'] as const) : [])]),
  ]
}

const notPending = {
  on: 'The reward is no longer pending.',
  message: 'Only a pending reward can be updated.',
} as const

export const updateReward = endpoint({
  id: 'updateReward',
  method: 'PATCH',
  path: '/v2/rewards/{reward_id}',
  summary: 'Update the status or amount of a pending reward',
  params: { reward_id: 'The id of the reward.' },
  body: documented(
    z.object({
      amount: documented(
        requestedAmount.optional(),
        {
          description: 'The new amount in minimum units.',
          'x-assumption': ['negative_amount', 'reward_amount_zero'],
        },
        (values) => ({ ...amountInForce(values), ...zeroInForce(values.reward_amount_zero) }),
      ),
      status: documented(
        rewardStatus.optional(),
        {
          description: 'The new status; DEDUCTED alone also completes a deduction.',
          'x-assumption': ['reward_target_statuses', 'reward_deduction_update'],
        },
        (values) => ({ enum: statusesInForce(values) }),
      ),
    }),
    {
      id: 'RewardUpdate',
      description: 'The changes; at least one of the two fields is required.',
      anyOf: [requiresField('amount'), requiresField('status')],
      examples: [{ status: 'AVAILABLE' }, { amount: 1500, status: 'AVAILABLE' }],
    },
    ({ reward_target_statuses: targets }) =>
      rewardTargets[targets].includes('DEDUCTED') ? {} : { not: deductionWithAmount },
  ),
  rules: updateRules,
  statusShown: true,
  result: reward,
  errors: [
    { type: 'REWARD_NOT_FOUND_ERROR', on: 'The reward is unknown.' },
    { type: 'BAD_REQUEST_ERROR', ...notPending, when: ['reward_not_pending', 'bad_request'] },
    { type: 'CONFLICT_ERROR', ...notPending, when: ['reward_not_pending', 'conflict'] },
  ],
  // If only the amount changes, the reward remains pending.
  gives: (values) => ({ status: [...new Set([updatableRewardStatus, ...statusesInForce(values)])] }),
  handler(call) {
    const { params, body, tx, now, assume, fail, invalid } = call
    const current = visibleRow(call, 'rewards', params.reward_id) ?? fail('REWARD_NOT_FOUND_ERROR')
    const isDeduction = current.status === 'PENDING_DEDUCTION' && completesDeduction(body)
    const isDeducted = isDeduction && assume('reward_deduction_update') === 'allowed'
    if (current.status !== updatableRewardStatus && !isDeducted) {
      fail(assume('reward_not_pending') === 'bad_request' ? 'BAD_REQUEST_ERROR' : 'CONFLICT_ERROR', {
        message: notPending.message,
        outcome: 'refused',
      })
    }
    const violations = completesDeduction(body) && !isDeducted ? targetViolation('DEDUCTED', assume) : []
    if (violations.length > 0) invalid(...violations)
    const changed = {
      ...current,
      amount: body.amount ?? current.amount,
      status: body.status ?? current.status,
      updated_at: changedAt(now, current),
    }
    tx.put('rewards', changed)
    return changed
  },
})
