// An independent verifier of events as public documentation shows them: headers, signature, envelope, and the fields of
// each kind. It imports nothing of the sandbox.
import { createHash, createHmac } from 'node:crypto'

/** How the token becomes the key of the signature: documentation allows both readings. */
export type KeyReading = 'bytes' | 'hex text'

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string' && value !== ''
const integer: Check = (value) => Number.isSafeInteger(value)
const time: Check = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const texts: Check = (value) =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string')
const listOfObjects: Check = (value) => Array.isArray(value) && value.every(isObject)
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.some((one) => one === value)
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)

interface Kind {
  readonly required: Readonly<Record<string, Check>>
  readonly optional?: Readonly<Record<string, Check>>
}

const cardStatus = oneOf('ACTIVE', 'INACTIVE', 'CANCELED')
const ofAll = { merchant_key: text, customer_metadata: texts }
const common = { ...ofAll, partner_customer_id: orNull(text) }

const kinds: Readonly<Record<string, Kind>> = {
  APPLICATION: {
    required: { ...common, customer_id: text, status: oneOf('OFFER_ACCEPTED', 'REJECTED'), created_at: time },
    optional: { updated_at: time },
  },
  TRANSACTION: {
    required: {
      ...common,
      transaction_id: text,
      event_id: text,
      intent_id: orNull(text),
      payment_method_id: text,
      customer_id: text,
      status: oneOf('APPROVED', 'UPDATED', 'VOIDED', 'CAPTURED', 'REFUNDED'),
      created_at: time,
      updated_at: orNull(time),
      amount: integer,
      currency: text,
      authorization_code: orNull(text),
      network_transaction_id: orNull(text),
      purchase_method: orNull(
        oneOf('CHIP', 'CONTACTLESS', 'KEYEDIN', 'ONLINE', 'SWIPE', 'QRCODE', 'OCR', 'UNKNOWN'),
      ),
      merchant: isObject,
    },
  },
  PAYMENT_METHOD: {
    required: {
      ...common,
      payment_method_id: text,
      customer_id: text,
      card_type: oneOf('PHYSICAL', 'VIRTUAL', 'UNIFIED'),
      created_at: time,
    },
    optional: {
      card_design_id: text,
      previous_status: cardStatus,
      new_status: cardStatus,
      tokens: (value) => listOfObjects(value) && Array.isArray(value) && value.length > 0,
      updated_at: time,
    },
  },
  CUSTOMER_LINK: {
    required: { ...common, customer_id: text, status: oneOf('ACTIVE'), created_at: time },
    optional: { updated_at: time },
  },
  REWARD: {
    required: {
      ...ofAll,
      reward_id: text,
      customer_id: text,
      type: oneOf('OFFER', 'TRANSACTION', 'ONE_TIME', 'STATEMENT', 'REFERRAL'),
      amount: integer,
      status: oneOf('PENDING', 'AVAILABLE', 'PENDING_DEDUCTION', 'DEDUCTED'),
      created_at: time,
    },
    optional: { transaction_id: text, currency: text, metadata: isObject },
  },
  STREAK: {
    required: {
      ...common,
      customer_id: text,
      streak_id: text,
      streak_config_id: text,
      event: oneOf('ENROLLED', 'PERIOD_COMPLETED', 'STREAK_COMPLETED', 'STREAK_FAILED'),
      status: oneOf('IN_PROGRESS', 'COMPLETED', 'FAILED'),
      period_type: text,
      current_period: integer,
      completed_periods: integer,
      total_periods: integer,
      benefits: listOfObjects,
      created_at: time,
    },
    optional: { current_period_start_at: time, current_period_end_at: time, metadata: isObject },
  },
  ACCOUNT_STATUS: {
    required: { ...common, customer_id: text, status: oneOf('CLOSED'), updated_at: time },
  },
}

const streakStatus: Readonly<Record<string, string>> = {
  ENROLLED: 'IN_PROGRESS',
  PERIOD_COMPLETED: 'IN_PROGRESS',
  STREAK_COMPLETED: 'COMPLETED',
  STREAK_FAILED: 'FAILED',
}

/** Every kind of event. */
export const documentedKinds = Object.keys(kinds)

/**
 * Returns why a delivery is refused; undefined if it is accepted.
 * @param headers by their names in lower case. @param body the text as it was received.
 */
export function problemOfDocumented(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  token: string,
  reading: KeyReading = 'bytes',
): string | undefined {
  const form = /^t=(\d{13}),s=([0-9a-f]{64})$/.exec(headers['x-service-hmac-signature'] ?? '')
  if (!form) return 'the header of the signature'
  const [, milliseconds = '', signature] = form
  const hash = createHash('sha256').update(token)
  const key = reading === 'bytes' ? hash.digest() : hash.digest('hex')
  if (createHmac('sha256', key).update(`${milliseconds}.${body}`).digest('hex') !== signature)
    return 'the signature'
  if (headers['content-type'] !== 'application/json') return 'the content type'
  const envelope: unknown = JSON.parse(body)
  if (!isObject(envelope) || Object.keys(envelope).join() !== 'data,object') return 'the envelope'
  if (sortedText(envelope) !== body) return 'a body that is not compact, or without sorted keys'
  const { object, data } = envelope
  const kind = kinds[String(object)]
  if (!kind || !isObject(data)) return 'the kind'
  const { required, optional = {} } = kind
  for (const [field, check] of Object.entries(required)) if (!check(data[field])) return field
  for (const [field, value] of Object.entries(data))
    if (!(field in required) && optional[field]?.(value) !== true) return field
  if (object === 'STREAK') {
    if (streakStatus[String(data['event'])] !== data['status']) return 'status'
    for (const field of ['current_period_start_at', 'current_period_end_at'])
      if ((data['event'] === 'STREAK_FAILED') === field in data) return field
  }
  if (object === 'REWARD' && data['type'] !== 'TRANSACTION' && 'transaction_id' in data)
    return 'transaction_id'
  return undefined
}

/** JSON without white space, with sorted keys. */
function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${sortedText(value[key])}`)
  return `{${fields.join(',')}}`
}
