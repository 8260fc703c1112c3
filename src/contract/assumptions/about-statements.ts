// Assumptions about statements: open questions of the contract.
import { entry, undecidable } from './assumption-entry.ts'

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
  pdf_url_lifetime_seconds: undecidable({
    question: 'How long does a pdf_url work?',
    section: 'Statement',
    values: [900, 60],
    range: [1, 604_800],
    effect: 'Seconds of the sandbox clock after which the link answers 403.',
    unobservable: 'A check would have to wait until a link expires, which may take far longer than a run.',
  }),
} as const
