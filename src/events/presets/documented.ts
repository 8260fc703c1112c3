// The preset `documented`: one body for each kind, as public documentation of a service of this family shows them. It has
// no events of intents, order events and statements.
import { eventTypeNames, eventTypes } from '../../contract/event-types.ts'
import type { WebhookDescription } from '../description-type.ts'

/** Fields of every body; those of a reward have no `partner_customer_id`. */
const ofAll = { merchant_key: '{merchant_key}', customer_metadata: '{customer_metadata}' }
const common = { ...ofAll, partner_customer_id: '{customer.partner_customer_id}' }

const bodyWith = <Data extends object>(data: Data) => ({ object: '{event.type}', data })

/** Fields with the names that a resource has for them; a question mark allows one to be absent. */
const fieldsOf = (resource: string, ...lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines.flatMap((line) => line.split(' ')).map((name) => [name.replace('?', ''), `{${resource}.${name}}`]),
  )

/** Each time is twice the one before; together they are almost two days. */
const retries = Array.from({ length: 15 }, (_, step) => `${5 * 2 ** step}s`)

const bodies = {
  APPLICATION: bodyWith({ ...common, ...fieldsOf('resource', 'customer_id status created_at updated_at?') }),
  TRANSACTION: bodyWith({
    ...common,
    transaction_id: '{transaction.id}',
    ...fieldsOf(
      'transaction',
      'event_id intent_id payment_method_id customer_id status created_at updated_at amount currency',
      'authorization_code network_transaction_id purchase_method merchant',
    ),
  }),
  PAYMENT_METHOD: bodyWith({
    ...common,
    payment_method_id: '{payment_method.id}',
    customer_id: '{payment_method.customer_id}',
    ...fieldsOf('card', 'card_type card_design_id?'),
    previous_status: '{previous.status?}',
    new_status: '{payment_method.status}',
    tokens: '{card.tokens?}',
    ...fieldsOf('payment_method', 'created_at updated_at?'),
  }),
  CUSTOMER_LINK: bodyWith({
    ...common,
    customer_id: '{customer.id}',
    status: 'ACTIVE',
    created_at: '{event.time}',
    updated_at: '{customer.updated_at?}',
  }),
  REWARD: bodyWith({
    ...ofAll,
    reward_id: '{reward.id}',
    customer_id: '{reward.customer_id}',
    transaction_id: '{transaction.id?}',
    ...fieldsOf('reward', 'type amount status currency? created_at metadata?'),
  }),
  STREAK: bodyWith({
    ...common,
    ...fieldsOf(
      'resource',
      'customer_id streak_id streak_config_id event status period_type current_period completed_periods',
      'total_periods current_period_start_at? current_period_end_at? benefits created_at metadata?',
    ),
  }),
  ACCOUNT_STATUS: bodyWith({
    ...common,
    ...fieldsOf('account', 'customer_id status'),
    updated_at: '{event.time}',
  }),
}

export const documented = {
  /** Each type has the name of its kind. */
  names: Object.fromEntries(
    eventTypeNames.map((type) => [type, eventTypes[type].kind]).filter(([, kind = '']) => kind in bodies),
  ),
  bodies,
  sort_keys: true,
  headers: { 'x-service-hmac-signature': 't={attempt.time:unix_ms},s={signature:hex}' },
  signing: { algorithm: 'hmac-sha256', key: 'sha256', signed: '{attempt.time:unix_ms}.{body}' },
  retries,
  success: '2xx',
  timeout: '15s',
} as const satisfies WebhookDescription
