// Assumptions about customers: open questions of the contract.
import { entry, numeric, undecidable } from './assumption-entry.ts'

export const aboutCustomers = {
  customers_without_filter: entry({
    question: 'How is a customer search without partner_customer_id answered?',
    section: 'GET /v2/customers',
    values: ['all', 'bad_request'],
    effect:
      '`all` lists every customer of the product; `bad_request` makes a search without partner_customer_id a validation error.',
  }),
  customers_page_size_parameter: entry({
    question: 'What is the page-size parameter of the customer search called?',
    section: 'GET /v2/customers',
    values: ['limit', 'page_size', 'per_page', 'size'],
    effect: 'The name of the parameter; any other name is an unknown parameter.',
  }),
  customers_page_size_cap: numeric({
    question: 'What is the maximum number of customers on a page?',
    section: 'Limits',
    values: [100, 1000],
    range: [1, 1_000_000],
    effect:
      'A larger page size is accepted, as the contract sets no upper bound, but a page never holds more than this.',
  }),
  default_page_size: numeric({
    question: 'How many items does a page hold if the call names no size?',
    section: 'Limits',
    values: [10, 25, 100],
    range: [1, 100],
    effect:
      'The page size of each paginated list when the call sends none. The cap of customer pages applies to it as well.',
  }),
  customers_order: entry({
    question: 'In which order are customers listed?',
    section: 'GET /v2/customers',
    values: ['newest_first', 'oldest_first', 'id'],
    effect: 'The order of the search; rows of equal created_at are ordered by ascending id.',
  }),
  unknown_cursor: entry({
    question: 'How is a starting_after answered that names no position in the list?',
    section: 'GET /v2/customers',
    values: ['refuse', 'empty_page', 'first_page'],
    effect: '`refuse` makes it a validation error, in both pagination dialects; the others hide the mistake.',
  }),
  customer_fields: undecidable({
    question: 'Which customer fields are always present?',
    section: 'Customer',
    values: ['id_name_email_statuses_created_at'],
    effect: 'Rows have at least id, first_name, last_name, email, statuses and created_at.',
    unobservable: 'Customers that were not read may lack a field that all others have.',
  }),
  link_response: entry({
    question: 'How is linking a customer answered?',
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
} as const
