// The rewards balance: the current sum of a customer's rewards (contract: Rewards balance).
import { z } from 'zod'
import type { Assumptions } from '../assumptions.ts'
import { documented } from '../docs.ts'
import { id, sumOfAmounts } from '../formats.ts'

/** The currencies that the sum includes, in words. */
const ofProgram: Record<Assumptions['balance_other_currencies'], string> = {
  added: '',
  left_out: ', without those in another currency than that of the program',
}

export const rewardsBalance = documented(
  z.strictObject({
    customer_id: id,
    reward_balance: documented(
      sumOfAmounts,
      {
        type: 'integer',
        description: "The customer's current rewards balance.",
        'x-assumption': ['balance_statuses', 'balance_other_currencies'],
      },
      ({ balance_statuses, balance_other_currencies }) => ({
        description: `The customer's current rewards balance: the sum of rewards by status, ${balance_statuses}${ofProgram[balance_other_currencies]}.`,
      }),
    ),
    reward_symbol: documented(z.string(), {
      description: 'A currency symbol, or a unit word such as points.',
    }),
    reward_description: documented(z.string(), {
      description: 'Text that can be shown to the customer.',
      'x-assumption': 'reward_description_language',
    }),
  }),
  {
    id: 'RewardsBalance',
    description: 'The current rewards balance of a customer.',
    examples: [
      {
        customer_id: 'cus_ada',
        reward_balance: 18400,
        reward_symbol: 'points',
        reward_description: '1 point for every dollar you spend, 3 points on travel.',
      },
    ],
  },
)
