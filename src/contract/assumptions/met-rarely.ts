// The assumptions that partners meet in rare requests, or with unusual data.
import { entry, undecidable } from './assumption-entry.ts'

export const metRarely = {
  unknown_cursor: entry({
    question: 'How is a starting_after answered that names no position in the list?',
    section: 'GET /v2/customers',
    values: ['refuse', 'empty_page', 'first_page'],
    effect: '`refuse` makes it a validation error, in both pagination dialects; the others hide the mistake.',
  }),
  unknown_account_type: entry({
    question: 'Which error answers an unknown account?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['ACCOUNT_NOT_FOUND_ERROR', 'CUSTOMER_NOT_FOUND_ERROR', 'BAD_REQUEST_ERROR'],
    effect: 'Its type; the default is shape C with param account_id, like the other not-found errors.',
  }),
  intent_payment_method_status: entry({
    question: 'May a transaction intent use a canceled payment method?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes a payment method of status CANCELED a validation error.',
  }),
  intent_inactive_method: entry({
    question: 'May a transaction intent use an inactive payment method?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes a payment method of status INACTIVE a validation error.',
  }),
  intent_payment_method_type: entry({
    question: 'May a transaction intent use a payment method that is no card?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes a BANK_ACCOUNT or a LOAN a validation error.',
  }),
  intent_foreign_payment_method: entry({
    question: 'How is a transaction intent with the payment method of another customer answered?',
    section: 'POST /v2/transaction_intents',
    values: ['not_found', 'refuse'],
    effect:
      '`not_found` is PAYMENT_METHOD_NOT_FOUND_ERROR, as for one that does not exist; `refuse` makes it a validation error.',
  }),
  intent_currency: entry({
    question: 'Which currency may a transaction intent have?',
    section: 'POST /v2/transaction_intents',
    values: ['any_code', 'of_the_account'],
    effect:
      '`of_the_account` makes any currency other than that of the account of the payment method a validation error. Without a payment method that has an account, every code is accepted.',
  }),
  intent_past_date: entry({
    question: 'May the expected_date of a new transaction intent be past?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes an instant before now, or a date before today in UTC, a validation error.',
  }),
  intent_closed_customer: entry({
    question: 'May a transaction intent be created for a closed customer?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes the call a validation error if the status of the customer is CLOSED in every program of `statuses`.',
  }),
  intent_network_id_reuse: entry({
    question: 'May two transaction intents of a customer have the same network_transaction_id?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes a network_transaction_id that another intent of the customer has a validation error. Only a refusal lists this assumption, as the search would slow down every creation.',
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
  reward_amount_zero: entry({
    question: 'May an update set the amount of a reward to zero?',
    section: 'Conventions',
    values: ['accept', 'refuse'],
    effect: '`refuse` makes an amount of zero a validation error.',
  }),
  payment_method_transitions: undecidable({
    question: 'When does a payment method change its status?',
    section: 'Payment method status',
    values: ['never'],
    effect:
      'No call changes a status: `simulate payment-method` does, to any status but from CANCELED, and state documents set it.',
    unobservable:
      'No call changes the status of a payment method, and other changes may take longer than a run.',
  }),
  reward_description_language: entry({
    question: 'In which language is the reward_description of a balance?',
    section: 'Rewards balance',
    values: ['english', 'preferred_language'],
    effect:
      '`preferred_language` is Spanish for a customer who prefers it, as a locale of the reward categories would be.',
  }),
  balance_other_currencies: undecidable({
    question: 'Does the balance count rewards in another currency than that of the program?',
    section: 'Rewards balance',
    values: ['added', 'left_out'],
    effect:
      '`added` counts the amount of every reward as it is; `left_out` counts only rewards in the currency of the program, and those without a currency.',
    unobservable:
      'A target does not say which of its rewards are in another currency, and a balance may change with a delay.',
  }),
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
  product_isolation: entry({
    question: 'How is a call answered that names a row of another product?',
    section: 'Authentication 9',
    values: ['as_if_missing'],
    effect: 'Exactly as if the row did not exist: a product cannot see the rows of others.',
  }),
  scope_table: undecidable({
    question: 'Which scope do endpoints need for which the contract names none?',
    section: 'Authentication 7',
    values: ['none'],
    effect: 'A valid key is enough; this includes creating keys and reading payment methods.',
    unobservable: 'The scopes in question have no known name, so no key can be created without them.',
  }),
  create_key_status: entry({
    documented: true,
    question: 'Which status answers a created API key?',
    section: 'POST /v2/keys',
    values: [200, 201],
    effect: 'The status of a successful createApiKey.',
  }),
  create_key_shape: entry({
    documented: true,
    question: 'What are the request and the response of creating an API key?',
    section: 'POST /v2/keys',
    values: ['key_and_dates', 'id_key_secret_scopes_created_at'],
    effect:
      'No body is needed and its fields are ignored. The answer has key and created_at, or also id, secret and scopes; the control plane shows them either way.',
  }),
  new_key_inherits: entry({
    question: 'What does a new key inherit in addition to the scopes?',
    section: 'Authentication 8',
    values: ['products_and_environment'],
    effect:
      'The products and the environment of the key that created it; scenarios that are bound to that key are not.',
  }),
  order_event_fields: undecidable({
    documented: true,
    question: 'Which fields does an order event have?',
    section: 'DELETE /v2/order_events/{order_event_id}',
    values: ['documented'],
    effect:
      'An order event has `order_id`, `type`, `amount` and `network_transaction_id`, and perhaps `order_lines` and more; only operations outside the contract show it.',
    unobservable: 'No operation of the contract returns an order event.',
  }),
} as const
