// A customer (contract: Customer), who is a cardholder or an applicant, and the authorized users.
import { z } from 'zod'
import { documented, exampleOf } from '../docs.ts'
import { dateParts, id, metadata, partnerCustomerId, timestamp } from '../formats.ts'
import { address } from './address.ts'

const authorizedUser = z.strictObject({
  authorized_user_id: id,
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  email: z.string().optional(),
  phone: z.string().optional(),
  date_of_birth: dateParts.optional(),
  postal_code: z.string().optional(),
  payment_method_id: id.optional(),
  status: documented(
    z
      .string()
      .regex(/^[^A-Z]*$/, 'must be in lower case, such as active')
      .optional(),
    { description: 'In lower case, such as active.' },
  ),
})

export const customer = documented(
  z.strictObject({
    id,
    email: z.string().optional(),
    phone: z.string().optional(),
    statuses: documented(z.record(z.string(), z.string()).optional(), {
      description:
        "The status of the customer in each card program, such as OPEN or CLOSED, by the program's name.",
    }),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    preferred_language: z.string().optional(),
    ssn4: z
      .string()
      .regex(/^\d{4}$/, 'must be 4 digits')
      .optional(),
    date_of_birth: dateParts.optional(),
    address: address.optional(),
    partner_customer_id: partnerCustomerId.optional(),
    metadata: metadata.optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    authorized_users: documented(z.array(authorizedUser).optional(), {
      description: 'Omitted if the key lacks the scope.',
      'x-requires-scope': 'AUTHORIZED_USER_READ',
    }),
  }),
  {
    id: 'Customer',
    description: 'A customer of the card program.',
    'x-assumption': 'customer_fields',
    examples: [
      {
        id: 'cus_ada',
        email: 'ada.okafor@example.com',
        phone: '+13035550142',
        statuses: { 'Summit Rewards Card': 'OPEN' },
        first_name: 'Ada',
        last_name: 'Okafor',
        preferred_language: 'en',
        ssn4: '4821',
        date_of_birth: { year: 1988, month: 4, day: 17 },
        address: exampleOf(address),
        partner_customer_id: 'partner-ada',
        metadata: { segment: 'gold' },
        created_at: '2025-03-02T15:04:05.000Z',
        updated_at: '2026-11-20T09:30:00.000Z',
        authorized_users: [
          {
            authorized_user_id: 'aus_ada_1',
            first_name: 'Chidi',
            last_name: 'Okafor',
            email: 'chidi.okafor@example.com',
            phone: '+13035550143',
            date_of_birth: { year: 1990, month: 9, day: 3 },
            postal_code: '80202',
            payment_method_id: 'pm_ada_card',
            status: 'active',
          },
        ],
      },
    ],
  },
  ({ customer_fields }) => ({
    required:
      customer_fields === 'id_only' ? [] : ['email', 'statuses', 'first_name', 'last_name', 'created_at'],
  }),
)
