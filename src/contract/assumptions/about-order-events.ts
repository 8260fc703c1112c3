// Assumptions about order events: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutOrderEvents = {
  delete_order_event_status: entry({
    question: 'Which status answers a deleted order event?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: [204, 200, 202],
    effect: 'The status of a successful deletion; 200 and 202 come with an empty JSON object.',
  }),
  delete_missing_order_event: entry({
    question: 'How is the deletion of an order event answered that does not exist?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: ['bad_request', 'not_found', 'no_content'],
    effect:
      '`bad_request` is the one error the contract documents there; `not_found` is 404 in shape B; `no_content` answers like a success.',
  }),
  order_event_fields: undecidable({
    question: 'Which fields does an order event have?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: ['never_served'],
    effect: 'Order events can be deleted; no operation shows them.',
    unobservable: 'No operation of the contract returns an order event.',
  }),
} as const
