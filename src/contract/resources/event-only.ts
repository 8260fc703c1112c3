// The data of events about which no operation answers: an application, and a streak. No row causes them, so an event of
// them has the example, with fields of the caller.
import { z } from 'zod'
import { documented } from '../docs.ts'
import { id, integer, metadata, timestamp } from '../formats.ts'

const at = '2026-11-20T09:30:00.000Z'

/** The decision about an application. */
export const application = documented(
  z.strictObject({
    customer_id: id,
    status: z.enum(['OFFER_ACCEPTED', 'REJECTED']),
    created_at: timestamp,
    updated_at: timestamp.optional(),
  }),
  {
    id: 'ApplicationEvent',
    description: 'A decision about the application of a customer.',
    'x-assumption': 'webhook_events',
    examples: [{ customer_id: 'cus_ada', status: 'OFFER_ACCEPTED', created_at: at, updated_at: at }],
  },
)

/** The progress of a customer in a streak of periods. */
export const streak = documented(
  z.strictObject({
    customer_id: id,
    streak_id: id,
    streak_config_id: id,
    event: z.enum(['ENROLLED', 'PERIOD_COMPLETED', 'STREAK_COMPLETED', 'STREAK_FAILED']),
    status: z.enum(['IN_PROGRESS', 'COMPLETED', 'FAILED']),
    period_type: documented(z.string(), { description: 'Such as STATEMENT.' }),
    current_period: documented(integer.clone(), { description: 'Counts from 1.' }),
    completed_periods: integer,
    total_periods: integer,
    current_period_start_at: timestamp.optional(),
    current_period_end_at: timestamp.optional(),
    benefits: documented(z.array(metadata), { description: 'Filled when the streak is completed.' }),
    created_at: timestamp,
    metadata: metadata.optional(),
  }),
  {
    id: 'StreakEvent',
    description: 'The progress of a customer in a streak of periods.',
    'x-assumption': 'webhook_events',
    examples: [
      {
        customer_id: 'cus_ada',
        streak_id: 'str_4fz8t1vw6n3r',
        streak_config_id: 'stc_autumn',
        event: 'PERIOD_COMPLETED',
        status: 'IN_PROGRESS',
        period_type: 'STATEMENT',
        current_period: 2,
        completed_periods: 1,
        total_periods: 3,
        current_period_start_at: '2026-11-01T00:00:00.000Z',
        current_period_end_at: '2026-12-01T00:00:00.000Z',
        benefits: [],
        created_at: at,
        metadata: { campaign: 'autumn' },
      },
    ],
  },
)
