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
  intent_closed_customer: entry({
    question: 'May a closed customer make a transaction intent?',
    section: 'POST /v2/transaction_intents',
    values: ['accept', 'refuse'],
    effect:
      '`refuse` makes a customer a validation error whose status is CLOSED in every program of `statuses`.',
  }),
  intent_currency: entry({
    question: 'Which currency may a transaction intent have?',
    section: 'POST /v2/transaction_intents',
    values: ['any_code', 'of_the_account'],
    effect:
      '`of_the_account` makes any currency but that of the account of the payment method a validation error. Without a payment method that has an account, every code is accepted.',
  }),
  currency_case: entry({
    question: 'May the currency of a new transaction intent have small letters?',
    section: 'POST /v2/transaction_intents',
    values: ['upper_only', 'any'],
    effect:
      '`upper_only` makes a code with small letters a validation error; `any` accepts it and answers it in capital letters.',
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
  intent_transitions: undecidable({
    question: 'When does a transaction intent change its status?',
    section: 'Transaction intent status',
    values: ['never'],
    effect: 'A created intent is CONFIRMED and stays so; other statuses come from state documents.',
    unobservable: 'What changes an intent is not shown, so that no wait for it is long enough.',
  }),
} as const
