// Assumptions about the service as a whole: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutService = {
  unlisted_operations: undecidable({
    question: 'How are operations of the service answered that the contract does not list?',
    section: 'What the service does',
    values: ['not_served'],
    effect: 'They are unknown routes, as the contract shows nothing about them.',
    unobservable: 'An operation without a name has no path to request.',
  }),
  webhook_events: undecidable({
    question: 'Which webhook events exist, and how are they delivered and signed?',
    section: 'Events',
    values: ['not_served', 'standard', 'thin', 'timestamped_hmac', 'body_hmac', 'described'],
    describedBy: { described: 'webhooks' },
    effect: 'No event is sent: the contract does not show kinds, payloads, delivery, retries or signing.',
    unobservable: 'Events go to an address of the partner, and no answer to a request shows them.',
  }),
  rate_limits: undecidable({
    question: 'Which rate limits and quotas apply?',
    section: 'Limits',
    values: ['none'],
    effect: 'No call is refused for its rate; a scenario can answer 429 on demand.',
    unobservable:
      'A limit shows only when it is exceeded, and calibrate waits for a service that answers 429.',
  }),
  version_differences: undecidable({
    question: 'What differs between the versions 2025-05-05, 2026-10-13 and latest?',
    section: 'Versioning 1',
    values: ['none'],
    effect:
      'Every version answers alike, as the contract shows no difference between them; only `x-service-version` tells them apart. Tests that pass under one version here do not show that an upgrade is safe.',
    unobservable: 'Equal answers in two versions do not show that all other answers are equal.',
  }),
  product_isolation: entry({
    question: 'How is a call answered that names a row of another product?',
    section: 'Authentication 9',
    values: ['as_if_missing'],
    effect: 'Exactly as if the row did not exist: a product cannot see the rows of others.',
  }),
} as const
