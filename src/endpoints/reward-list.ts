// The list of rewards, the last changed first (assumption `unlisted_operations`).
import { z } from 'zod'
import { documented, exampleOf } from '../contract/docs.ts'
import { reward } from '../contract/resources/reward.ts'
import type { Row } from '../store/rows.ts'
import { endpoint, pageOf } from './define.ts'
import { newestBy, pageOfRows, pageParameters, type List } from './page-of-rows.ts'
import { visibleCustomer } from './visible.ts'

/** A list of rewards. @param rows in any order. */
export const rewardList = (rows: () => readonly Row<'rewards'>[]): List<'rewards'> => ({
  collection: 'rewards',
  prefix: 'rwd',
  datedBy: 'created_at',
  rows: () => newestBy(rows(), ({ updated_at: updated, created_at: created }) => updated ?? created),
})

export const listRewards = endpoint({
  listed: false,
  id: 'listRewards',
  method: 'GET',
  path: '/v2/rewards',
  summary: 'List rewards',
  params: {},
  query: {
    transaction_event_id: {
      schema: documented(z.string().optional(), {}),
      description: 'The event of a transaction that generated them.',
      example: 'txe_ada_1',
    },
    ...pageParameters('rewards', 'rwd_1'),
  },
  result: documented(pageOf(reward), {
    description: 'A page of rewards, the last changed first.',
    examples: [{ data: [exampleOf(reward)], has_more: false, total: 1 }],
  }),
  pagination: 'id',
  handler(call) {
    const { query, tx } = call
    const wanted = query.transaction_event_id
    const rows = () =>
      [...tx.all('rewards')].filter(
        ({ transaction_event_id: event, customer_id: owner }) =>
          (wanted === undefined || event === wanted) && visibleCustomer(call, owner) !== undefined,
      )
    return pageOfRows(call, rewardList(rows), query)
  },
})
