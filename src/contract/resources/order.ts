// An order, its lines, and the events of it. The contract names order events and shows none of their fields, so all of
// these are assumption `order_event_fields` (contract: DELETE /v2/order_events/{order_event_id}).
import { z } from 'zod'
import { documented, exampleOf } from '../docs.ts'
import { currencyCode, id, integer, minorUnits, timestamp } from '../formats.ts'
import { address } from './address.ts'

/** The types of the events of an order. */
export const orderEventTypes = ['CAPTURED', 'REFUNDED'] as const

const rewardUnits = documented(integer.clone(), { description: 'An amount in minimum units of the rewards.' })

export const orderLine = documented(
  z.strictObject({
    name: z.string(),
    quantity: documented(integer.min(1, 'must be at least 1'), { description: 'How many.' }),
    rate: documented(minorUnits.clone(), { description: 'The price of one, in minimum currency units.' }),
    rewards_rate: documented(rewardUnits.clone(), { description: 'The rewards for one, in minimum units.' }),
    product_url: z.string().optional(),
  }),
  { id: 'OrderLine', description: 'A line of an order or of an order event.' },
)

const exampleLines = [
  { name: 'Rain jacket', quantity: 1, rate: 6000, rewards_rate: 180 },
  { name: 'Wool socks', quantity: 2, rate: 1200, rewards_rate: 36 },
]

export const order = documented(
  z.strictObject({
    id,
    customer_id: id,
    payment_method_id: id,
    partner_order_id: documented(z.string(), { description: "The partner's own id of the order." }),
    merchant_id: z.string().optional(),
    merchant_name: z.string().optional(),
    merchant_address: z.array(address).optional(),
    order_lines: documented(z.array(orderLine).optional(), { description: 'What is expected.' }),
    total_order_amount: minorUnits,
    total_rewards_amount: rewardUnits.optional(),
    currency: currencyCode.optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
  }),
  {
    id: 'Order',
    description: 'An order of a customer.',
    'x-assumption': 'unlisted_operations',
    examples: [
      {
        id: 'order_ada_1',
        customer_id: 'cus_ada',
        payment_method_id: 'pm_ada_card',
        partner_order_id: 'A-1027',
        merchant_id: 'mer_outdoor',
        merchant_name: 'Outdoor Corner',
        merchant_address: [exampleOf(address)],
        order_lines: exampleLines,
        total_order_amount: 8400,
        total_rewards_amount: 252,
        currency: 'USD',
        created_at: '2026-11-20T09:30:00.000Z',
      },
    ],
  },
)

export const orderEvent = documented(
  z.strictObject({
    order_event_id: id,
    partner_event_id: documented(z.string().optional(), {
      description: "The partner's own id of the event.",
    }),
    order_id: documented(id.clone(), { description: 'The id of the order.' }),
    type: documented(z.string(), { description: `Such as ${orderEventTypes.join(' or ')}.` }),
    amount: minorUnits,
    rewards_amount: rewardUnits.optional(),
    currency: currencyCode.optional(),
    network_transaction_id: documented(z.string(), { description: "The network's transaction id." }),
    order_lines: documented(z.array(orderLine).optional(), { description: 'What happened, line by line.' }),
  }),
  {
    id: 'OrderEvent',
    description: 'What happened to an order.',
    'x-assumption': ['order_event_fields', 'unlisted_operations'],
    examples: [
      {
        order_event_id: 'ord_ada_1',
        partner_event_id: 'A-1027-1',
        order_id: 'order_ada_1',
        type: 'CAPTURED',
        amount: 8400,
        rewards_amount: 252,
        currency: 'USD',
        network_transaction_id: 'ntx_ada_0001',
        order_lines: exampleLines,
      },
    ],
  },
)
