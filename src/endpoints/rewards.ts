// Rewards: the balance of a customer, retrieving one, updating a pending one.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { documented } from '../contract/docs.ts'
import { exactSum } from '../contract/exact-sum.ts'
import { minorUnits } from '../contract/formats.ts'
import {
  reward,
  rewardStatus,
  updatableRewardStatus,
  type RewardStatus,
} from '../contract/resources/reward.ts'
import { rewardsBalance } from '../contract/resources/rewards-balance.ts'
import { localized } from './localized.ts'
import { endpoint, type Rules } from './define.ts'
import { amountInForce, amountRules } from './parameters.ts'
import { changedAt, visibleCustomer, visibleRow } from './visible.ts'

/** What a reward of each status adds to the balance, by assumption. */
const balanceSigns: Record<Assumptions['balance_statuses'], Partial<Record<RewardStatus, 1 | -1>>> = {
  AVAILABLE: { AVAILABLE: 1 },
  'AVAILABLE+PENDING': { AVAILABLE: 1, PENDING: 1 },
  'AVAILABLE-PENDING_DEDUCTION': { AVAILABLE: 1, PENDING_DEDUCTION: -1 },
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
    const { params, tx, product, assume, fail } = call
    const customer = visibleCustomer(call, params.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const signs = balanceSigns[assume('balance_statuses')]
    const rewards = tx.scan('rewards', 'by_customer', customer.id)
    const parts = rewards.map(({ status, amount }) => (signs[status] ?? 0) * amount)
    return {
      customer_id: customer.id,
      reward_balance: exactSum([customer.opening_balance ?? 0, ...parts]),
      reward_symbol: product.rewards.symbol,
      reward_description: localized(product.rewards.description, 'en'),
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

const targets: Record<Assumptions['reward_target_statuses'], readonly RewardStatus[]> = {
  all: rewardStatus.options,
  all_but_pending: rewardStatus.options.filter((status) => status !== 'PENDING'),
  available_only: ['AVAILABLE'],
}

const updateRules: Rules = (body, assume, values) => {
  const violations = amountRules(body, assume, values)
  if (body['amount'] === undefined && body['status'] === undefined) {
    violations.push('amount or status is required')
  }
  const target = rewardStatus.safeParse(body['status'])
  if (target.success) {
    const allowed = targets[assume('reward_target_statuses')]
    if (!allowed.includes(target.data)) violations.push(`status must be one of ${allowed.join(', ')}`)
  }
  return violations
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
        minorUnits.optional(),
        { description: 'The new amount in minimum units.', 'x-assumption': 'negative_amount' },
        amountInForce,
      ),
      status: documented(
        rewardStatus.optional(),
        { description: 'The new status.', 'x-assumption': 'reward_target_statuses' },
        ({ reward_target_statuses }) => ({ enum: targets[reward_target_statuses] }),
      ),
    }),
    {
      id: 'RewardUpdate',
      description: 'What is to change; at least one of the two.',
      anyOf: [{ required: ['amount'] }, { required: ['status'] }],
      examples: [{ status: 'AVAILABLE' }, { amount: 1500, status: 'AVAILABLE' }],
    },
  ),
  rules: updateRules,
  statusShown: true,
  result: reward,
  errors: [
    { type: 'REWARD_NOT_FOUND_ERROR', on: 'The reward is unknown.' },
    { type: 'BAD_REQUEST_ERROR', ...notPending, when: ['reward_not_pending', 'bad_request'] },
    { type: 'CONFLICT_ERROR', ...notPending, when: ['reward_not_pending', 'conflict'] },
  ],
  // One of which only the amount changes stays as it is.
  gives: ({ reward_target_statuses }) => ({
    status: [...new Set([updatableRewardStatus, ...targets[reward_target_statuses]])],
  }),
  handler(call) {
    const { params, body, tx, now, assume, fail } = call
    const current = visibleRow(call, 'rewards', params.reward_id) ?? fail('REWARD_NOT_FOUND_ERROR')
    if (current.status !== updatableRewardStatus) {
      fail(assume('reward_not_pending') === 'bad_request' ? 'BAD_REQUEST_ERROR' : 'CONFLICT_ERROR', {
        message: notPending.message,
        outcome: 'refused',
      })
    }
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
