import type { AssumptionId } from '../../src/contract/assumptions.ts'

/**
 * The open questions of the contract, section by section and in our words, with the assumptions or the fixed behaviour that answer them. If
 * the contract does not mention the gap, the point is marked `silent`.
 */
export interface OpenPoint {
  section: string
  point: string
  closedBy?: readonly AssumptionId[]
  /** The rows of docs/limits.md that say what the sandbox always does. */
  fixed?: readonly string[]
  silent?: true
}

export const openPoints: readonly OpenPoint[] = [
  {
    section: 'Resources and their fields',
    point: 'how an optional field without a value is shown, and whether a request may send null for one',
    closedBy: ['null_request_fields'],
    fixed: ['optional field without a value'],
    silent: true,
  },
  {
    section: 'Resources: Transaction intent, Statement',
    point: 'which fields are always there',
    fixed: ['fields of a transaction intent', 'fields of a statement'],
    silent: true,
  },
  {
    section: 'Resources: Rewards balance',
    point: 'the language of reward_description',
    closedBy: ['reward_description_language'],
    silent: true,
  },
  {
    section: 'Resources: Customer',
    point: 'among which customers a partner identifier is unique',
    fixed: ['partner identifier'],
    silent: true,
  },
  {
    section: 'What the service does',
    point: 'operations beside the listed ones',
    closedBy: ['unlisted_operations'],
  },
  {
    section: 'What the service does',
    point: 'what a body may look like beyond being JSON: size, depth, marks, repeated keys, media types',
    closedBy: ['unsupported_media_type'],
    fixed: [
      'body of the API',
      'byte order mark before a JSON body',
      'duplicate key in a JSON body',
      'metadata',
    ],
    silent: true,
  },
  {
    section: 'Resources: Reward categories response',
    point: 'the types of categories',
    fixed: ['statuses of customers, networks, card types'],
  },
  {
    section: 'Resources: Reward categories response',
    point: 'how a reward is rounded that an earn rate gives',
    closedBy: ['reward_rounding'],
    silent: true,
  },
  {
    section: 'Resources: Rewards balance',
    point: 'rewards of which statuses count',
    closedBy: ['balance_statuses'],
    silent: true,
  },
  {
    section: 'Resources: Reward status',
    point: 'what a refund does with the reward of its purchase',
    closedBy: ['refund_reward'],
    silent: true,
  },
  {
    section: 'What the service does',
    point: 'which amount a transaction has after several steps',
    closedBy: ['transaction_amount'],
    silent: true,
  },
  {
    section: 'Resources: Rewards balance',
    point: 'rewards in another currency than that of the program',
    closedBy: ['balance_other_currencies'],
    silent: true,
  },
  {
    section: 'Resources: Statement',
    point: 'which credential a link needs',
    fixed: ['`pdf_url`'],
    silent: true,
  },
  {
    section: 'Resources: Payment method',
    point: 'values of network, card type, account type, loan status and token type',
    fixed: ['statuses of customers, networks, card types'],
  },
  {
    section: 'Resources: Payment method',
    point: 'which fields of the sub-objects are always there',
    closedBy: ['payment_method_fields'],
  },
  {
    section: 'Resources: Customer',
    point: 'values of statuses and of the status of an authorized user',
    fixed: ['statuses of customers, networks, card types'],
  },
  { section: 'Resources: Customer', point: 'which fields are always there', closedBy: ['customer_fields'] },
  { section: 'Resources: Statement', point: 'the unit of amounts', fixed: ['fields of a statement'] },
  { section: 'Resources: Statement', point: 'how long a link works', closedBy: ['pdf_url_lifetime_seconds'] },
  {
    section: 'States: Reward status',
    point: 'transitions beside the update of a pending reward, and where that may lead',
    closedBy: [
      'reward_target_statuses',
      'reward_not_pending',
      'reward_transitions',
      'reward_deduction_update',
    ],
  },
  { section: 'States: Transaction intent status', point: 'transitions', closedBy: ['intent_transitions'] },
  {
    section: 'States: Payment method status',
    point: 'transitions',
    closedBy: ['payment_method_transitions'],
  },
  {
    section: 'Endpoints',
    point: 'success codes of all operations but the reward update',
    closedBy: ['create_status', 'create_key_status', 'delete_order_event_status', 'link_response'],
    fixed: ['status of a read, a list, the search, the link'],
  },
  {
    section: 'Endpoints',
    point:
      'query parameters that are sent twice, slashes at the end of a path, idempotency keys, HEAD and OPTIONS, Accept, bodies of GET and DELETE',
    closedBy: ['idempotency_key'],
    fixed: [
      'query parameter that is sent twice',
      'unknown path',
      'HEAD and OPTIONS',
      '`Accept` of a request',
      'body of a GET or DELETE',
    ],
    silent: true,
  },
  {
    section: 'Endpoints: create a transaction intent',
    point: 'which fields are required',
    closedBy: ['intent_required_fields'],
  },
  {
    section: 'Endpoints: create a transaction intent',
    point: 'the range of amounts; here and in the reward update',
    closedBy: ['negative_amount', 'zero_amount', 'reward_amount_zero'],
    silent: true,
  },
  {
    section: 'Endpoints: create a transaction intent',
    point: 'customers, payment methods, currencies, network ids and dates that an intent can do little with',
    closedBy: [
      'intent_inactive_method',
      'intent_closed_customer',
      'intent_currency',
      'intent_payment_method_status',
      'intent_payment_method_type',
      'intent_foreign_payment_method',
      'intent_network_id_reuse',
      'intent_past_date',
    ],
    fixed: ['currency of a new intent'],
    silent: true,
  },
  {
    section: 'Endpoints: list payment methods',
    point: 'the order',
    closedBy: ['payment_methods_order'],
    silent: true,
  },
  {
    section: 'Endpoints: list payment methods',
    point: 'pagination inputs',
    closedBy: ['payment_methods_pagination'],
  },
  {
    section: 'Endpoints: list payment methods',
    point: 'which statuses are listed',
    closedBy: ['payment_methods_listed'],
    silent: true,
  },
  {
    section: 'Endpoints: list payment methods',
    point: 'which body fields are required',
    closedBy: ['payment_methods_required_filter'],
  },
  {
    section: 'Endpoints: list payment methods',
    point: 'what an unknown customer is answered with',
    closedBy: ['payment_methods_unknown_customer'],
    silent: true,
  },
  {
    section: 'Endpoints: search customers',
    point: 'the name of the page-size parameter',
    closedBy: ['customers_page_size_parameter'],
  },
  {
    section: 'Endpoints: search customers',
    point: 'order, default and largest page size, cursors that name nothing',
    closedBy: ['customers_order', 'default_page_size', 'customers_page_size_cap', 'unknown_cursor'],
    silent: true,
  },
  {
    section: 'Endpoints: search customers',
    point: 'a search without a filter',
    closedBy: ['customers_without_filter'],
    silent: true,
  },
  {
    section: 'Endpoints: list statements',
    point: 'how long a page token works',
    fixed: ['`next_page_token`'],
    silent: true,
  },
  { section: 'Endpoints: link a customer', point: 'the response', closedBy: ['link_response'] },
  {
    section: 'Endpoints: link a customer',
    point: 'identifiers that are taken, customers that have one',
    closedBy: ['link_conflict_status', 'link_conflict_type', 'link_replaces'],
    silent: true,
  },
  {
    section: 'Endpoints: list statements',
    point: 'the error for an unknown account',
    closedBy: ['unknown_account_type'],
  },
  {
    section: 'Endpoints: list statements',
    point: 'the name of the page-size parameter',
    closedBy: ['statements_page_size_parameter'],
  },
  {
    section: 'Endpoints: list reward categories',
    point: 'the name of the locale parameter',
    closedBy: ['locale_parameter'],
  },
  {
    section: 'Endpoints: list reward categories',
    point: 'how a locale is compared, and texts that are not translated',
    fixed: ['locale'],
    silent: true,
  },
  {
    section: 'Endpoints: delete an order event',
    point: 'the success response',
    closedBy: ['delete_order_event_status'],
  },
  {
    section: 'Endpoints: delete an order event',
    point: 'when its error occurs',
    closedBy: ['delete_missing_order_event'],
    silent: true,
  },
  {
    section: 'Endpoints: delete an order event',
    point: 'the fields of an order event',
    closedBy: ['order_event_fields'],
  },
  {
    section: 'Endpoints: create an API key',
    point: 'request body, response and required scope',
    closedBy: ['create_key_shape', 'create_key_status', 'scope_table'],
  },
  { section: 'Authentication 7', point: 'the table of scopes', closedBy: ['scope_table'] },
  {
    section: 'Authentication 1-3',
    point: 'a password beside an API key, a credential without a colon, unknown paths without a key',
    fixed: [
      'Basic credential with a password',
      'Basic credential without a colon',
      'unknown path or method without a usable key',
    ],
    silent: true,
  },
  {
    section: 'Authentication 8',
    point: 'what a new key inherits beside the scopes',
    closedBy: ['new_key_inherits'],
    silent: true,
  },
  {
    section: 'Authentication 9',
    point: 'which calls must select a product, and what is seen of the others',
    closedBy: ['merchant_key_required', 'product_isolation'],
    silent: true,
  },
  {
    section: 'Authentication 9',
    point: 'what a missing or unknown merchant key is answered with',
    closedBy: ['missing_merchant_key_status', 'unknown_merchant_key_status'],
    silent: true,
  },
  { section: 'Events', point: 'kinds, payloads, delivery, retries, signing', closedBy: ['webhook_events'] },
  { section: 'Errors', point: 'the status of not-found errors', closedBy: ['not_found_status'] },
  {
    section: 'Errors',
    point: 'status and body for invalid credentials',
    closedBy: ['unauthenticated_status', 'unauthenticated_type'],
  },
  {
    section: 'Errors',
    point: 'the complete list of error types',
    closedBy: ['forbidden_type', 'malformed_json_shape'],
    fixed: [
      'types of errors that the contract does not list',
      'unknown path',
      'method that the path does not have',
    ],
  },
  {
    section: 'Errors',
    point: 'which of several errors comes first',
    fixed: ['several problems in one call'],
    silent: true,
  },
  { section: 'Limits', point: 'rate limits and quotas', closedBy: ['rate_limits'] },
  { section: 'Limits', point: 'bounds of strings and ids', fixed: ['identifier'], silent: true },
  {
    section: 'Versioning 1',
    point: 'what differs between the versions',
    closedBy: ['version_differences'],
    silent: true,
  },
  {
    section: 'Versioning 6',
    point: 'body fields and query parameters that an operation does not know',
    closedBy: ['unknown_body_fields', 'unknown_query_parameters'],
    silent: true,
  },
]
