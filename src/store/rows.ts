// The rows of each collection. A row is the contract's resource plus internal fields, which no answer shows. From one
// declaration zod gives a row its type, its validation and its JSON Schema.
import { z } from 'zod'
import { scope } from '../contract/resources/api-key.ts'
import { account as accountOfCustomer, accountStatuses } from '../contract/resources/account.ts'
import { merchant, transactionStatus } from '../contract/resources/card-transaction.ts'
import { customer } from '../contract/resources/customer.ts'
import { customerLink } from '../contract/resources/customer-link.ts'
import { sparsePaymentMethod } from '../contract/resources/payment-method.ts'
import { customerSession } from '../contract/resources/customer-session.ts'
import { offer } from '../contract/resources/offer.ts'
import { order, orderEvent } from '../contract/resources/order.ts'
import { accruals, reward } from '../contract/resources/reward.ts'
import { statement } from '../contract/resources/statement.ts'
import { transactionIntent } from '../contract/resources/transaction-intent.ts'
import { address } from '../contract/resources/address.ts'
import {
  currencyCode,
  dateOrTimestamp,
  decimalString,
  endpointSecret,
  id,
  integer,
  metadata,
  minorUnits,
  rewardCurrency,
  timestamp,
} from '../contract/formats.ts'
import { attemptFaults, deliveryStates, eventSources, eventTypeNames } from '../contract/event-types.ts'
import { environments, releasedVersions } from '../contract/versions.ts'
import { eventIdPattern } from './sequences.ts'

const releasedVersion = z.enum(releasedVersions)

/** The settings of the partner's account: the version used when a request names none (contract: Versioning 2). */
export const account = z.strictObject({
  saved_version: z.strictObject({ sandbox: releasedVersion, production: releasedVersion }),
})
export type Account = z.infer<typeof account>

/** A text in one language for all clients, or in English and Spanish. */
export const localizedText = z.union(
  [z.string(), z.strictObject({ en: z.string(), es: z.string() })],
  'must be a text, or one each for en and es',
)
export type LocalizedText = z.infer<typeof localizedText>

const product = z.strictObject({
  merchant_key: id,
  name: z.string(),
  rewards: z.strictObject({
    currency: rewardCurrency,
    symbol: z.string(),
    /** When rewards become available; `statement` if absent. */
    accrual: z.enum(accruals, `must be one of ${accruals.join(', ')}`).optional(),
    description: localizedText,
    /** The number of decimals in which earn rates are shown. */
    precision: integer.min(0, 'must be 0 to 8').max(8, 'must be 0 to 8'),
    categories: z.array(
      z.strictObject({
        name: localizedText,
        description: localizedText,
        earn_rate: decimalString,
        type: z.string(),
        /** No merchants: the category of every purchase that no other category lists. */
        merchants: z.array(z.string()),
      }),
    ),
    special_categories: z.array(
      z.strictObject({ name: localizedText, description: localizedText, type: z.string() }),
    ),
  }),
})

/** The characters of an Authorization header: Basic splits at the first colon, and spaces end a credential. */
const credentialText = z
  .string()
  .regex(
    /^[\x21-\x39\x3b-\x7e]{1,200}$/,
    'must be 1 to 200 printable ASCII characters without spaces and colons',
  )

const apiKey = z.strictObject({
  id: credentialText,
  secret: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters without spaces'),
  api_key: credentialText,
  scopes: z.array(scope),
  products: z.array(id).min(1, 'must name at least one merchant key'),
  environment: z.enum(environments),
  created_at: timestamp,
  scenarios: z.array(z.string()).optional(),
})

/** The fields that every customer of the sandbox has, whichever of them the assumption requires. */
const storedCustomer = customer.extend({
  email: z.string(),
  statuses: customer.shape.statuses.unwrap(),
  first_name: z.string(),
  last_name: z.string(),
  created_at: timestamp,
  product: id,
  opening_balance: minorUnits.optional(),
})

/** The link of a customer, by the id of the customer. A linked customer without a row has one of status ACTIVE. */
const link = customerLink.omit({ customer_id: true }).extend({ id })

/** An account without a status is open. */
const storedAccount = accountOfCustomer.extend({ status: z.enum(accountStatuses).optional() })

const storedPaymentMethod = sparsePaymentMethod.extend({ account_id: id.optional() })

const storedIntent = transactionIntent.extend({
  merchant_name: z.string().optional(),
  merchant_address: address.optional(),
  merchant_id: z.string().optional(),
  merchant_code: z.string().optional(),
  expected_date: dateOrTimestamp.optional(),
})

const storedStatement = statement.omit({ as_of: true, pdf_url: true })

const { order_event_id: _id, ...eventFields } = orderEvent.shape
const storedOrderEvent = z.strictObject({
  id,
  customer_id: id,
  ...eventFields,
  metadata: metadata.optional(),
})

/** The part of an order event that a partner knows. */
export const orderEventId = storedOrderEvent.pick({ id: true })

const { name: _name, category_code: _code, ...merchantFields } = merchant.shape

/**
 * A purchase, whose steps are transaction events; it has the status and amount of the last one. One without a status is
 * a payment or a credit: it has no steps, and a statement lists it itself.
 */
const transaction = z.strictObject({
  id,
  customer_id: id,
  payment_method_id: id.optional(),
  account_id: id.optional(),
  amount: minorUnits,
  currency: currencyCode,
  status: transactionStatus.optional(),
  merchant_name: z.string(),
  merchant_code: z.string().optional(),
  merchant: z.strictObject(merchantFields).optional(),
  intent_id: id.optional(),
  network_transaction_id: z.string().optional(),
  authorization_code: z.string().optional(),
  purchase_method: z.string().optional(),
  partner_transaction_id: z.string().optional(),
  metadata: metadata.optional(),
  statement_id: id.optional(),
  posted_at: timestamp.optional(),
  created_at: timestamp,
  updated_at: timestamp.optional(),
})

/** A step in the life of a transaction. */
const transactionEvent = z.strictObject({
  id,
  transaction_id: id,
  /** Counts the steps of the transaction; without it, their order is that of `posted_at`. */
  n: integer.min(1, 'must be 1 or more').optional(),
  status: transactionStatus,
  amount: minorUnits.min(0, 'must not be negative: the status gives the direction'),
  posted_at: timestamp,
  /** The account whose statement lists it; absent if none does. */
  account_id: id.optional(),
  /** The capture that it refunds. */
  capture_id: id.optional(),
  /** The rate at which its capture earned, and what it earned or took back. */
  earn_rate: decimalString.optional(),
  reward_amount: minorUnits.optional(),
  /** The reward that it created or, in a sum, is part of. */
  reward_id: id.optional(),
  statement_id: id.optional(),
})

const storedOffer = offer.extend({ customer_id: id })

const storedSession = customerSession.extend({
  customer_id: id,
  created_at: timestamp,
  transaction_amount: minorUnits.optional(),
  transaction_currency: currencyCode.optional(),
})

/** The types that an endpoint receives: names, or `*` for all. */
export const subscribedTypes = z
  .array(
    z.enum(['*', ...eventTypeNames], `must be * for all, or one of ${eventTypeNames.join(', ')}`),
    'must be a list of event types',
  )
  .min(1, 'must have a type, or * for all')

/** The address of an endpoint. */
export const endpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be a URL with http or https' })
  .refine((url) => !hasCredentials(url), 'must not contain a user name or a password')

function hasCredentials(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username !== '' || password !== ''
}

/** Maximum number of endpoints of a workspace: each event has an attempt for each of them. */
export const maxEndpoints = 100

/** Maximum number of attempts of an event: the outcome of each rewrites the row of the event. */
export const maxAttempts = 100

/** An address that receives webhook events. Without `secret`, that derives from the seed, its id and its rotations. */
const webhookEndpoint = z.strictObject({
  id,
  url: endpointUrl,
  events: subscribedTypes,
  enabled: z.boolean('must be true or false'),
  created_at: timestamp,
  /** Its secret until the first rotation, if it is not derived. */
  secret: endpointSecret.optional(),
  /** Any certificate of a receiver on this machine is accepted. */
  insecure: z.literal(true, 'must be true or omitted').optional(),
  /** A listener elsewhere sends its deliveries to the address: the sandbox does not connect to it. */
  listener: z.literal(true, 'must be true or omitted').optional(),
  /** How often its secret was replaced, and when last. */
  rotation: z.strictObject({ count: integer.min(1, 'must be 1 or more'), at: timestamp }).optional(),
})

const eventId = z
  .string()
  .regex(
    eventIdPattern,
    'must be evt_, a workspace with a generation or neither, and a number, such as evt_1 or evt_w3_2_1',
  )

const delivery = z.strictObject({
  /** Counts the attempts of the event, over all endpoints. */
  n: integer.min(1, 'must be 1 or more'),
  endpoint_id: id.nullable(),
  due: timestamp,
  at: timestamp.nullable(),
  state: z.enum(deliveryStates, `must be one of ${deliveryStates.join(', ')}`),
  status: integer.nullable(),
  reason: z.string(),
  /** The first 2 kB of the body of the answer, with secrets masked. */
  response_body: z.string().optional(),
  /** The faults that a scenario adds to it. */
  faults: z.array(z.enum(attemptFaults, `must be one of ${attemptFaults.join(', ')}`)).optional(),
  /** It is made after the attempts to deliver this event, in place of the position of its own event. */
  after: eventId.optional(),
})

/** A webhook event, with its attempts. */
const event = z.strictObject({
  id: eventId,
  type: z.enum(eventTypeNames, `must be one of ${eventTypeNames.join(', ')}`),
  time: timestamp,
  source: z.enum(eventSources, `must be one of ${eventSources.join(', ')}`),
  /** The resource after the change, as the API returns it. */
  data: metadata,
  /** The resource before the change; null for a new one. */
  previous: metadata.nullable(),
  /** The resources and texts that its body shows in addition, by their names in templates. */
  related: metadata.optional(),
  request_id: z.string().nullable(),
  deliveries: z.array(delivery).max(maxAttempts, `must have at most ${maxAttempts} attempts`),
  /** The rules of scenarios that changed its deliveries. */
  scenario_rules: z.array(z.string()).optional(),
})

/** The schema of a row of each collection, in the order of a state document. */
export const rowSchemas = {
  products: product,
  api_keys: apiKey,
  customers: storedCustomer,
  links: link,
  accounts: storedAccount,
  payment_methods: storedPaymentMethod,
  rewards: reward,
  transaction_intents: storedIntent,
  statements: storedStatement,
  orders: order,
  order_events: storedOrderEvent,
  transactions: transaction,
  transaction_events: transactionEvent,
  offers: storedOffer,
  customer_sessions: storedSession,
  webhook_endpoints: webhookEndpoint,
  events: event,
} as const

export type CollectionName = keyof typeof rowSchemas

/** A row of a collection. Rows are never changed in place: a new row replaces the old one. */
export type Row<C extends CollectionName> = Readonly<z.infer<(typeof rowSchemas)[C]>>
export type AnyRow = Row<CollectionName>

export type ApiKeyRow = Row<'api_keys'>
export type CustomerRow = Row<'customers'>
export type ProductRow = Row<'products'>
export type PaymentMethodRow = Row<'payment_methods'>
export type StatementRow = Row<'statements'>
export type EventRow = Row<'events'>

export const collectionNames: readonly CollectionName[] = Object.keys(rowSchemas) as CollectionName[]
