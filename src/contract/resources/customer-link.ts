// The link of a customer to the partner's identifier (contract: POST /v2/customers/{customer_id}/link; the shape is an
// assumption).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id, metadata, partnerCustomerId, timestamp } from '../formats.ts'

/** The status of a link that a call makes. */
export const activeLink = 'ACTIVE'

export const customerLink = documented(
  z.strictObject({
    customer_id: id,
    partner_customer_id: partnerCustomerId,
    status: documented(z.string(), { description: 'Such as ACTIVE or INACTIVE.' }),
    created_at: timestamp,
    updated_at: timestamp.optional(),
    metadata: metadata.optional(),
  }),
  {
    id: 'CustomerLink',
    description: "The link of a customer to the partner's identifier.",
    'x-assumption': 'link_response',
    examples: [
      {
        customer_id: 'cus_ben',
        partner_customer_id: 'partner-ben',
        status: 'ACTIVE',
        created_at: '2026-11-20T09:30:00.000Z',
        metadata: { source: 'app' },
      },
    ],
  },
)
