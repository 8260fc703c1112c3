// The assumptions that nearly every partner meets. docs/assumptions.md begins with them.
import { entry, numeric, undecidable } from './assumption-entry.ts'

export const metFirst = {
  create_status: entry({
    question: 'Which status answers a created transaction intent?',
    section: 'Endpoints',
    values: [201, 200],
    effect: 'The status of a successful createTransactionIntent.',
  }),
  merchant_key_required: entry({
    question: 'Which calls must select a product?',
    section: 'Authentication 9',
    values: ['key_of_several_products', 'partnership_of_several_products'],
    effect:
      'By default, calls with a key of several products. The alternative requires it of every call if the state has several products.',
    remedy:
      'A call of the suite sends no x-service-merchant-key: let your client name its product in every call, as in x-service-merchant-key: mk_summit.',
  }),
  link_response: entry({
    question: 'How is linking a customer answered?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['customer', 'no_content'],
    effect: '`customer` answers 200 with the customer; `no_content` answers 204.',
  }),
  link_replaces: entry({
    question: 'May a customer who has a partner identifier be linked to another one?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['replace', 'refuse'],
    effect: '`replace` moves the customer to the new identifier; `refuse` answers as a conflict.',
  }),
  payment_methods_required_filter: entry({
    question: 'Which body fields does listing payment methods need?',
    section: 'POST /v2/payment_methods',
    values: ['customer_id_or_pan', 'customer_id', 'none'],
    effect: 'A call without the required filter is a validation error; `none` lists all of the product.',
  }),
  not_found_status: entry({
    question: 'Which status do the not-found errors have?',
    section: 'Errors',
    values: [404, 400, 410],
    effect: 'The status of every not-found error of shape C.',
  }),
  unauthenticated_status: entry({
    question: 'Which status answers a missing or unusable credential?',
    section: 'Errors',
    values: [401, 403],
    effect:
      'The status of every answer to a call without a usable key. `403` changes its type, too: to that of `forbidden_type`.',
  }),
  balance_statuses: entry({
    question: 'Which rewards does the balance add up, by status?',
    section: 'Rewards balance',
    values: [
      'AVAILABLE',
      'AVAILABLE+PENDING',
      'AVAILABLE+PENDING_DEDUCTION',
      'AVAILABLE-PENDING_DEDUCTION-DEDUCTED',
    ],
    effect:
      'AVAILABLE rewards count. The alternatives also add pending ones, add those that are still to be deducted, or subtract deductions, which are then rows of their own.',
  }),
  reward_not_pending: entry({
    question: 'How is an update of a reward answered that is no longer pending?',
    section: 'Reward status',
    values: ['bad_request', 'conflict'],
    effect: '`bad_request` is 400 BAD_REQUEST_ERROR; `conflict` is 409 CONFLICT_ERROR.',
  }),
  reward_transitions: undecidable({
    question: 'When does a reward change its status, other than by an update?',
    section: 'Reward status',
    values: ['never'],
    effect:
      'Neither time nor other calls change it; the control plane and state documents can set any status.',
    unobservable: 'No run can wait long enough to see whether a reward changes by itself.',
  }),
  webhook_events: undecidable({
    question: 'Which webhook events exist, and how are they delivered and signed?',
    section: 'Events',
    values: ['not_served', 'standard', 'thin', 'timestamped_hmac', 'body_hmac', 'described'],
    describedBy: { described: 'webhooks' },
    effect: 'No event is sent: the contract does not show kinds, payloads, delivery, retries or signing.',
    unobservable: 'Events go to an address of the partner, and no answer to a request shows them.',
  }),
  unlisted_operations: undecidable({
    question: 'How are operations of the service answered that the contract does not list?',
    section: 'What the service does',
    values: ['not_served'],
    effect: 'They are unknown routes, as the contract shows nothing about them.',
    unobservable: 'An operation without a name has no path to request.',
  }),
  customer_fields: undecidable({
    question: 'Which customer fields are always present?',
    section: 'Customer',
    values: ['id_name_email_statuses_created_at'],
    effect: 'Rows have at least id, first_name, last_name, email, statuses and created_at.',
    unobservable: 'Customers that were not read may lack a field that all others have.',
  }),
  default_page_size: numeric({
    question: 'How many items does a page hold if the call names no size?',
    section: 'Limits',
    values: [10, 25, 100],
    range: [1, 100],
    effect:
      'The page size of each paginated list when the call sends none. The cap of customer pages applies to it as well.',
  }),
  idempotency_key: entry({
    question: 'What does an Idempotency-Key header do?',
    section: 'Endpoints',
    values: ['ignored', 'refused'],
    effect:
      '`ignored` creates a second intent for a repeated call; `refused` answers any POST that has the header with 400.',
  }),
} as const
