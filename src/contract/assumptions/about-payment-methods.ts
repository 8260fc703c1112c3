// Assumptions about payment methods: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

export const aboutPaymentMethods = {
  payment_methods_required_filter: entry({
    question: 'Which body fields does listing payment methods need?',
    section: 'POST /v2/payment_methods',
    values: ['customer_id_or_pan', 'customer_id', 'none'],
    effect: 'A call without the required filter is a validation error; `none` lists all of the product.',
  }),
  payment_methods_unknown_customer: entry({
    question: 'How is listing the payment methods of an unknown customer answered?',
    section: 'POST /v2/payment_methods',
    values: ['not_found', 'empty_list'],
    effect: '`not_found` is CUSTOMER_NOT_FOUND_ERROR; `empty_list` is an empty list.',
  }),
  payment_methods_pagination: entry({
    question: 'Which pagination inputs does listing payment methods take?',
    section: 'POST /v2/payment_methods',
    values: ['none', 'limit_and_starting_after'],
    effect:
      '`none` returns all in one answer; the alternative takes `limit` and `starting_after` in the body, as the customer search does in its query.',
  }),
  payment_methods_listed: entry({
    question: 'Payment methods of which statuses are listed?',
    section: 'POST /v2/payment_methods',
    values: ['all', 'active_only'],
    effect:
      '`active_only` lists and counts payment methods of status ACTIVE only; the others can still be retrieved by id.',
  }),
  payment_method_transitions: undecidable({
    question: 'When does a payment method change its status?',
    section: 'Payment method status',
    values: ['never'],
    effect: 'The statuses of state documents are served as they are.',
    unobservable:
      'No call changes the status of a payment method, and other changes may take longer than a run.',
  }),
  payment_method_fields: undecidable({
    question: 'Which fields of card, bank_account and loan are always present?',
    section: 'Payment method',
    values: ['as_in_the_state'],
    effect: 'An answer has the fields that the row has; last4 is required in a card and in a bank account.',
    unobservable: 'Rows that were not read may lack a field that all others have.',
  }),
  payment_methods_order: entry({
    question: 'In which order are payment methods listed?',
    section: 'POST /v2/payment_methods',
    values: ['newest_first', 'oldest_first'],
    effect: 'The order of the list; rows of equal created_at are ordered by ascending id.',
  }),
} as const
