// A postal address of a customer or a merchant (contract: Address).
import { z } from 'zod'
import { documented } from '../docs.ts'

export const address = documented(
  z.strictObject({
    street_line1: z.string().optional(),
    street_line2: z.string().optional(),
    city: z.string().optional(),
    state: z.string().optional(),
    postal_code: z.string().optional(),
    country: documented(z.string().optional(), { description: 'Three letters of ISO 3166-1, such as USA.' }),
  }),
  {
    id: 'Address',
    description: 'A postal address; every part is optional.',
    examples: [
      {
        street_line1: '12 Analytical Way',
        street_line2: 'Apt 4',
        city: 'Denver',
        state: 'CO',
        postal_code: '80202',
        country: 'USA',
      },
    ],
  },
)
