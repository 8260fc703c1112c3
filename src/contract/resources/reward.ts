// A reward that a customer earned, or is about to earn or lose (contract: Reward).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id, metadata, minorUnits, rewardCurrency, timestamp } from '../formats.ts'

/** The states of a reward (contract: Reward status). */
export const rewardStatuses = ['PENDING', 'AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'] as const
export const rewardStatus = z.enum(rewardStatuses)
export type RewardStatus = z.infer<typeof rewardStatus>

/** The only state with a transition in the contract: only a pending reward can be updated. */
export const updatableRewardStatus: RewardStatus = 'PENDING'

export const rewardTypes = ['OFFER', 'TRANSACTION', 'ONE_TIME', 'STATEMENT', 'REFERRAL'] as const

/**
 * When the rewards of a program become available: immediately, each or in one sum when the cycle closes, or after a delay.
 */
export const accruals = ['instant', 'statement', 'statement_aggregated', 'delayed'] as const
export type Accrual = (typeof accruals)[number]

export const reward = documented(
  z.strictObject({
    id,
    customer_id: id,
    transaction_event_id: documented(id.optional(), {
      description: 'The transaction that generated the reward, if one did.',
    }),
    amount: minorUnits,
    type: z.enum(rewardTypes),
    currency: rewardCurrency.optional(),
    status: rewardStatus,
    created_at: timestamp,
    updated_at: timestamp.optional(),
    metadata: metadata.optional(),
  }),
  {
    id: 'Reward',
    description: 'A reward of a customer. Only a pending one can be updated.',
    examples: [
      {
        id: 'rwd_ada_pending',
        customer_id: 'cus_ada',
        transaction_event_id: 'txe_ada_4821',
        amount: 1250,
        type: 'TRANSACTION',
        currency: 'POINTS',
        status: 'PENDING',
        created_at: '2026-11-14T16:20:00.000Z',
        updated_at: '2026-11-14T16:20:00.000Z',
        metadata: { campaign: 'autumn' },
      },
    ],
  },
)
