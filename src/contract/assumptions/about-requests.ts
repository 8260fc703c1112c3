// Assumptions about request bodies, queries, headers and optional fields: open questions of the contract.
import { entry, numeric, undecidable } from './assumption-entry.ts'

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
  body_max_bytes: numeric({
    question: 'How large may a request body be?',
    section: 'Limits',
    values: [1_048_576, 65_536],
    range: [1024, 16_777_216],
    effect: 'A larger body is answered 413.',
  }),
  body_max_depth: numeric({
    question: 'How deeply may a request body be nested?',
    section: 'Limits',
    values: [64, 16],
    range: [4, 1000],
    effect: 'A deeper body is refused with 400 in shape B. listPaymentMethods always answers in shape A.',
  }),
  metadata_max_depth: numeric({
    question: 'How deeply may metadata be nested?',
    section: 'Conventions',
    values: [32, 8],
    range: [1, 64],
    effect: 'Deeper metadata is a validation error.',
  }),
  metadata_max_bytes: numeric({
    question: 'How large may metadata be, as compact JSON?',
    section: 'Conventions',
    values: [16_384, 4096],
    range: [64, 1_048_576],
    effect: 'Larger metadata is a validation error.',
  }),
  accept_header: entry({
    question: 'What does the Accept header of a request change?',
    section: 'Conventions',
    values: ['ignored'],
    effect: 'Nothing: every answer with a body is JSON, whatever the request accepts.',
  }),
  bodies_of_get_and_delete: undecidable({
    question: 'What happens to the body of a GET or DELETE?',
    section: 'Conventions',
    values: ['ignored'],
    effect: 'It is not read, and changes no answer.',
    unobservable: 'Clients such as fetch send no body with a GET, so calibrate cannot send one.',
  }),
  json_byte_order_mark: entry({
    question: 'May a body start with a byte order mark?',
    section: 'Conventions',
    values: ['accepted', 'refused'],
    effect: '`refused` answers such a body as malformed JSON.',
  }),
  duplicate_json_keys: entry({
    question: 'What does a duplicate key in a JSON object mean?',
    section: 'Conventions',
    values: ['last_wins', 'refused'],
    effect: '`refused` answers such a body as malformed JSON.',
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
  empty_optional_fields: entry({
    question: 'How does an answer show an optional field that has no value?',
    section: 'Resources and their fields',
    values: ['absent', 'null'],
    effect:
      '`absent` omits it; `null` shows it as null. Fields that need a missing scope, belong to another kind of payment method or name a missing next page are omitted either way.',
  }),
  string_bounds: undecidable({
    question: 'How long may strings and ids be?',
    section: 'Limits',
    values: ['ids_of_rows_up_to_200_characters'],
    effect:
      'Ids of rows have 1 to 200 characters without control characters; other strings are bounded by the body or the request line only.',
    unobservable:
      'The service creates the ids, so calibrate cannot choose their length; an id that is too long is unknown like any other.',
  }),
  repeated_query_parameter: entry({
    question: 'What does a query parameter mean that is sent twice?',
    section: 'Endpoints',
    values: ['refuse', 'first', 'last'],
    effect: '`refuse` makes it a validation error; the others pick one value.',
  }),
  idempotency_key: entry({
    question: 'What does an Idempotency-Key header do?',
    section: 'Endpoints',
    values: ['ignored', 'refused'],
    effect:
      '`ignored` creates a second intent for a repeated call; `refused` answers any POST that has the header with 400.',
  }),
} as const
