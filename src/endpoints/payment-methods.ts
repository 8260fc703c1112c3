// Payment method endpoints: list payment methods by customer, type or card number; retrieve a payment method.
import { z } from 'zod'
import type { Assume, Assumptions } from '../contract/assumptions.ts'
import { docs, documented, requiresField } from '../contract/docs.ts'
import { integer } from '../contract/formats.ts'
import {
  pan,
  paymentMethod,
  paymentMethodIn,
  paymentMethodType,
  sparsePaymentMethod,
} from '../contract/resources/payment-method.ts'
import type { PaymentMethodRow } from '../store/rows.ts'
import { withoutNulls } from './absent-nulls.ts'
import { endpoint, pageOf, type AnyCall, type Rules } from './define.ts'
import { filterBy, pageOfRows, pageParameters } from './page-of-rows.ts'
import { contractPaging } from './paging.ts'
import { unknownCursor } from './parameters.ts'
import { visibleCustomer, visibleRow, type Viewer } from './visible.ts'

/** Every assumption lists payment methods of this status. */
const activeStatus = 'ACTIVE' satisfies PaymentMethodRow['status']

const filterRules: Rules = (body, assume, values) => {
  // Invalid page inputs are refused only if the assumption enables pages.
  if (!readPageInputs(body, values).success) assume('payment_methods_pagination')
  if (body['customer_id'] !== undefined) return []
  const required = assume('payment_methods_required_filter')
  if (required === 'customer_id') return ['customer_id: is required']
  if (required === 'customer_id_or_pan' && body['pan'] === undefined)
    return ['body: customer_id or pan is required']
  return []
}

/** Records the assumption about fields, if an answer shows metadata that its row lacks. */
export function noteMetadata(rows: readonly PaymentMethodRow[], assume: Assume): void {
  if (rows.some(({ metadata }) => metadata === undefined)) assume('payment_method_fields')
}

/** Returns the payment methods that match the whole filter, of every status, in the assumed order. */
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

/**
 * Used only under assumption `payment_methods_required_filter=none`. It has no index, as no client should rely on it.
 */
function allNewestFirst({ tx }: Viewer): PaymentMethodRow[] {
  const place = (row: PaymentMethodRow): string => tx.positionOf('payment_methods', 'by_customer', row).order
  return [...tx.all('payment_methods')].toSorted((a, b) =>
    place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0,
  )
}

const filterFields = z.object({
  customer_id: documented(z.string().optional(), { 'x-assumption': 'payment_methods_required_filter' }),
  type: documented(paymentMethodType.optional(), { description: 'The type to list.' }),
  pan: documented(pan.optional(), {
    description: 'A whole card number; every filter must match.',
    'x-assumption': 'payment_methods_required_filter',
  }),
})

const pageFields = {
  limit: documented(
    integer.min(1, 'must be at least 1').optional(),
    {
      description: 'The maximum number of payment methods on the page.',
      'x-assumption': ['payment_methods_pagination', 'default_page_size'],
    },
    ({ default_page_size }) => ({ default: default_page_size }),
  ),
  starting_after: documented(
    z.string().optional(),
    { 'x-assumption': ['payment_methods_pagination', 'unknown_cursor'] },
    (values) => ({
      description: `The id of the payment method after which the page starts. ${unknownCursor(values)}`,
    }),
  ),
}

const pageInputs = z.object(pageFields)

/** Parses the page inputs of a body, also without pages, to find out whether pages would change the answer. */
function readPageInputs(
  body: Readonly<Record<string, unknown>>,
  { null_request_fields: nulls }: Assumptions,
): z.ZodSafeParseResult<PageInputs> {
  return pageInputs.safeParse(nulls === 'absent' ? withoutNulls(pageInputs, body) : body)
}

const describeFilter = <S extends z.ZodObject>(schema: S): S =>
  documented(
    schema,
    {
      id: 'PaymentMethodFilter',
      'x-assumption': 'payment_methods_pagination',
      description: 'Which payment methods to list; every filter must match.',
      examples: [
        { customer_id: 'cus_ada' },
        { customer_id: 'cus_ada', type: 'CARD', pan: '4242424242424242' },
      ],
    },
    ({ payment_methods_required_filter: required }) => {
      if (required === 'customer_id') return { required: ['customer_id'] }
      if (required === 'none') return {}
      return { anyOf: [requiresField('customer_id'), requiresField('pan')] }
    },
  )

const filter = describeFilter(filterFields)
const pagedFilter = describeFilter(filterFields.extend(pageFields))

type PageInputs = z.output<typeof pageInputs>

/** Returns the payment methods that a whole list shows, in the assumed order, and records what that rests on. */
export function listedMethods(
  call: Viewer & Pick<AnyCall, 'values' | 'assume'>,
  methodFilter: z.output<typeof filterFields>,
): PaymentMethodRow[] {
  const { values, assume } = call
  const all = matching(call, methodFilter)
  const active = all.filter(({ status }) => status === activeStatus)
  if (active.length < all.length) assume('payment_methods_listed')
  const rows = values.payment_methods_listed === 'all' ? all : active
  if (rows[0]?.created_at !== rows.at(-1)?.created_at) assume('payment_methods_order')
  return rows
}

/** Whether the page that the inputs request differs from the whole list. */
function isCut(
  rows: readonly PaymentMethodRow[],
  { limit, starting_after: cursor }: PageInputs,
  { default_page_size: defaultSize, unknown_cursor: unknown }: Assumptions,
): boolean {
  if ((limit ?? defaultSize) < rows.length) return true
  if (cursor === undefined) return false
  if (unknown === 'refuse' || rows.some(({ id }) => id === cursor)) return true
  return unknown === 'empty_page' && rows.length > 0
}

const describeList = <S extends z.ZodType>(schema: S): S =>
  documented(schema, {
    description: 'The payment methods that match.',
    examples: [{ data: docs.get(paymentMethod)?.examples, has_more: false, total: 4 }],
  })

const list = describeList(pageOf(paymentMethod))
const sparseList = describeList(pageOf(sparsePaymentMethod))

const pageIn = (values: Assumptions) => (paymentMethodIn(values) === paymentMethod ? list : sparseList)

export const listPaymentMethods = endpoint({
  id: 'listPaymentMethods',
  method: 'POST',
  path: '/v2/payment_methods',
  summary: 'List payment methods',
  optionalScope: 'PCI_DETAILS_READ',
  params: {},
  bodyFrom: 'payment_methods_pagination',
  body: (values) => (values.payment_methods_pagination === 'none' ? filter : pagedFilter),
  malformedBody: 'A',
  rules: filterRules,
  result: pageIn,
  errors: [
    {
      type: 'CUSTOMER_NOT_FOUND_ERROR',
      on: 'The customer is unknown.',
      when: ['payment_methods_unknown_customer', 'not_found'],
    },
  ],
  restsOn: ['payment_methods_pagination', 'payment_methods_order', 'payment_methods_listed'],
  gives: ({ payment_methods_listed }) => (payment_methods_listed === 'all' ? {} : { status: [activeStatus] }),
  handler(call) {
    const { body, sent, values, assume, fail } = call
    if (body.customer_id !== undefined && !visibleCustomer(call, body.customer_id)) {
      if (assume('payment_methods_unknown_customer') === 'not_found') fail('CUSTOMER_NOT_FOUND_ERROR')
    }
    const all = matching(call, body)
    const active = all.filter(({ status }) => status === activeStatus)
    const rows = values.payment_methods_listed === 'all' ? all : active
    const pageQuery = readPageInputs(sent, values).data
    if (pageQuery && isCut(rows, pageQuery, values)) assume('payment_methods_pagination')
    const isPaged = pageQuery && values.payment_methods_pagination === 'limit_and_starting_after'
    // A cursor with the id of a payment method that is not ACTIVE has a position only in the list of all.
    if (isPaged && all.some((row) => row.id === pageQuery.starting_after && row.status !== activeStatus)) {
      assume('payment_methods_listed')
    }
    const answer = isPaged
      ? pageOfRows(
          { ...call, paging: contractPaging },
          { collection: 'payment_methods', prefix: 'pm', rows: () => rows },
          pageQuery,
        )
      : { data: rows, has_more: false, total: rows.length }
    if (active.length < all.length) assume('payment_methods_listed')
    // The rows are sorted: if the first and the last have the same time, all do.
    const isSortedByTime = rows[0]?.created_at !== rows.at(-1)?.created_at
    // The page of an unknown cursor is empty in either order.
    const isOfList = answer.data.length > 0 || rows.some(({ id }) => id === pageQuery?.starting_after)
    if (isSortedByTime && isOfList) assume('payment_methods_order')
    noteMetadata(answer.data, assume)
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
  result: paymentMethodIn,
  errors: [{ type: 'PAYMENT_METHOD_NOT_FOUND_ERROR', on: 'The payment method is unknown.' }],
  handler(call) {
    const { params, assume, fail } = call
    const row =
      visibleRow(call, 'payment_methods', params.payment_method_id) ?? fail('PAYMENT_METHOD_NOT_FOUND_ERROR')
    noteMetadata([row], assume)
    return row
  },
})

export const listPaymentMethodsByQuery = endpoint({
  listed: false,
  id: 'listPaymentMethodsByQuery',
  method: 'GET',
  path: '/v2/payment_methods',
  summary: 'List the payment methods of a customer',
  optionalScope: 'PCI_DETAILS_READ',
  params: {},
  query: {
    customer_id: {
      ...filterBy('The customer whose payment methods to list.', 'cus_ada'),
      requiredWhen: ['unlisted_operations', 'documented'],
    },
    type: {
      schema: paymentMethodType.optional(),
      description: 'The type to list.',
      example: 'CARD',
    },
    ...pageParameters('payment methods', 'pm_ada_card'),
  },
  result: pageIn,
  errors: [
    {
      type: 'CUSTOMER_NOT_FOUND_ERROR',
      on: 'The customer is unknown.',
      when: ['payment_methods_unknown_customer', 'not_found'],
    },
  ],
  pagination: 'id',
  handler(call) {
    const { query, assume, fail } = call
    const { customer_id = '', type } = query
    if (!visibleCustomer(call, customer_id)) {
      if (assume('payment_methods_unknown_customer') === 'not_found') fail('CUSTOMER_NOT_FOUND_ERROR')
    }
    const rows = () => listedMethods(call, { customer_id, type })
    const ofCustomer = { collection: 'payment_methods', prefix: 'pm', rows, datedBy: 'created_at' } as const
    const page = pageOfRows(call, ofCustomer, query)
    noteMetadata(page.data, assume)
    return page
  },
})
