// Assumptions about statements: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

/** No lifetime, or any number of seconds within the range. */
const noLifetimeOrSeconds: readonly ['none' | number, ...number[]] = ['none', 900]

export const aboutStatements = {
  statements_page_size_parameter: entry({
    question: 'What is the page-size parameter of the statement list called?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
  unknown_account_type: entry({
    question: 'Which error answers an unknown account?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: ['ACCOUNT_NOT_FOUND_ERROR', 'CUSTOMER_NOT_FOUND_ERROR', 'BAD_REQUEST_ERROR'],
    effect: 'Its type; the default is shape C with param account_id, like the other not-found errors.',
  }),
  page_token_lifetime: undecidable({
    question: 'How long does a next_page_token work?',
    section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
    values: noLifetimeOrSeconds,
    range: [1, 604_800],
    effect:
      '`none` sets no limit. A number is the lifetime in seconds of the sandbox clock; an expired token is answered as `unknown_cursor` says. Pages with a token and refusals of an expired one list this assumption.',
    unobservable: 'A check would have to wait until a token expires, which may take far longer than a run.',
  }),
  pdf_url_access: undecidable({
    question: 'Which credential does a pdf_url need?',
    section: 'Statement',
    values: ['link_alone'],
    effect: 'The link opens without an API key for every client that has it, until it expires.',
    unobservable: 'A link may lead to another host, and calibrate sends requests to the target only.',
  }),
  statement_amount_unit: undecidable({
    question: 'In which unit are statement amounts?',
    section: 'Statement',
    values: ['minimum_units'],
    effect: 'Integers in minimum currency units, as all other amounts.',
    unobservable: 'An integer does not show its unit; only the document behind pdf_url does, for people.',
  }),
  statement_fields: undecidable({
    question: 'Which statement fields are always present?',
    section: 'Statement',
    values: ['all_but_overdue_amount'],
    effect: 'All that the contract lists, except overdue_amount, which is present if the row has it.',
    unobservable: 'Statements that were not read may lack a field that all others have.',
  }),
  pdf_url_lifetime_seconds: undecidable({
    question: 'How long does a pdf_url work?',
    section: 'Statement',
    values: [900, 60],
    range: [1, 604_800],
    effect: 'Seconds of the sandbox clock after which the link answers 403.',
    unobservable: 'A check would have to wait until a link expires, which may take far longer than a run.',
  }),
} as const
