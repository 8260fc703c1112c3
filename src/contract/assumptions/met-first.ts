// The assumptions that nearly every partner meets. docs/assumptions.md begins with them.
import { entry, numeric, undecidable } from './assumption-entry.ts'

export const metFirst = {
  create_status: entry({
    documented: true,
    question: 'Which status answers a created transaction intent?',
    section: 'Endpoints',
    values: [200, 201],
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
    documented: true,
    question: 'How is linking a customer answered?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['link', 'customer', 'no_content'],
    effect:
      '`link` answers 200 with the link, and the request may have `metadata`, which belongs to it; `customer` answers 200 with the customer, and `no_content` 204; they ignore `metadata`.',
  }),
  link_replaces: entry({
    documented: true,
    question: 'May a customer who has a partner identifier be linked to another one?',
    section: 'POST /v2/customers/{customer_id}/link',
    values: ['refuse', 'replace'],
    effect:
      '`refuse` answers as a conflict; `replace` moves the customer to the new identifier. The same identifier again is a success either way, and changes nothing.',
  }),
  payment_methods_required_filter: entry({
    documented: true,
    question: 'Which body fields does listing payment methods need?',
    section: 'POST /v2/payment_methods',
    values: ['customer_id', 'customer_id_or_pan', 'none'],
    effect: 'A call without the required filter is a validation error; `none` lists all of the product.',
  }),
  not_found_status: entry({
    documented: true,
    question: 'Which status do the not-found errors have?',
    section: 'Errors',
    values: [404, 400, 410],
    effect: 'The status of every not-found error of shape C.',
  }),
  unauthenticated_status: entry({
    documented: true,
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
      'AVAILABLE-DEDUCTED',
      'AVAILABLE',
      'AVAILABLE+PENDING',
      'AVAILABLE+PENDING_DEDUCTION',
      'AVAILABLE-PENDING_DEDUCTION-DEDUCTED',
    ],
    effect:
      'AVAILABLE rewards count, and DEDUCTED ones are subtracted, as deductions are rows of their own. The alternatives count AVAILABLE rewards alone, add pending ones, add those that are still to be deducted, or subtract pending deductions as well.',
  }),
  reward_not_pending: entry({
    question: 'How is an update of a reward answered that is no longer pending?',
    section: 'Reward status',
    values: ['bad_request', 'conflict'],
    effect: '`bad_request` is 400 BAD_REQUEST_ERROR; `conflict` is 409 CONFLICT_ERROR.',
  }),
  reward_deduction_update: undecidable({
    documented: true,
    question: 'May an update complete the deduction of a reward?',
    section: 'Reward status',
    values: ['allowed', 'refused'],
    effect:
      '`allowed` lets a body with status DEDUCTED and no amount update a reward of status PENDING_DEDUCTION; `refused` answers it like any update of a reward that is not pending.',
    unobservable: 'It takes a reward of status PENDING_DEDUCTION, and a target names none.',
  }),
  refund_reward: undecidable({
    question: 'What does a refund do with the reward of its purchase?',
    section: 'Reward status',
    values: ['own_row', 'same_reward'],
    fits: {
      with: 'balance_statuses',
      values: {
        own_row: ['AVAILABLE-DEDUCTED', 'AVAILABLE-PENDING_DEDUCTION-DEDUCTED'],
        same_reward: ['AVAILABLE', 'AVAILABLE+PENDING', 'AVAILABLE+PENDING_DEDUCTION'],
      },
      because: 'a refund would lower the balance twice, or not at all',
    },
    effect:
      '`own_row` creates a reward of its own for the refunded share, first PENDING_DEDUCTION; `same_reward` moves the first reward to PENDING_DEDUCTION, and a partial refund lowers its amount instead.',
    unobservable: 'No call of the contract refunds a purchase, so no call shows its effect on a reward.',
  }),
  transaction_amount: undecidable({
    question: 'Which amount does a transaction have after its first step?',
    section: 'What the service does',
    values: ['last_step', 'total'],
    effect:
      '`last_step` is the amount of the last authorisation, capture or refund; `total` is what is captured less what is refunded or, before a capture, what is authorised. An event has the amount of its step.',
    unobservable: 'No call of the contract shows a transaction.',
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
    values: ['not_served', 'standard', 'thin', 'timestamped_hmac', 'body_hmac', 'documented', 'described'],
    describedBy: { described: 'webhooks' },
    effect: 'No event is sent: the contract does not show kinds, payloads, delivery, retries or signing.',
    unobservable: 'Events go to an address of the partner, and no answer to a request shows them.',
  }),
  unlisted_operations: undecidable({
    question: 'How are operations of the service answered that the contract does not list?',
    section: 'What the service does',
    values: ['not_served', 'documented'],
    effect:
      '`not_served` answers them as unknown routes. `documented` serves those that public documentation shows, as docs/endpoints.md lists them; they are outside the contract.',
    unobservable: 'An operation without a name has no path to request.',
  }),
  customer_fields: undecidable({
    documented: true,
    question: 'Which customer fields are always present?',
    section: 'Customer',
    values: ['id_only', 'id_name_email_statuses_created_at'],
    effect:
      'The fields that the OpenAPI document requires of a customer: `id_only` requires only the id. The rows of the sandbox have at least id, first_name, last_name, email, statuses and created_at either way.',
    unobservable: 'Customers that were not read may lack a field that all others have.',
  }),
  default_page_size: numeric({
    documented: true,
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
