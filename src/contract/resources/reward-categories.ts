import { z } from 'zod'
import { documented } from '../docs.ts'
import { decimalString, rewardCurrency } from '../formats.ts'

const rewardCategory = documented(
  z.strictObject({
    name: z.string(),
    description: z.string(),
    earn_rate: documented(decimalString.clone(), {
      description:
        'Reward units earned for one unit of the transaction currency; its decimals are those of the configured precision.',
    }),
    type: documented(z.string(), { 'x-assumption': 'category_types' }),
    merchants: z.array(z.string()),
  }),
  { id: 'RewardCategory', description: 'A category in which transactions earn rewards.' },
)

const specialRewardCategory = documented(
  z.strictObject({
    name: z.string(),
    description: z.string(),
    type: documented(z.string(), { 'x-assumption': 'category_types' }),
  }),
  { id: 'SpecialRewardCategory', description: 'A category that is not earned by transactions.' },
)

/** How the product earns rewards now (contract: Reward categories response). */
export const rewardCategories = documented(
  z.strictObject({
    currency: rewardCurrency,
    categories: documented(z.array(rewardCategory), { description: 'In display order.' }),
    special_categories: z.array(specialRewardCategory),
  }),
  { id: 'RewardCategories', description: 'The reward categories and earn rates of a product.' },
)

export type RewardCategory = z.infer<typeof rewardCategory>
export type SpecialRewardCategory = z.infer<typeof specialRewardCategory>
export type RewardCategories = z.infer<typeof rewardCategories>
