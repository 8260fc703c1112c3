// Order event endpoint: delete an order event.
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { endpoint } from './define.ts'
import { visibleRow } from './visible.ts'

const noOrderEvent = {
  on: 'The order event does not exist.',
  message: 'No order event has this order_event_id.',
  missing: 'order_event_id',
} as const

export const deleteOrderEvent = endpoint({
  id: 'deleteOrderEvent',
  method: 'DELETE',
  path: '/v2/order_events/{order_event_id}',
  summary: 'Delete an order event',
  scope: 'ORDER_WRITE',
  params: { order_event_id: 'The id of the order event.' },
  paramExamples: { order_event_id: 'ord_ada_1' },
  status: (assume) => assume('delete_order_event_status'),
  result: documented(z.strictObject({}), { description: 'An empty object.', examples: [{}] }),
  errors: [
    { type: 'BAD_REQUEST_ERROR', ...noOrderEvent, when: ['delete_missing_order_event', 'bad_request'] },
    { type: 'NOT_FOUND_ERROR', ...noOrderEvent, when: ['delete_missing_order_event', 'not_found'] },
  ],
  handler(call) {
    const { params, tx, assume, fail } = call
    if (visibleRow(call, 'order_events', params.order_event_id)) {
      tx.delete('order_events', params.order_event_id)
    } else {
      const missing = assume('delete_missing_order_event')
      const about = { message: noOrderEvent.message, outcome: 'not_found' } as const
      if (missing === 'bad_request') fail('BAD_REQUEST_ERROR', about)
      if (missing === 'not_found') fail('NOT_FOUND_ERROR', about)
    }
    return {}
  },
})
