// The list of rewards, the last changed first (assumption `unlisted_operations`).
import { reward } from '../contract/resources/reward.ts'
import type { Row } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { describedPage, filterBy, newestBy, pageOfRows, pageParameters, type List } from './page-of-rows.ts'
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
    transaction_event_id: filterBy('The event of a transaction that generated them.', 'txe_ada_1'),
    ...pageParameters('rewards', 'rwd_1'),
  },
  result: describedPage(reward, 'A page of rewards, the last changed first.'),
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
