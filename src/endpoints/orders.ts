// Order endpoints: list, create, replace and delete orders (assumption `unlisted_operations`).
import { z } from 'zod'
import { documented, exampleOf } from '../contract/docs.ts'
import { exactSumOfProducts } from '../contract/exact-sum.ts'
import { currencyCode, integer } from '../contract/formats.ts'
import { address } from '../contract/resources/address.ts'
import { order, orderLine } from '../contract/resources/order.ts'
import { sameNumber } from '../json/exact-number.ts'
import { stringify } from '../json/stringify.ts'
import type { Row } from '../store/rows.ts'
import { changedAt } from '../store/changed-at.ts'
import { endpoint, type AnyCall, type Rules } from './define.ts'
import { filterBy, listOf, newestBy } from './page-of-rows.ts'
import { visibleRow } from './visible.ts'

export const listOrders = endpoint({
  listed: false,
  id: 'listOrders',
  method: 'GET',
  path: '/v2/orders',
  summary: 'List orders',
  params: {},
  query: {
    id: filterBy('The id of the one order to list.', 'order_ada_1'),
    partner_order_id: filterBy("The partner's own id of the orders to list.", 'A-1027'),
  },
  result: documented(listOf(order), {
    description: 'The orders, newest first.',
    examples: [{ data: [exampleOf(order)] }],
  }),
  handler(call) {
    const { query, tx } = call
    const { id, partner_order_id: partnerId } = query
    const found = [...tx.all('orders')].filter(
      (row) =>
        (id === undefined || row.id === id) &&
        (partnerId === undefined || row.partner_order_id === partnerId) &&
        visibleRow(call, 'orders', row.id) !== undefined,
    )
    return { data: newestBy(found, ({ created_at: created }) => created) }
  },
})

/** The lines in a body, which may have fields that the operation does not know. */
export const linesInBody = z.array(orderLine.strip()).optional()

/**
 * Returns the violation of a total that is not the sum of the lines that are sent with it. The schema refuses a total
 * that is no number.
 */
export function sumRule(
  { order_lines: lines, ...body }: Readonly<Record<string, unknown>>,
  total: string,
  rate: 'rate' | 'rewards_rate',
): string[] {
  const { data: sent } = linesInBody.safeParse(lines)
  const value = body[total]
  if (!sent || typeof value !== 'number') return []
  const sum = exactSumOfProducts(sent.map((line) => [line.quantity, line[rate]] as const))
  return sameNumber(sum, value)
    ? []
    : [`${total}: must be ${stringify(sum)}, the sum of quantity times ${rate} of order_lines`]
}

const orderInBody = documented(
  z.object({
    id: documented(z.string().optional(), { description: 'Ignored: the sandbox gives every order an id.' }),
    customer_id: documented(z.string().optional(), { description: 'The customer of the payment method.' }),
    payment_method_id: z.string(),
    partner_order_id: documented(z.string(), { description: "The partner's own id of the order." }),
    merchant_id: z.string().optional(),
    merchant_name: z.string().optional(),
    merchant_address: z.array(address.strip()).optional(),
    order_lines: linesInBody,
    total_order_amount: documented(integer.clone(), {
      description: 'In minimum currency units; the sum of the lines, if there are any.',
    }),
    total_rewards_amount: documented(integer.optional(), {
      description: 'In minimum units of the rewards; the sum of the lines, if there are any.',
    }),
    currency: currencyCode.optional(),
  }),
  {
    id: 'NewOrder',
    description: 'A whole order.',
    examples: [
      {
        payment_method_id: 'pm_ada_card',
        partner_order_id: 'A-1028',
        order_lines: [{ name: 'Rain jacket', quantity: 1, rate: 6000, rewards_rate: 180 }],
        total_order_amount: 6000,
        total_rewards_amount: 180,
        currency: 'USD',
      },
    ],
  },
)

const orderRules: Rules = (body) => [
  ...sumRule(body, 'total_order_amount', 'rate'),
  ...sumRule(body, 'total_rewards_amount', 'rewards_rate'),
]

const writing = {
  listed: false,
  scope: 'ORDER_WRITE',
  body: orderInBody,
  rules: orderRules,
  result: order,
} as const

const unknownMethod = {
  type: 'PAYMENT_METHOD_NOT_FOUND_ERROR',
  on: 'The payment method is unknown.',
} as const

/** The error of an order that does not exist. */
export const missingOrder = {
  type: 'BAD_REQUEST_ERROR',
  on: 'The order does not exist.',
  message: 'No order has this order_id.',
  missing: 'order_id',
} as const

/** Returns an order that the call may see; without one, it fails. */
export function orderOf(
  call: Pick<AnyCall, 'tx' | 'product'> & { fail(type: 'BAD_REQUEST_ERROR', about: object): never },
  id: string,
): Row<'orders'> {
  return (
    visibleRow(call, 'orders', id) ??
    call.fail('BAD_REQUEST_ERROR', { message: missingOrder.message, outcome: 'not_found' })
  )
}

/** Returns the fields of an order from a body, with the customer of its payment method. */
function fieldsOf(
  call: Pick<AnyCall, 'tx' | 'product' | 'invalid'> & { fail(type: 'PAYMENT_METHOD_NOT_FOUND_ERROR'): never },
  { id: _id, ...body }: z.output<typeof orderInBody>,
): Omit<Row<'orders'>, 'id'> {
  const { customer_id: owner } =
    visibleRow(call, 'payment_methods', body.payment_method_id) ?? call.fail('PAYMENT_METHOD_NOT_FOUND_ERROR')
  if (body.customer_id !== undefined && body.customer_id !== owner) {
    call.invalid('customer_id: must be the customer of the payment method')
  }
  return { ...body, customer_id: owner }
}

export const createOrder = endpoint({
  ...writing,
  id: 'createOrder',
  method: 'POST',
  path: '/v2/orders',
  summary: 'Create an order',
  params: {},
  errors: [unknownMethod],
  handler(call) {
    const { body, tx, now } = call
    const created_at = new Date(now).toISOString()
    const fields = fieldsOf(call, body)
    return tx.insert('orders', 'order', (id) => ({ id, ...fields, created_at }))
  },
})

export const replaceOrder = endpoint({
  ...writing,
  id: 'replaceOrder',
  method: 'PUT',
  path: '/v2/orders/{order_id}',
  summary: 'Replace an order',
  params: { order_id: 'The id of the order.' },
  errors: [missingOrder, unknownMethod],
  handler(call) {
    const { params, body, tx, now } = call
    const { id, created_at } = orderOf(call, params.order_id)
    const updated_at = changedAt(now, { created_at: created_at ?? new Date(now).toISOString() })
    return tx.put('orders', { id, ...fieldsOf(call, body), created_at, updated_at })
  },
})

export const deleteOrder = endpoint({
  listed: false,
  id: 'deleteOrder',
  method: 'DELETE',
  path: '/v2/orders/{order_id}',
  summary: 'Delete an order',
  scope: 'ORDER_WRITE',
  params: { order_id: 'The id of the order.' },
  paramExamples: { order_id: 'order_ada_1' },
  status: 204,
  errors: [missingOrder],
  handler(call) {
    call.tx.delete('orders', orderOf(call, call.params.order_id).id)
    return undefined
  },
})
