// Assumptions about the service as a whole: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutService = {
  unlisted_operations: undecidable({
    question: 'What about operations of the service that the contract does not list?',
    section: 'What the service does',
    values: ['not_served'],
    effect: 'They are unknown routes here: nothing about them is shown, so nothing is invented.',
    unobservable: 'An operation that nobody has named has no path to ask for.',
  }),
  webhook_events: undecidable({
    question: 'Which webhook events exist, and how are they delivered and signed?',
    section: 'Events',
    values: ['not_served'],
    effect: 'No event is sent: kinds, payloads, delivery, retries and signing are not shown.',
    unobservable: 'Events go to an address of the partner, and no answer to a request shows them.',
  }),
  rate_limits: undecidable({
    question: 'Which rate limits and quotas apply?',
    section: 'Limits',
    values: ['none'],
    effect: 'No call is refused for its rate; a scenario can answer 429 on demand.',
    unobservable: 'A limit shows only by exceeding it, and a service that says 429 is waited for.',
  }),
  read_status: entry({
    question: 'Which status does a successful read answer with?',
    section: 'Endpoints',
    values: [200],
    effect:
      'Every read, every list, the search and the link answer 200. Answers do not name it: it would stand on all of them.',
  }),
  version_differences: undecidable({
    question: 'What differs between the versions 2025-05-05, 2026-10-13 and latest?',
    section: 'Versioning 1',
    values: ['none'],
    effect:
      'Every version answers alike, as the contract shows no difference between them; only `x-service-version` tells them apart. Tests that pass under one version here do not show that an upgrade is safe.',
    unobservable: 'Answers that are alike in two versions do not show that all others are.',
  }),
  order_of_refusals: entry({
    question: 'Which refusal answers a call that several would fit?',
    section: 'Errors',
    values: ['key_version_route_product_scope_body_rows'],
    effect:
      'The first of these: the key, the version, path and method, the product, the scope, headers and body, rows. So ids cannot be probed without the scope, and a call without a usable key learns nothing.',
  }),
  product_isolation: entry({
    question: 'What answers a call that names a row of another product?',
    section: 'Authentication 9',
    values: ['as_if_missing'],
    effect: 'The bytes of a row that does not exist: a product sees nothing of the others.',
  }),
} as const
