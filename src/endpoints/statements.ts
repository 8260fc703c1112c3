import { z } from 'zod'
import { documented, exampleOf } from '../contract/docs.ts'
import { statement } from '../contract/resources/statement.ts'
import { newestFirst } from '../store/indexes.ts'
import { endpoint } from './define.ts'
import { pageSize, startingAfter } from './parameters.ts'
import { accountOf, visibleCustomer } from './visible.ts'

export const listStatements = endpoint({
  id: 'listStatements',
  method: 'GET',
  path: '/v2/customers/{customer_id}/accounts/{account_id}/statements',
  summary: "List an account's closed statements",
  section: 'GET /v2/customers/{customer_id}/accounts/{account_id}/statements',
  scope: 'ACCOUNT_READ',
  params: { customer_id: 'The id of the customer.', account_id: 'The id of an account of the customer.' },
  query: {
    limit: {
      schema: pageSize(100),
      description: 'How many statements the page holds at most.',
      nameFrom: 'statements_page_size_parameter',
      example: '10',
    },
    starting_after: startingAfter(
      'The `next_page_token` of the page before; it is opaque, and no statement id.',
    ),
  },
  status: 200,
  result: documented(
    z.strictObject({
      data: documented(z.array(statement), { description: 'Newest first.' }),
      has_more: z.boolean(),
      next_page_token: documented(z.string().optional(), {
        description: 'Present only when has_more is true; pass it on as starting_after.',
      }),
    }),
    {
      description: 'A page of statements.',
      // The token is there exactly when there is more.
      oneOf: [
        { properties: { has_more: { const: true } }, required: ['has_more', 'next_page_token'] },
        { properties: { has_more: { const: false }, next_page_token: false }, required: ['has_more'] },
      ],
      examples: [
        { data: [exampleOf(statement)], has_more: true, next_page_token: 'cGxhY2UtaW4tdGhlLWxpc3Q' },
        { data: [exampleOf(statement)], has_more: false },
      ],
    },
  ),
  errors: [
    { type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' },
    {
      type: 'ACCOUNT_NOT_FOUND_ERROR',
      on: 'The account is unknown, or belongs to another customer.',
      when: ['unknown_account_type', 'ACCOUNT_NOT_FOUND_ERROR'],
    },
    {
      type: 'BAD_REQUEST_ERROR',
      on: 'The account is unknown, or belongs to another customer.',
      when: ['unknown_account_type', 'BAD_REQUEST_ERROR'],
    },
  ],
  pagination: 'token',
  restsOn: ['pdf_url_lifetime_seconds'],
  handler(call) {
    const { params, query, tx, now, cursors, workspace, assume, fail, invalid } = call
    const customer = visibleCustomer(call, params.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const account =
      accountOf(tx, customer.id, params.account_id) ??
      fail(assume('unknown_account_type'), { message: 'No account of this customer has this account_id.' })
    const boundTo = `${workspace}/${account.id}`
    const size = query.limit ?? assume('default_page_size')
    const start = startOf(query.starting_after)
    // Newest first: whatever closes from now on comes before the rows that are still to be shown.
    const rows = start
      ? tx.scan('statements', 'by_account', account.id, { after: start, limit: size + 1 })
      : []
    const page = rows.slice(0, size)
    const last = page.at(-1)
    const more = rows.length > size && last !== undefined
    const asOf = new Date(now).toISOString()
    return {
      data: page.map((row) => ({ ...row, as_of: asOf, pdf_url: call.pdfUrl(row) })),
      has_more: more,
      ...(more ? { next_page_token: cursors.seal(boundTo, placeText(last)) } : {}),
    }

    /** A cycle that is still open at this instant is not a statement, so the scan starts after all open ones. */
    function startOf(token: string | undefined): { order: string; id: string } | undefined {
      const newestClosed = { order: newestFirst(now + 1), id: '\uffff' }
      if (token === undefined) return newestClosed
      const place = cursors.open(boundTo, token)
      if (place !== undefined) return { order: place.slice(0, 17), id: place.slice(17) }
      const unknown = assume('unknown_cursor')
      if (unknown === 'refuse') invalid('starting_after must be the next_page_token of the page before')
      return unknown === 'first_page' ? newestClosed : undefined
    }

    function placeText(row: NonNullable<typeof last>): string {
      const place = tx.placeOf('statements', 'by_account', row)
      return place.order + place.id
    }
  },
})
