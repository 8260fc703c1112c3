// Assumptions about request bodies, queries, headers and optional fields: open questions of the contract.
import { entry } from './assumption-entry.ts'

export const aboutRequests = {
  malformed_json_shape: entry({
    question: 'Which error shape answers a body that is not JSON?',
    section: 'Errors',
    values: ['B', 'A'],
    effect:
      '`B` names no field, as there is none; `A` is the validation shape with one detail. listPaymentMethods always answers in shape A.',
  }),
  unsupported_media_type: entry({
    question: 'How is a body answered that is not declared as JSON in UTF-8?',
    section: 'Conventions',
    values: [415, 400, 'accept'],
    effect:
      'The status of that answer; `accept` reads the body as JSON whatever its type says. Compressed bodies are refused in any case.',
  }),
  unknown_body_fields: entry({
    question: 'What happens to body fields that an operation does not know?',
    section: 'Versioning 6',
    values: ['ignore', 'refuse'],
    effect: '`ignore` neither uses nor stores them; `refuse` makes each a validation error.',
  }),
  unknown_query_parameters: entry({
    question: 'What happens to query parameters that an operation does not know?',
    section: 'Versioning 6',
    values: ['ignore', 'refuse'],
    effect: '`ignore` does not use them; `refuse` makes each a validation error.',
  }),
  null_request_fields: entry({
    question: 'What does null mean in an optional field of a request?',
    section: 'Endpoints',
    values: ['absent', 'refuse'],
    effect:
      '`absent` reads it as if the field were omitted; `refuse` makes it a validation error. Values of metadata are free either way.',
  }),
  idempotency_key: entry({
    question: 'What does an Idempotency-Key header do?',
    section: 'Endpoints',
    values: ['ignored', 'refused'],
    effect:
      '`ignored` creates a second intent for a repeated call; `refused` answers any POST that has the header with 400.',
  }),
} as const
