// Statement endpoint: list the closed statements of an account, page by page.
import { z } from 'zod'
import { valuesOf } from '../contract/assumptions.ts'
import { documented, exampleOf, presentByRule } from '../contract/docs.ts'
import { errorRow } from '../contract/errors.ts'
import { statement } from '../contract/resources/statement.ts'
import { newestFirst } from '../store/indexes.ts'
import type { StatementRow } from '../store/rows.ts'
import type { IndexPosition } from '../store/table.ts'
import { endpoint, type ExampleCall } from './define.ts'
import { noteSize, startOfPage } from './paging.ts'
import { pageSize, startingAfter } from './parameters.ts'
import { visibleCustomer } from './visible.ts'

/** The length of the `order` of a statement, which begins with its time. */
const lengthOfOrder = 17

const noAccount = errorRow('ACCOUNT_NOT_FOUND_ERROR').message

/** The errors for an unknown account, by assumption. */
const accountErrors = (
  ['ACCOUNT_NOT_FOUND_ERROR', 'CUSTOMER_NOT_FOUND_ERROR', 'BAD_REQUEST_ERROR'] as const
).map((type) => ({
  type,
  on: 'The account is unknown, or belongs to another customer.',
  when: ['unknown_account_type', type] as const,
  message: noAccount,
  missing: 'account_id',
}))

/** Returns the token of the page after the first statement of the built-in rows. */
function exampleToken(call: ExampleCall): string {
  const {
    statement_id: id,
    account_id: account,
    period_end_date: end,
  } = statement.parse(exampleOf(statement))
  return call.cursors.seal(`${call.workspace}/${account}`, newestFirst(end) + id)
}

export const listStatements = endpoint({
  id: 'listStatements',
  method: 'GET',
  path: '/v2/customers/{customer_id}/accounts/{account_id}/statements',
  summary: "List an account's closed statements",
  scope: 'ACCOUNT_READ',
  params: { customer_id: 'The id of the customer.', account_id: 'The id of an account of the customer.' },
  query: {
    limit: {
      schema: pageSize(100),
      description: 'The maximum number of statements on the page.',
      nameFrom: 'statements_page_size_parameter',
      example: '10',
    },
    starting_after: startingAfter(
      'The `next_page_token` of the previous page: opaque, not a statement id.',
      exampleToken,
    ),
  },
  result: documented(
    z.strictObject({
      data: documented(z.array(statement), { description: 'Newest first.' }),
      has_more: z.boolean(),
      next_page_token: documented(presentByRule(z.string().optional()), {
        description: 'Present only when has_more is true; pass it on as starting_after.',
      }),
    }),
    {
      description: 'A page of statements.',
      // The token is present exactly if there are more rows.
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
  errors: [{ type: 'CUSTOMER_NOT_FOUND_ERROR', on: 'The customer is unknown.' }, ...accountErrors],
  pagination: 'token',
  restsOn: ['pdf_url_lifetime_seconds'],
  handler(call) {
    const { params, query, otherwise, tx, now, workspace, values, assume, fail, paging } = call
    const customer = visibleCustomer(call, params.customer_id) ?? fail('CUSTOMER_NOT_FOUND_ERROR')
    const found = tx.get('accounts', params.account_id)
    const account =
      found?.customer_id === customer.id
        ? found
        : fail(assume('unknown_account_type'), { message: noAccount, outcome: 'not_found' })
    const list = `${workspace}/${account.id}`
    // A cycle that is still open at this instant is not a statement, so the list starts after all open ones.
    const newestClosed: IndexPosition = { order: newestFirst(now + 1), id: '\uffff' }
    const limit = query.limit ?? values.default_page_size
    const noToken = 'starting_after: must be the next_page_token of the previous page'
    const start = startOfPage(call, query.starting_after, positionOf, noToken)
    if (start === 'nowhere') return { data: [], has_more: false }
    const page = paging.cut<StatementRow>({
      limit,
      start,
      // Newest first: a cycle that closes from now on comes before the rows of the next pages.
      scan: closedAfter,
      total: () => closedAfter(undefined, Number.POSITIVE_INFINITY).length,
      rowAt: ({ id }) => tx.get('statements', id),
      positionOf: (row) => tx.positionOf('statements', 'by_account', row),
      insert: (like) =>
        tx.put('statements', {
          ...like,
          statement_id: tx.nextId('statements', 'stm'),
          period_end_date: new Date(now).toISOString(),
        }),
      remove: (row) => tx.deleteWithDependents('statements', row.statement_id),
    })
    noteSizes()
    if (page.rows.length > 0) assume('pdf_url_lifetime_seconds')
    const next = page.next ?? newestClosed
    const token = page.more
      ? paging.cursor(() => call.cursors.seal(list, next.order + next.id), query.starting_after)
      : undefined
    const asOf = new Date(now).toISOString()
    return {
      data: page.rows.map((row) => ({ ...row, as_of: asOf, pdf_url: call.pdfUrl(row) })),
      has_more: page.more,
      ...(token === undefined ? {} : { next_page_token: token }),
    }

    function noteSizes(): void {
      const cut = { size: limit, page, assume }
      const { limit: others } = otherwise
      if (query.limit === undefined) noteSize('default_page_size', valuesOf('default_page_size'), cut)
      if (!others) return
      const sizes = others.map((requested) => requested ?? values.default_page_size)
      noteSize('statements_page_size_parameter', sizes, cut)
    }

    function closedAfter(after: IndexPosition | undefined, most: number): StatementRow[] {
      return tx.scan('statements', 'by_account', account.id, { after: after ?? newestClosed, limit: most })
    }

    /**
     * After the clock moved back, an older token may point to cycles that are open again. The page starts after them.
     */
    function positionOf(requested: string): IndexPosition | undefined {
      const text = call.cursors.open(list, requested)
      if (text === undefined) return undefined
      const place = { order: text.slice(0, lengthOfOrder), id: text.slice(lengthOfOrder) }
      return place.order > newestClosed.order ? place : newestClosed
    }
  },
})
