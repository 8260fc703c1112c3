// The assumptions that many partners meet.
import { entry, numeric, undecidable } from './assumption-entry.ts'

export const metOften = {
  link_conflict_status: entry({
    documented: true,
    question: 'Which status answers a partner identifier that another customer holds?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: [409, 400, 422],
    effect: 'The status of that answer; its body is shape B and nothing is changed.',
  }),
  link_conflict_type: entry({
    documented: true,
    question: 'Which error type answers a link that conflicts with another one?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['CUSTOMER_ALREADY_LINKED', 'CONFLICT_ERROR'],
    effect:
      'The type of an identifier that another customer holds, and of a customer who has another one. `CUSTOMER_ALREADY_LINKED` shows the link of the customer, if there is one, as `existing_link`.',
  }),
  intent_required_fields: entry({
    documented: true,
    question: 'Which fields must a new transaction intent have?',
    section: 'POST /v2/transaction_intents',
    values: ['customer_amount_currency', 'with_payment_method', 'with_payment_method_and_network_id'],
    effect:
      'The default asks for customer_id, amount and currency; the alternatives also for payment_method_id and network_transaction_id.',
  }),
  customers_without_filter: entry({
    documented: true,
    question: 'How is a customer search without partner_customer_id answered?',
    section: 'GET /v2/customers',
    values: ['all', 'bad_request'],
    effect:
      '`all` lists every customer of the product; `bad_request` makes a search without partner_customer_id a validation error.',
  }),
  unknown_body_fields: entry({
    question: 'What happens to body fields that an operation does not know?',
    section: 'Versioning 6',
    values: ['ignore', 'refuse'],
    effect: '`ignore` neither uses nor stores them; `refuse` makes each a validation error.',
  }),
  null_request_fields: entry({
    question: 'What does null mean in an optional field of a request?',
    section: 'Endpoints',
    values: ['absent', 'refuse'],
    effect:
      '`absent` reads it as if the field were omitted; `refuse` makes it a validation error. Values of metadata are free either way.',
  }),
  unknown_query_parameters: entry({
    question: 'What happens to query parameters that an operation does not know?',
    section: 'Versioning 6',
    values: ['ignore', 'refuse'],
    effect: '`ignore` does not use them; `refuse` makes each a validation error.',
  }),
  version_differences: undecidable({
    question: 'What differs between the versions 2025-05-05, 2026-10-13 and latest?',
    section: 'Versioning 1',
    values: ['none'],
    effect:
      'Every version answers alike, as the contract shows no difference between them; only `x-service-version` tells them apart. Tests that pass under one version here do not show that an upgrade is safe.',
    unobservable: 'Equal answers in two versions do not show that all other answers are equal.',
  }),
  rate_limits: undecidable({
    question: 'Which rate limits and quotas apply?',
    section: 'Limits',
    values: ['none'],
    effect: 'No call is refused for its rate; a scenario can answer 429 on demand.',
    unobservable:
      'A limit shows only when it is exceeded, and calibrate waits for a service that answers 429.',
  }),
  intent_transitions: undecidable({
    question: 'When does a transaction intent change its status?',
    section: 'Transaction intent status',
    values: ['never'],
    effect:
      'A created intent is CONFIRMED and stays so, unless an operation outside the contract updates it; other statuses come from state documents.',
    unobservable:
      'The contract does not show what changes the status of an intent, so no wait is long enough.',
  }),
  payment_method_fields: undecidable({
    documented: true,
    question: 'Which fields of card, bank_account and loan are always present?',
    section: 'Payment method',
    values: ['documented', 'as_in_the_state'],
    effect:
      '`documented` answers an empty `metadata` for a row without it, and its OpenAPI document requires routing_number and bank_name of a bank account, amount and term_months of a loan, and all but the expiry and the reference of a token. `as_in_the_state` answers the fields that the row has, and requires only last4.',
    unobservable: 'Rows that were not read may lack a field that all others have.',
  }),
  customers_page_size_parameter: entry({
    documented: true,
    question: 'What is the page-size parameter of the customer search called?',
    section: 'GET /v2/customers',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
  customers_page_size_cap: numeric({
    question: 'What is the maximum number of customers on a page?',
    section: 'Limits',
    values: [100, 1000],
    range: [1, 1_000_000],
    effect:
      'A larger page size is accepted, as the contract sets no upper bound, but a page never holds more than this.',
  }),
  customers_order: entry({
    question: 'In which order are customers listed?',
    section: 'GET /v2/customers',
    values: ['newest_first', 'oldest_first', 'id'],
    effect: 'The order of the search; rows of equal created_at are ordered by ascending id.',
  }),
  payment_methods_order: entry({
    question: 'In which order are payment methods listed?',
    section: 'POST /v2/payment_methods',
    values: ['newest_first', 'oldest_first'],
    effect: 'The order of the list; rows of equal created_at are ordered by ascending id.',
  }),
  payment_methods_unknown_customer: entry({
    question: 'How is listing the payment methods of an unknown customer answered?',
    section: 'POST /v2/payment_methods',
    values: ['not_found', 'empty_list'],
    effect: '`not_found` is CUSTOMER_NOT_FOUND_ERROR; `empty_list` is an empty list.',
  }),
  payment_methods_listed: entry({
    question: 'Payment methods of which statuses are listed?',
    section: 'POST /v2/payment_methods',
    values: ['all', 'active_only'],
    effect:
      '`active_only` lists and counts payment methods of status ACTIVE only; the others can still be retrieved by id.',
  }),
  payment_methods_pagination: entry({
    documented: true,
    question: 'Which pagination inputs does listing payment methods take?',
    section: 'POST /v2/payment_methods',
    values: ['none', 'limit_and_starting_after'],
    effect:
      '`none` returns all in one answer; the alternative takes `limit` and `starting_after` in the body, as the customer search does in its query.',
  }),
  unauthenticated_type: entry({
    question: 'Which error type answers a missing or unusable credential?',
    section: 'Errors',
    values: ['UNAUTHORIZED_ERROR', 'UNAUTHENTICATED_ERROR', 'AUTHENTICATION_ERROR'],
    effect:
      'The type in the body (shape B) of those answers. It has no effect with `unauthenticated_status=403`: their type is then that of `forbidden_type`.',
  }),
  forbidden_type: entry({
    question: 'Which error type answers a key that lacks a required scope?',
    section: 'Authentication 4',
    values: ['FORBIDDEN_ERROR', 'PERMISSION_ERROR', 'MISSING_SCOPE_ERROR'],
    effect: 'The type in the body (shape B) of every 403.',
  }),
  missing_merchant_key_status: entry({
    question: 'Which status answers a key of several products that selects none?',
    section: 'Authentication 9',
    values: [400, 403],
    effect: 'The status of that answer; its body is shape B and names the header.',
  }),
  unknown_merchant_key_status: entry({
    question: 'Which status answers a merchant key that is unknown, or not among the products of the key?',
    section: 'Authentication 9',
    values: [400, 403, 404],
    effect: 'The status of that answer; both cases get the same bytes.',
  }),
  reward_target_statuses: entry({
    question: 'To which statuses may a pending reward be updated?',
    section: 'Reward status',
    values: ['all', 'all_but_pending', 'available_only'],
    effect: 'A status that is not allowed is a validation error.',
  }),
  pdf_url_lifetime_seconds: undecidable({
    question: 'How long does a pdf_url work?',
    section: 'Statement',
    values: [900, 60],
    range: [1, 604_800],
    effect: 'Seconds of the sandbox clock after which the link answers 403.',
    unobservable: 'A check would have to wait until a link expires, which may take far longer than a run.',
  }),
  statements_page_size_parameter: entry({
    documented: true,
    question: 'What is the page-size parameter of the statement list called?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
  locale_parameter: entry({
    question: 'What is the locale parameter of the reward categories called?',
    section: 'GET /v2/rewards/rewards_categories',
    values: ['locale', 'language', 'lang'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
  reward_rounding: undecidable({
    question: 'How is a reward rounded that is not a whole number of minimum units?',
    section: 'Reward categories response',
    values: ['down', 'half_up'],
    effect: 'The amount of rewards that the sandbox computes from a purchase and an earn rate.',
    unobservable: 'No call creates a reward from a purchase, so no call shows the rounding.',
  }),
  delete_order_event_status: entry({
    documented: true,
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
} as const
