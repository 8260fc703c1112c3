// Customer endpoints: search customers with pagination; search by identifying data and retrieve one (assumption
// `unlisted_operations`).
import { z } from 'zod'
import { valuesOf, type Assumptions } from '../contract/assumptions.ts'
import { documented, exampleOf } from '../contract/docs.ts'
import { dateParts, integer, partnerCustomerId } from '../contract/formats.ts'
import { customer } from '../contract/resources/customer.ts'
import { groupOf } from '../store/indexes.ts'
import type { CustomerRow } from '../store/rows.ts'
import type { IndexPosition } from '../store/table.ts'
import { endpoint, pageOf } from './define.ts'
import { pageOfRows } from './page-of-rows.ts'
import { contractPaging, noteSize, startOfPage } from './paging.ts'
import { pageSize, startingAfter } from './parameters.ts'
import { visibleCustomer } from './visible.ts'

/** The orders of the search in words. */
const orderNames: Record<Assumptions['customers_order'], string> = {
  newest_first: 'newest first',
  oldest_first: 'oldest first',
  id: 'by ascending id',
}

const minCap = Math.min(...valuesOf('customers_page_size_cap'))

const customerPage = documented(
  pageOf(customer),
  {
    description: 'A page of customers.',
    examples: [{ data: [exampleOf(customer)], has_more: false, total: 1 }],
  },
  ({ customers_order }) => ({ description: `A page of customers, ${orderNames[customers_order]}.` }),
)

export const searchCustomers = endpoint({
  id: 'searchCustomers',
  method: 'GET',
  path: '/v2/customers',
  summary: 'Search customers',
  optionalScope: 'AUTHORIZED_USER_READ',
  params: {},
  query: {
    partner_customer_id: {
      schema: partnerCustomerId.optional(),
      description: "The partner's own identifier, compared byte for byte, so case matters.",
      requiredWhen: ['customers_without_filter', 'bad_request'],
      example: 'partner-ada',
    },
    starting_after: startingAfter('The id of the customer after whom the page starts.', 'cus_ada'),
    limit: {
      schema: pageSize(),
      description: 'The maximum number of customers on the page.',
      nameFrom: 'customers_page_size_parameter',
      example: '10',
    },
  },
  result: customerPage,
  pagination: 'id',
  restsOn: ['customers_order'],
  handler(call) {
    const { query, otherwise, tx, product, values, assume, paging } = call
    const group = product.merchant_key
    const limit = pageSizeOf(query.limit)
    const noCustomer = 'starting_after: must be the id of a customer'
    const start = startOfPage(call, query.starting_after, positionOf, noCustomer)
    if (start === 'nowhere') return { data: [], has_more: false, total: countMatches() }
    if (query.partner_customer_id !== undefined && start === undefined && paging === contractPaging) {
      // At most one row matches, so it is the page. `cut` would look up the row twice, which costs 10 % of a search.
      const found = oneMatch(query.partner_customer_id)
      return { data: found ? [found] : [], has_more: false, total: found ? 1 : 0 }
    }
    // Count first: a scenario adds or removes rows only after this page.
    const total = paging.total(countMatches)
    const page = paging.cut<CustomerRow>({
      limit,
      start,
      scan: matches,
      total: countMatches,
      rowAt: ({ id }) => tx.get('customers', id),
      positionOf: (row) => tx.positionOf('customers', 'by_product', row),
      insert: ({ partner_customer_id: _taken, updated_at: _before, ...like }) =>
        tx.put('customers', {
          ...like,
          id: tx.nextId('customers', 'cus'),
          created_at: new Date(call.now).toISOString(),
        }),
      remove: (row) => tx.deleteWithDependents('customers', row.id),
    })
    noteSizes()
    noteOrder(start)
    return { data: page.rows, has_more: page.more, total }

    /** The contract sets no upper limit, so a large size is not an error; the cap limits the page. */
    function pageSizeOf(requested: number | undefined): number {
      return Math.min(requested ?? values.default_page_size, values.customers_page_size_cap)
    }

    function noteSizes(): void {
      const { limit: requestedLimit } = query
      const cut = { size: limit, page, assume }
      if (otherwise.limit) noteSize('customers_page_size_parameter', otherwise.limit.map(pageSizeOf), cut)
      const cap = values.customers_page_size_cap
      if (requestedLimit === undefined) {
        noteSize('default_page_size', valuesOf('default_page_size').map((size) => Math.min(size, cap)), cut) // prettier-ignore
      }
      const wanted = requestedLimit ?? values.default_page_size
      if (wanted > Math.min(minCap, cap)) {
        noteSize('customers_page_size_cap', valuesOf('customers_page_size_cap').map((most) => Math.min(wanted, most)), cut) // prettier-ignore
      }
    }

    /** A single customer has the same position in every order, but its order relative to the cursor can differ. */
    function noteOrder(after: IndexPosition | undefined): void {
      const { partner_customer_id: partnerId } = query
      const found = partnerId === undefined ? undefined : oneMatch(partnerId)
      const mayDiffer = partnerId === undefined ? countMatches() > 1 : found && after && found.id !== after.id
      if (mayDiffer) assume('customers_order')
    }

    /** Returns the customers of the product, or the one with the identifier, after a position. */
    function matches(after: IndexPosition | undefined, most: number): CustomerRow[] {
      if (query.partner_customer_id === undefined) {
        return tx.scan('customers', 'by_product', group, { after, limit: most })
      }
      const found = oneMatch(query.partner_customer_id)
      return found && most > 0 && isAfter(found, after) ? [found] : []
    }

    function oneMatch(partnerId: string): CustomerRow | undefined {
      return tx.find('customers', 'by_partner_customer_id', groupOf(group, partnerId))
    }

    function countMatches(): number {
      if (query.partner_customer_id === undefined) return tx.count('customers', 'by_product', group)
      return oneMatch(query.partner_customer_id) ? 1 : 0
    }

    function positionOf(id: string): IndexPosition | undefined {
      const row = visibleCustomer(call, id)
      return row && tx.positionOf('customers', 'by_product', row)
    }

    function isAfter(row: CustomerRow, place: IndexPosition | undefined): boolean {
      if (place === undefined) return true
      const own = tx.positionOf('customers', 'by_product', row)
      return own.order === place.order ? own.id > place.id : own.order > place.order
    }
  },
})

const identity = documented(
  z.object({
    partner_customer_id: partnerCustomerId.optional(),
    ssn: documented(
      z
        .string()
        .regex(/^\d{9}$/, 'must be 9 digits without hyphens')
        .optional(),
      {
        description: 'A social security number; the sandbox knows its last four digits.',
      },
    ),
    date_of_birth: dateParts.optional(),
    limit: documented(integer.min(1, 'must be at least 1').optional(), {
      description: 'The maximum number of customers on the page.',
      'x-assumption': 'default_page_size',
    }),
    starting_after: documented(z.string().optional(), {
      description: 'The id of the customer after whom the page starts.',
      'x-assumption': 'unknown_cursor',
    }),
  }),
  {
    id: 'CustomerIdentity',
    description: 'The data of the customers to search; every field must match.',
    examples: [{ date_of_birth: { year: 1985, month: 12, day: 10 } }],
  },
)

export const searchCustomersByBody = endpoint({
  listed: false,
  id: 'searchCustomersByBody',
  method: 'POST',
  path: '/v2/customers',
  summary: 'Search customers by identifying data',
  optionalScope: 'AUTHORIZED_USER_READ',
  params: {},
  body: identity,
  bodyOptional: true,
  result: customerPage,
  pagination: 'id',
  restsOn: ['customers_order'],
  handler(call) {
    const { body, tx, product, assume } = call
    const { partner_customer_id: partnerId, ssn, date_of_birth: born } = body
    const rows = () =>
      tx
        .scan('customers', 'by_product', product.merchant_key)
        .filter(
          (row) =>
            (partnerId === undefined || row.partner_customer_id === partnerId) &&
            (ssn === undefined || row.ssn4 === ssn.slice(-4)) &&
            (born === undefined || isSameDate(born, row.date_of_birth)),
        )
    const list = {
      collection: 'customers',
      prefix: 'cus',
      rows,
      unique: ['partner_customer_id'],
      datedBy: 'created_at',
    } as const
    const page = pageOfRows(call, list, body)
    if (page.total > 1) assume('customers_order')
    return page
  },
})

type DateOfBirth = NonNullable<CustomerRow['date_of_birth']>

function isSameDate(sent: DateOfBirth, { year, month, day }: Partial<DateOfBirth> = {}): boolean {
  return sent.year === year && sent.month === month && sent.day === day
}

export const retrieveCustomer = endpoint({
  listed: false,
  id: 'retrieveCustomer',
  method: 'GET',
  path: '/v2/customers/{customer_id}',
  summary: 'Retrieve a customer',
  optionalScope: 'AUTHORIZED_USER_READ',
  params: { customer_id: 'The id of the customer.' },
  result: customer,
  errors: [{ type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' }],
  handler: (call) => visibleCustomer(call, call.params.customer_id) ?? call.fail('CUSTOMER_NOT_FOUND_ERROR'),
})
