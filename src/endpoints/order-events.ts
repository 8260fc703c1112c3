// Order event endpoints: delete an order event; list and create them (assumption `unlisted_operations`).
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { currencyCode, integer } from '../contract/formats.ts'
import { orderEvent, orderEventTypes } from '../contract/resources/order.ts'
import type { Row } from '../store/rows.ts'
import { endpoint } from './define.ts'
import { linesInBody, missingOrder, orderOf, sumRule } from './orders.ts'
import { describedPage, filterBy, pageOfRows, pageParameters } from './page-of-rows.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

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

/** An order event as answers show it. */
const shown = ({ id, ...event }: Row<'order_events'>): z.input<typeof orderEvent> => {
  const { customer_id: _owner, metadata: _own, ...fields } = event
  return { order_event_id: id, ...fields }
}

export const listOrderEvents = endpoint({
  listed: false,
  id: 'listOrderEvents',
  method: 'GET',
  path: '/v2/order_events',
  summary: 'List order events',
  params: {},
  query: {
    order_event_id: filterBy('The id of the one event to list.', 'ord_ada_1'),
    partner_event_id: filterBy("The partner's own id of the events to list.", 'A-1027-1'),
    order_id: filterBy('The order whose events to list.', 'order_ada_1'),
    network_transaction_id: filterBy("The network's transaction id of the events to list.", 'ntx_ada_0001'),
    ...pageParameters('order events', 'ord_ada_1'),
  },
  result: describedPage(orderEvent, 'A page of order events, by ascending id.'),
  pagination: 'id',
  handler(call) {
    const { query, tx } = call
    const {
      order_event_id: id,
      partner_event_id: partnerId,
      order_id: order,
      network_transaction_id: network,
    } = query
    const rows = () =>
      [...tx.all('order_events')].filter(
        (row) =>
          (id === undefined || row.id === id) &&
          (partnerId === undefined || row.partner_event_id === partnerId) &&
          (order === undefined || row.order_id === order) &&
          (network === undefined || row.network_transaction_id === network) &&
          visibleCustomer(call, row.customer_id) !== undefined,
      )
    const page = pageOfRows(call, { collection: 'order_events', prefix: 'ord', rows }, query)
    return { ...page, data: page.data.map(shown) }
  },
})

export const createOrderEvent = endpoint({
  listed: false,
  id: 'createOrderEvent',
  method: 'POST',
  path: '/v2/order_events',
  summary: 'Create an order event',
  scope: 'ORDER_WRITE',
  params: {},
  body: documented(
    z.object({
      order_event_id: documented(z.string().optional(), {
        description: 'Ignored: the sandbox gives every event an id.',
      }),
      partner_event_id: documented(z.string().optional(), {
        description: "The partner's own id of the event.",
      }),
      order_id: documented(z.string(), { description: 'The id of the order.' }),
      type: z.enum(orderEventTypes),
      amount: documented(integer.clone(), {
        description: 'In minimum currency units; the sum of the lines, if there are any.',
      }),
      rewards_amount: documented(integer.optional(), {
        description: 'In minimum units of the rewards; the sum of the lines, if there are any.',
      }),
      currency: currencyCode.optional(),
      network_transaction_id: documented(z.string(), { description: "The network's transaction id." }),
      order_lines: linesInBody,
    }),
    {
      id: 'NewOrderEvent',
      description: 'What happened to an order.',
      examples: [
        {
          partner_event_id: 'A-1027-3',
          order_id: 'order_ada_1',
          type: 'CAPTURED',
          amount: 6000,
          currency: 'USD',
          network_transaction_id: 'ntx_ada_0001',
        },
      ],
    },
  ),
  rules: (body) => [...sumRule(body, 'amount', 'rate'), ...sumRule(body, 'rewards_amount', 'rewards_rate')],
  result: orderEvent,
  errors: [missingOrder],
  handler(call) {
    const { body, tx } = call
    const { order_event_id: _id, ...fields } = body
    const { customer_id } = orderOf(call, body.order_id)
    return shown(tx.insert('order_events', 'ord', (id) => ({ id, customer_id, ...fields })))
  },
})
