// Assumptions about transaction intents: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutIntents = {
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
  intent_network_id_reuse: entry({
    question: 'May two transaction intents of a customer have the same network_transaction_id?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes a network_transaction_id that another intent of the customer has a validation error. Only a refusal lists this assumption, as the search would slow down every creation.',
  }),
  intent_closed_customer: entry({
    question: 'May a transaction intent be created for a closed customer?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes the call a validation error if the status of the customer is CLOSED in every program of `statuses`.',
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
  intent_transitions: undecidable({
    question: 'When does a transaction intent change its status?',
    section: 'Transaction intent status',
    values: ['never'],
    effect: 'A created intent is CONFIRMED and stays so; other statuses come from state documents.',
    unobservable:
      'The contract does not show what changes the status of an intent, so no wait is long enough.',
  }),
} as const
