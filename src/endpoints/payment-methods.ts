// Payment methods: listing them by customer, type or card number, and retrieving one.
import { z } from 'zod'
import { valuesOf } from '../contract/assumptions.ts'
import { docs, documented, given } from '../contract/docs.ts'
import { integer } from '../contract/formats.ts'
import { pan, paymentMethod, paymentMethodType } from '../contract/resources/payment-method.ts'
import type { PaymentMethodRow } from '../store/rows.ts'
import { endpoint, pageOf, type AnyCall, type Rules } from './define.ts'
import { contractPaging, noteSize, startOfPage } from './paging.ts'
import { visibleCustomer, visibleRow, type Viewer } from './visible.ts'

const filterRules: Rules = (body, assume) => {
  // Without pages, what is wrong with their inputs is none of our business.
  if (!pageInputs.safeParse(body).success) assume('payment_methods_pagination')
  if (body['customer_id'] !== undefined) return []
  const required = assume('payment_methods_required_filter')
  if (required === 'customer_id') return ['customer_id is required']
  if (required === 'customer_id_or_pan' && body['pan'] === undefined)
    return ['customer_id or pan is required']
  return []
}

/** The payment methods that fit every part of the filter, in the order that is assumed. */
function matching(
  call: Viewer & Pick<AnyCall, 'values'>,
  filter: z.output<typeof filterFields>,
): PaymentMethodRow[] {
  const rows = newestFirst(call, filter)
  if (call.values.payment_methods_order === 'newest_first') return rows
  return rows.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))
}

function newestFirst(call: Viewer, filter: z.output<typeof filterFields>): PaymentMethodRow[] {
  const { tx } = call
  const candidates =
    filter.pan !== undefined
      ? tx.scan('payment_methods', 'by_pan', filter.pan)
      : filter.customer_id !== undefined
        ? tx.scan('payment_methods', 'by_customer', filter.customer_id)
        : allNewestFirst(call)
  return candidates.filter(
    (method) =>
      (filter.customer_id === undefined || method.customer_id === filter.customer_id) &&
      (filter.type === undefined || method.type === filter.type) &&
      visibleCustomer(call, method.customer_id) !== undefined,
  )
}

/** Only under assumption `payment_methods_required_filter=none`; no index serves it, as nobody should rely on it. */
function allNewestFirst({ tx }: Viewer): PaymentMethodRow[] {
  const place = (row: PaymentMethodRow): string => tx.placeOf('payment_methods', 'by_customer', row).order
  return [...tx.all('payment_methods')].toSorted((a, b) =>
    place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0,
  )
}

const filterFields = z.object({
  customer_id: documented(z.string().optional(), { 'x-assumption': 'payment_methods_required_filter' }),
  type: documented(paymentMethodType.optional(), { description: 'The type to list.' }),
  pan: documented(pan.optional(), {
    description: 'A whole card number; every filter must fit.',
    'x-assumption': 'payment_methods_required_filter',
  }),
})

const pageFields = {
  limit: documented(integer.min(1, 'must be at least 1').optional(), {
    description: 'How many payment methods the page holds at most.',
    'x-assumption': 'payment_methods_pagination',
  }),
  starting_after: documented(z.string().optional(), {
    description: 'The id of the payment method after which the page starts.',
    'x-assumption': 'payment_methods_pagination',
  }),
}

const pageInputs = z.object(pageFields)

const describeFilter = <S extends z.ZodObject>(schema: S): S =>
  documented(
    schema,
    {
      id: 'PaymentMethodFilter',
      'x-assumption': 'payment_methods_pagination',
      description: 'Which payment methods to list; every filter must fit.',
      examples: [
        { customer_id: 'cus_ada' },
        { customer_id: 'cus_ada', type: 'CARD', pan: '4242424242424242' },
      ],
    },
    ({ payment_methods_required_filter: required }) => {
      if (required === 'customer_id') return { required: ['customer_id'] }
      if (required === 'none') return {}
      return { anyOf: [given('customer_id'), given('pan')] }
    },
  )

const filter = describeFilter(filterFields)
const pagedFilter = describeFilter(filterFields.extend(pageFields))

type PageInputs = z.output<typeof pageInputs>

/** Cuts the page out that was asked for, under assumption `payment_methods_pagination`. */
function pageOut(
  rows: PaymentMethodRow[],
  { limit, starting_after: cursor }: PageInputs,
  { values, assume, invalid }: Pick<AnyCall, 'values' | 'assume' | 'invalid'>,
) {
  const noMethod = 'starting_after must be the id of a listed payment method'
  const rules = { paging: contractPaging, assume, invalid }
  const last = startOfPage(rules, cursor, (id) => rows.find((row) => row.id === id), noMethod)
  if (last === 'nowhere') return { data: [], has_more: false, total: rows.length }
  const start = last === undefined ? 0 : rows.indexOf(last) + 1
  const size = limit ?? values.default_page_size
  const end = start + size
  const page = { rows: rows.slice(start, end), more: end < rows.length }
  if (limit === undefined)
    noteSize('default_page_size', valuesOf('default_page_size'), { size, page, assume })
  return { data: page.rows, has_more: page.more, total: rows.length }
}

/** Whether a page is not the whole list. */
function isCut(
  rows: PaymentMethodRow[],
  { limit, starting_after: cursor }: PageInputs,
  usual: number,
): boolean {
  return cursor !== undefined || (limit ?? usual) < rows.length
}

export const listPaymentMethods = endpoint({
  id: 'listPaymentMethods',
  method: 'POST',
  path: '/v2/payment_methods',
  summary: 'List payment methods',
  optionalScope: 'PCI_DETAILS_READ',
  params: {},
  body: (values) => (values.payment_methods_pagination === 'none' ? filter : pagedFilter),
  malformedBody: 'A',
  rules: filterRules,
  result: documented(pageOf(paymentMethod), {
    description: 'The payment methods that fit.',
    examples: [{ data: docs.get(paymentMethod)?.examples, has_more: false, total: 4 }],
  }),
  errors: [
    {
      type: 'CUSTOMER_NOT_FOUND_ERROR',
      on: 'The customer is unknown.',
      when: ['payment_methods_unknown_customer', 'not_found'],
    },
  ],
  restsOn: ['payment_methods_pagination', 'payment_methods_order'],
  handler(call) {
    const { body, sent, values, assume, fail } = call
    if (body.customer_id !== undefined && !visibleCustomer(call, body.customer_id)) {
      if (assume('payment_methods_unknown_customer') === 'not_found') fail('CUSTOMER_NOT_FOUND_ERROR')
    }
    const rows = matching(call, body)
    const asked = pageInputs.safeParse(sent).data
    if (asked && isCut(rows, asked, values.default_page_size)) assume('payment_methods_pagination')
    const isPaged = asked && values.payment_methods_pagination === 'limit_and_starting_after'
    const answer = isPaged ? pageOut(rows, asked, call) : { data: rows, has_more: false, total: rows.length }
    // Rows are sorted: the ends are alike when all are.
    if (rows[0]?.created_at !== rows.at(-1)?.created_at) assume('payment_methods_order')
    return answer
  },
})

export const retrievePaymentMethod = endpoint({
  id: 'retrievePaymentMethod',
  method: 'GET',
  path: '/v2/payment_methods/{payment_method_id}',
  summary: 'Retrieve a payment method',
  optionalScope: 'PCI_DETAILS_READ',
  params: { payment_method_id: 'The id of the payment method.' },
  result: paymentMethod,
  errors: [{ type: 'PAYMENT_METHOD_NOT_FOUND_ERROR', on: 'The payment method is unknown.' }],
  handler: (call) =>
    visibleRow(call, 'payment_methods', call.params.payment_method_id) ??
    call.fail('PAYMENT_METHOD_NOT_FOUND_ERROR'),
})
