// An offer of the card to a customer (assumption `unlisted_operations`; contract: "What the service does").
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id } from '../formats.ts'

/** The texts of an offer that no document has. */
export const offerTitle = 'A card with rewards'
export const offerDescription = 'Rewards for every purchase, without an annual fee.'

export const offer = documented(
  z.strictObject({ id, is_prescreened: z.boolean(), title: z.string(), description: z.string() }),
  {
    id: 'Offer',
    description: 'An offer of the card to a customer.',
    'x-assumption': 'unlisted_operations',
    examples: [
      {
        id: 'offer_cus_ada',
        is_prescreened: true,
        title: 'Summit Rewards Card',
        description: 'You are preselected for the Summit Rewards Card.',
      },
    ],
  },
)
