// The assumptions: what the contract leaves open, and what this sandbox does about it.
// Each entry is one decision: the question, the section of the contract that leaves it open, our default, the
// alternatives a user can switch to, and what the value changes. An entry without alternatives is a boundary:
// something that this sandbox does not serve, or leaves as free as the contract does.
// Code that rests on an entry reads it through `assume(id)`, which also notes it for the answer's
// `x-sandbox-assumptions` header. One rule says when: an answer names an entry when one of its alternatives would have
// changed this answer. So code asks `assume` where the values part, and looks at `values` anywhere else.

type Value = string | number

/** One decision, as the catalogue has it. */
export interface AssumptionEntry<V extends Value = Value> {
  question: string
  section: string
  default: V
  alternatives: readonly V[]
  /** For a number: any integer from the first to the second value is allowed, not only the alternatives. */
  range?: readonly [number, number]
  effect: string
}

type Values<V extends Value = Value> = readonly [V, ...V[]]

/** As it is declared: `values` are the default and its alternatives. */
interface Declared<V> extends Omit<AssumptionEntry, 'default' | 'alternatives'> {
  values: V
}

/** Keeps the literal types of an entry's values. */
function entry<const V extends Values>(declared: Declared<V>): AssumptionEntry<V[number]> {
  const { question, section, values, effect, ...range } = declared
  const [usual, ...alternatives] = values
  return { question, section, default: usual, alternatives, ...range, effect }
}

/** An entry whose value is any integer of a range; the alternatives are examples worth a test run. */
const numeric = (declared: Required<Declared<Values<number>>>): AssumptionEntry<number> => entry(declared)

export const assumptionCatalogue = {
  // Service
  unlisted_operations: entry({
    question: 'What about operations of the service that the contract does not list?',
    section: 'What the service does',
    values: ['not_served'],
    effect: 'They are unknown routes here: nothing about them is shown, so nothing is invented.',
  }),
  webhook_events: entry({
    question: 'Which webhook events exist, and how are they delivered and signed?',
    section: 'Events',
    values: ['not_served'],
    effect: 'No event is sent: kinds, payloads, delivery, retries and signing are not shown.',
  }),
  rate_limits: entry({
    question: 'Which rate limits and quotas apply?',
    section: 'Limits',
    values: ['none'],
    effect: 'No call is refused for its rate; a scenario can answer 429 on demand.',
  }),
  read_status: entry({
    question: 'Which status does a successful read answer with?',
    section: 'Endpoints',
    values: [200],
    effect:
      'Every read, every list, the search and the link answer 200. Answers do not name it: it would stand on all of them.',
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

  // Authentication
  unauthenticated_status: entry({
    question: 'Which status answers a missing or unusable credential?',
    section: 'Errors',
    values: [401, 403],
    effect: 'The status of every answer to a call without a usable key.',
  }),
  unauthenticated_type: entry({
    question: 'Which error type answers a missing or unusable credential?',
    section: 'Errors',
    values: ['UNAUTHORIZED_ERROR', 'UNAUTHENTICATED_ERROR', 'AUTHENTICATION_ERROR'],
    effect: 'The type in the body (shape B) of those answers.',
  }),
  basic_password_with_key: entry({
    question: 'May a Basic credential carry a password beside an API key as its user name?',
    section: 'Authentication 2',
    values: ['ignored', 'refused'],
    effect: '`ignored` accepts `KEY:anything`; `refused` answers it as an unusable credential.',
  }),
  basic_without_colon: entry({
    question: 'Is a Basic credential without a colon accepted as an API key?',
    section: 'Authentication 2',
    values: ['refused', 'accepted'],
    effect: '`refused` says to add the colon; `accepted` reads base64(`KEY`) as `KEY:`.',
  }),
  routes_without_key: entry({
    question: 'What answers a call without a usable key to a path or method that does not exist?',
    section: 'Authentication 1',
    values: ['unauthenticated', 'not_found'],
    effect:
      '`unauthenticated` discloses no routes; `not_found` answers 404 or 405 before the key is looked at.',
  }),
  forbidden_type: entry({
    question: 'Which error type answers a key that lacks a required scope?',
    section: 'Authentication 4',
    values: ['FORBIDDEN_ERROR', 'PERMISSION_ERROR', 'MISSING_SCOPE_ERROR'],
    effect: 'The type in the body (shape B) of every 403.',
  }),
  scope_table: entry({
    question: 'Which scope do the endpoints need that the contract names none for?',
    section: 'Authentication 7',
    values: ['none'],
    effect: 'A valid key is enough for them; this includes creating keys and reading payment methods.',
  }),
  merchant_key_required: entry({
    question: 'Which calls must select a product?',
    section: 'Authentication 9',
    values: ['key_of_several_products', 'partnership_of_several_products'],
    effect:
      'By default those whose key has several products; the alternative asks all, once the state has several products.',
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

  // Routes and errors
  not_found_status: entry({
    question: 'Which status do the not-found errors have?',
    section: 'Errors',
    values: [404, 400, 410],
    effect: 'The status of every not-found error of shape C.',
  }),
  unknown_route_status: entry({
    question: 'What answers a path that no endpoint has?',
    section: 'Errors',
    values: [404, 400],
    effect: 'The status of that answer; its body is shape B.',
  }),
  wrong_method_status: entry({
    question: 'What answers a method that the path does not have?',
    section: 'Errors',
    values: [405, 404],
    effect: 'The status of that answer; it carries `Allow` in both cases.',
  }),
  trailing_slash: entry({
    question: 'Does a path with a slash at its end name the endpoint without it?',
    section: 'Endpoints',
    values: ['unknown_route', 'ignored'],
    effect: '`unknown_route` compares paths exactly; `ignored` drops one slash at the end.',
  }),
  error_types: entry({
    question: 'Which error types exist beside the five that are shown?',
    section: 'Errors',
    values: ['named_alike'],
    effect: 'Other errors are of shape B with types named like the known ones, such as CONFLICT_ERROR.',
  }),

  // Bodies
  malformed_json_shape: entry({
    question: 'Which error shape answers a body that is not JSON?',
    section: 'Errors',
    values: ['B', 'A'],
    effect: '`B` names no field, as there is none; `A` is the validation shape with one detail.',
  }),
  unsupported_media_type: entry({
    question: 'What answers a body that is not declared as JSON in UTF-8?',
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
    effect: 'A deeper body is answered 400 in shape B.',
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
  json_byte_order_mark: entry({
    question: 'May a body start with a byte order mark?',
    section: 'Conventions',
    values: ['accepted', 'refused'],
    effect: '`refused` answers such a body as malformed JSON.',
  }),
  duplicate_json_keys: entry({
    question: 'What does a key mean that stands twice in one JSON object?',
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
      '`absent` reads it as if the field was left out; `refuse` makes it a validation error. Values of metadata are free either way.',
  }),
  empty_optional_fields: entry({
    question: 'How does an answer show an optional field that has no value?',
    section: 'Resources and their fields',
    values: ['absent', 'null'],
    effect:
      '`absent` leaves it out; `null` shows it as null. What is left out for want of a scope, of another kind of payment method or of a next page is absent either way.',
  }),
  string_bounds: entry({
    question: 'How long may strings and ids be?',
    section: 'Limits',
    values: ['ids_of_rows_up_to_200_characters'],
    effect:
      'Ids of rows have 1 to 200 characters without control characters; other strings are bounded by the body or the request line only.',
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

  // Transaction intents
  create_status: entry({
    question: 'Which status answers a created transaction intent?',
    section: 'Endpoints',
    values: [201, 200],
    effect: 'The status of a successful createTransactionIntent.',
  }),
  intent_required_fields: entry({
    question: 'Which fields must a new transaction intent have?',
    section: 'POST /v2/transaction_intents',
    values: ['customer_amount_currency', 'with_payment_method', 'with_payment_method_and_network_id'],
    effect:
      'The default asks for customer_id, amount and currency; the alternatives also for payment_method_id and network_transaction_id.',
  }),
  negative_amount: entry({
    question: 'May an amount in a request be negative?',
    section: 'Conventions',
    values: ['refuse', 'accept'],
    effect: '`refuse` makes a negative amount of an intent or a reward update a validation error.',
  }),
  zero_amount: entry({
    question: 'May the amount of a new transaction intent be zero?',
    section: 'Conventions',
    values: ['accept', 'refuse'],
    effect: '`accept` allows it, as zero-amount authorisations exist; `refuse` makes it a validation error.',
  }),
  intent_payment_method_status: entry({
    question: 'May a transaction intent use a canceled payment method?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes a payment method of status CANCELED a validation error.',
  }),
  intent_payment_method_type: entry({
    question: 'May a transaction intent use a payment method that is no card?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes a BANK_ACCOUNT or a LOAN a validation error.',
  }),
  intent_foreign_payment_method: entry({
    question: 'What answers a transaction intent with the payment method of another customer?',
    section: 'POST /v2/transaction_intents',
    values: ['not_found', 'refuse'],
    effect:
      '`not_found` is PAYMENT_METHOD_NOT_FOUND_ERROR, as for one that does not exist; `refuse` makes it a validation error.',
  }),
  intent_network_id_reuse: entry({
    question: 'May a customer have two transaction intents of one network_transaction_id?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes a network_transaction_id that an intent of the customer has a validation error. Only a refusal names it: looking for such an intent takes longer than creating one.',
  }),
  intent_past_date: entry({
    question: 'May the expected_date of a new transaction intent be past?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes an instant before now, or a date before today in UTC, a validation error.',
  }),
  intent_fields: entry({
    question: 'Which fields of a transaction intent are always present?',
    section: 'Transaction intent',
    values: ['id_customer_amount_currency_status_created_at'],
    effect:
      'These six; the others are there where the intent was given them. Fields of the request that the resource does not have are kept and not served.',
  }),
  intent_transitions: entry({
    question: 'When does a transaction intent change its status?',
    section: 'Transaction intent status',
    values: ['never'],
    effect: 'A created intent is CONFIRMED and stays so; other statuses come from state documents.',
  }),

  // Payment methods
  payment_methods_required_filter: entry({
    question: 'Which body fields does listing payment methods need?',
    section: 'POST /v2/payment_methods',
    values: ['customer_id_or_pan', 'customer_id', 'none'],
    effect: 'A call without the required filter is a validation error; `none` lists all of the product.',
  }),
  payment_methods_unknown_customer: entry({
    question: 'What answers a list of payment methods of an unknown customer?',
    section: 'POST /v2/payment_methods',
    values: ['not_found', 'empty_list'],
    effect: '`not_found` is CUSTOMER_NOT_FOUND_ERROR; `empty_list` is a list of none.',
  }),
  payment_methods_pagination: entry({
    question: 'Which pagination inputs does listing payment methods take?',
    section: 'POST /v2/payment_methods',
    values: ['none', 'limit_and_starting_after'],
    effect:
      '`none` returns all at once; the alternative takes `limit` and `starting_after` in the body, as the customer search does in its query.',
  }),
  payment_method_transitions: entry({
    question: 'When does a payment method change its status?',
    section: 'Payment method status',
    values: ['never'],
    effect: 'The statuses of state documents are served as they are.',
  }),
  payment_method_fields: entry({
    question: 'Which fields of card, bank_account and loan are always present?',
    section: 'Payment method',
    values: ['as_in_the_state'],
    effect: 'The fields that a row has are served; last4 is required in a card and in a bank account.',
  }),
  payment_method_values: entry({
    question: 'Which networks, card types, account types, loan statuses and token types exist?',
    section: 'Payment method',
    values: ['any_string'],
    effect: 'Any string is served as the state document gives it.',
  }),
  payment_methods_order: entry({
    question: 'In which order are payment methods listed?',
    section: 'POST /v2/payment_methods',
    values: ['newest_first', 'oldest_first'],
    effect: 'The order of the list; rows of equal created_at are ordered by ascending id.',
  }),

  // Customers
  customers_page_size_parameter: entry({
    question: 'What is the page-size parameter of the customer search called?',
    section: 'GET /v2/customers',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name under which the page size is read; under any other name it is an unknown parameter.',
  }),
  customers_page_size_cap: numeric({
    question: 'How many customers does one page hold at most?',
    section: 'Limits',
    values: [100, 1000],
    range: [1, 1_000_000],
    effect: 'A larger page size is accepted, as the contract sets no upper bound, and gives this many.',
  }),
  default_page_size: numeric({
    question: 'How many items does a page hold when no size is asked for?',
    section: 'Limits',
    values: [10, 25, 100],
    range: [1, 100],
    effect: 'The page size of both paginated lists when the parameter is left out.',
  }),
  customers_order: entry({
    question: 'In which order are customers listed?',
    section: 'GET /v2/customers',
    values: ['newest_first', 'oldest_first', 'id'],
    effect: 'The order of the search; rows of equal created_at are ordered by ascending id.',
  }),
  unknown_cursor: entry({
    question: 'What answers a starting_after that names no place in the list?',
    section: 'GET /v2/customers',
    values: ['refuse', 'empty_page', 'first_page'],
    effect: '`refuse` makes it a validation error, in both pagination dialects; the others hide the mistake.',
  }),
  customer_fields: entry({
    question: 'Which customer fields are always present?',
    section: 'Customer',
    values: ['id_name_email_statuses_created_at'],
    effect: 'Rows have at least id, first_name, last_name, email, statuses and created_at.',
  }),
  customer_status_values: entry({
    question: 'Which values do statuses and the status of an authorized user take?',
    section: 'Customer',
    values: ['any_string'],
    effect: 'Any string is served as the state document gives it.',
  }),
  link_response: entry({
    question: 'What does linking a customer answer?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['customer', 'no_content'],
    effect: '`customer` answers 200 with the customer; `no_content` answers 204.',
  }),
  link_conflict_status: entry({
    question: 'Which status answers a partner identifier that another customer holds?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: [409, 400, 422],
    effect: 'The status of that answer; its body is shape B and nothing is changed.',
  }),
  link_replaces: entry({
    question: 'May a customer who has a partner identifier be linked to another one?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['replace', 'refuse'],
    effect: '`replace` moves the customer to the new identifier; `refuse` answers as a conflict.',
  }),
  partner_id_uniqueness: entry({
    question: 'Among which customers is a partner identifier unique?',
    section: 'Customer',
    values: ['per_product'],
    effect: 'Customers of one product never share one; customers of two products may.',
  }),

  // Statements
  statements_page_size_parameter: entry({
    question: 'What is the page-size parameter of the statement list called?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name under which the page size is read; under any other name it is an unknown parameter.',
  }),
  unknown_account_type: entry({
    question: 'Which error answers an unknown account?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['ACCOUNT_NOT_FOUND_ERROR', 'CUSTOMER_NOT_FOUND_ERROR', 'BAD_REQUEST_ERROR'],
    effect: 'Its type; the default is shape C with param account_id, like the other not-found errors.',
  }),
  statement_amount_unit: entry({
    question: 'In which unit are statement amounts?',
    section: 'Statement',
    values: ['minimum_units'],
    effect: 'Integers in minimum currency units, as all other amounts.',
  }),
  statement_fields: entry({
    question: 'Which statement fields are always present?',
    section: 'Statement',
    values: ['all_but_overdue_amount'],
    effect: 'All that the contract lists; overdue_amount only where the row has it.',
  }),
  pdf_url_lifetime_seconds: numeric({
    question: 'How long does a pdf_url work?',
    section: 'Statement',
    values: [900, 60],
    range: [1, 604_800],
    effect: 'Seconds of the sandbox clock after which the link answers 403.',
  }),

  // Rewards
  balance_statuses: entry({
    question: 'Rewards of which statuses make up the rewards balance?',
    section: 'Rewards balance',
    values: [
      'AVAILABLE',
      'AVAILABLE+PENDING',
      'AVAILABLE+PENDING_DEDUCTION',
      'AVAILABLE-PENDING_DEDUCTION-DEDUCTED',
    ],
    effect:
      'AVAILABLE rewards count; the alternatives also add the pending ones, add those that are still to be deducted, or take off deductions, which then are rows of their own.',
  }),
  reward_target_statuses: entry({
    question: 'To which statuses may a pending reward be updated?',
    section: 'Reward status',
    values: ['all', 'all_but_pending', 'available_only'],
    effect: 'A status that is not allowed is a validation error.',
  }),
  reward_not_pending: entry({
    question: 'What answers an update of a reward that is no longer pending?',
    section: 'Reward status',
    values: ['bad_request', 'conflict'],
    effect: '`bad_request` is 400 BAD_REQUEST_ERROR; `conflict` is 409 CONFLICT_ERROR.',
  }),
  reward_transitions: entry({
    question: 'When does a reward change its status, other than by an update?',
    section: 'Reward status',
    values: ['never'],
    effect:
      'Time and other calls leave it as it is; the control plane and state documents can set any status.',
  }),
  reward_rounding: entry({
    question: 'How is a reward rounded that is not a whole number of minimum units?',
    section: 'Reward categories response',
    values: ['down', 'half_up'],
    effect: 'The amount of rewards that the sandbox computes from a purchase and an earn rate.',
  }),
  reward_description_language: entry({
    question: 'In which language is the reward_description of a balance?',
    section: 'Rewards balance',
    values: ['english', 'preferred_language'],
    effect:
      '`preferred_language` is Spanish for a customer who prefers it, as a locale of the reward categories would be.',
  }),
  locale_parameter: entry({
    question: 'What is the locale parameter of the reward categories called?',
    section: 'GET /v2/rewards/rewards_categories',
    values: ['locale', 'language', 'lang'],
    effect: 'The name under which the locale is read; under any other name it is an unknown parameter.',
  }),
  locale_matching: entry({
    question: 'How is a locale compared with the supported languages?',
    section: 'GET /v2/rewards/rewards_categories',
    values: ['lenient', 'exact'],
    effect:
      '`lenient` takes es in any case, alone or before a hyphen or an underscore; `exact` takes es and es-XX as they are written here.',
  }),
  category_types: entry({
    question: 'Which types do reward categories have?',
    section: 'Reward categories response',
    values: ['any_string'],
    effect: 'Any string is served as the product gives it.',
  }),

  // Order events
  delete_order_event_status: entry({
    question: 'Which status answers a deleted order event?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: [204, 200, 202],
    effect: 'The status of a successful deletion; 200 and 202 come with an empty JSON object.',
  }),
  delete_missing_order_event: entry({
    question: 'What answers the deletion of an order event that does not exist?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: ['bad_request', 'not_found', 'no_content'],
    effect:
      '`bad_request` is the one error the contract documents there; `not_found` is 404 in shape B; `no_content` answers like a success.',
  }),
  order_event_fields: entry({
    question: 'Which fields does an order event have?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: ['never_served'],
    effect: 'Order events can be deleted; no operation shows them.',
  }),

  // API keys
  create_key_status: entry({
    question: 'Which status answers a created API key?',
    section: 'POST /v2/keys',
    values: [201, 200],
    effect: 'The status of a successful createApiKey.',
  }),
  create_key_shape: entry({
    question: 'What are the request and the response of creating an API key?',
    section: 'POST /v2/keys',
    values: ['id_key_secret_scopes_created_at'],
    effect:
      'No body is needed and its fields are ignored; the answer has id, key, secret, scopes and created_at.',
  }),
  new_key_inherits: entry({
    question: 'What does a new key inherit beside the scopes?',
    section: 'Authentication 8',
    values: ['products_and_environment'],
    effect:
      'The products and the environment of the key that created it; scenarios that are bound to that key are not.',
  }),
} as const

/** The id of an assumption, such as `not_found_status`. */
export type AssumptionId = keyof typeof assumptionCatalogue

/** The values an assumption can take. */
export type AssumptionValue<Id extends AssumptionId> = (typeof assumptionCatalogue)[Id]['default']

/** The value in force of every assumption. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> }

/** Reads the value in force, and notes that the answer under way rests on it. */
export type Assume = <Id extends AssumptionId>(id: Id) => AssumptionValue<Id>

/** The default of an assumption and its alternatives. */
export function valuesOf<Id extends AssumptionId>(id: Id): readonly AssumptionValue<Id>[] {
  return allValues[id]
}

type AllValues = { readonly [Id in AssumptionId]: readonly AssumptionValue<Id>[] }

/** Kept, as pages ask for them with every call. */
const allValues = Object.fromEntries(
  Object.entries(assumptionCatalogue).map(([id, { default: usual, alternatives }]) => [
    id,
    [usual, ...alternatives],
  ]),
) as unknown as AllValues

/** Every assumption id, in the order of the catalogue; headers and lists use this order. */
export const assumptionIds: readonly AssumptionId[] = Object.keys(assumptionCatalogue) as AssumptionId[]
