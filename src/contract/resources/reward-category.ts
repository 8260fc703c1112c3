// Reward categories and earn rates: how a product currently earns rewards (contract: Reward categories response).
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
    type: z.string(),
    merchants: documented(z.array(z.string()), {
      description: 'The names of the merchants in the category.',
    }),
  }),
  { id: 'RewardCategory', description: 'A category in which transactions earn rewards.' },
)

const specialRewardCategory = documented(
  z.strictObject({
    name: z.string(),
    description: z.string(),
    type: z.string(),
  }),
  { id: 'SpecialRewardCategory', description: 'A category that is not earned by transactions.' },
)

export const rewardCategories = documented(
  z.strictObject({
    currency: rewardCurrency,
    categories: documented(z.array(rewardCategory), { description: 'In display order.' }),
    special_categories: documented(z.array(specialRewardCategory), {
      description: 'Active categories that no transaction earns, such as a signup bonus.',
    }),
  }),
  {
    id: 'RewardCategories',
    description: 'The reward categories and earn rates of a product.',
    examples: [
      {
        currency: 'POINTS',
        categories: [
          {
            name: 'Travel',
            description: '3 points per dollar on flights and hotels.',
            earn_rate: '3.00',
            type: 'MERCHANT',
            merchants: ['Skyline Air', 'Harborview Hotels'],
          },
          {
            name: 'Everything else',
            description: '1 point per dollar on all other purchases.',
            earn_rate: '1.00',
            type: 'BASE',
            merchants: [],
          },
        ],
        special_categories: [
          {
            name: 'Welcome bonus',
            description: '20,000 points after the first purchase.',
            type: 'SIGNUP_BONUS',
          },
        ],
      },
    ],
  },
)
