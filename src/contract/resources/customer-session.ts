// A session in which a customer applies in the service's own pages (assumption `unlisted_operations`; contract: What
// the service does).
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id, metadata, timestamp } from '../formats.ts'

/** How long a session can be opened, in ms; documentation does not say. */
export const sessionLifetime = 30 * 60_000

/** The partner's texts about a customer, by key. */
export const customerMetadata = documented(z.record(z.string(), z.string('must be a text')), {
  description: 'Texts about the customer, by key.',
})

export const customerSession = documented(
  z.strictObject({
    id,
    client_secret: documented(z.string(), {
      description: 'Opens the session in a browser, once. Do not log it.',
    }),
    expires_at: timestamp,
    metadata: metadata.optional(),
    customer_metadata: customerMetadata.optional(),
    source: z.string().optional(),
  }),
  {
    id: 'CustomerSession',
    description: "A session in which a customer applies in the service's own pages.",
    'x-assumption': 'unlisted_operations',
    examples: [
      {
        id: 'ses_7m2q9xkd',
        client_secret: 'secret_9hj5c2ybq7pa',
        expires_at: '2026-11-20T10:00:00.000Z',
        customer_metadata: { segment: 'gold' },
        source: 'checkout',
      },
    ],
  },
)
