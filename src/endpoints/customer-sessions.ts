// Customer session endpoints: create and retrieve a session (assumption `unlisted_operations`).
import { z } from 'zod'
import { documented } from '../contract/docs.ts'
import { currencyCode, integer, metadata, partnerCustomerId, timestamp } from '../contract/formats.ts'
import { address } from '../contract/resources/address.ts'
import { customerMetadata, customerSession, sessionLifetime } from '../contract/resources/customer-session.ts'
import { groupOf } from '../store/indexes.ts'
import type { CustomerRow } from '../store/rows.ts'
import { endpoint, type AnyCall } from './define.ts'
import {
  amountInForce,
  amountRules,
  metadataInRequest,
  metadataRules,
  requestedAmount,
} from './parameters.ts'
import { visibleCustomer, visibleRow } from './visible.ts'

const customerHistory = documented(
  z.object({
    email: z.string().optional(),
    phone: z.string().optional(),
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    preferred_language: z.string().optional(),
    address: address.strip().optional(),
    account_tenure: documented(integer.optional(), { description: 'In months.' }),
    ltv_amount: integer.optional(),
    ltv_currency: currencyCode.optional(),
    loyalty_tier: z.string().optional(),
    account_created_at: timestamp.optional(),
    transaction_count: integer.optional(),
  }),
  { id: 'CustomerHistory', description: 'What the partner knows about the customer.' },
)

const newSession = documented(
  z.object({
    customer_id: documented(z.string().optional(), { description: 'A known customer.' }),
    partner_customer_id: documented(partnerCustomerId.optional(), {
      description: "The partner's own identifier; a new customer gets it if no customer has it.",
    }),
    transaction_amount: documented(
      requestedAmount.optional(),
      { description: 'In minimum currency units.', 'x-assumption': 'negative_amount' },
      amountInForce,
    ),
    transaction_currency: currencyCode.optional(),
    customer_history: customerHistory.optional(),
    source: documented(z.string().optional(), { description: 'Where the session begins.' }),
    metadata: documented(metadata.optional(), metadataInRequest),
    customer_metadata: customerMetadata.optional(),
  }),
  {
    id: 'NewCustomerSession',
    description: 'The customer of the session; every field is optional.',
    examples: [
      { partner_customer_id: 'partner-new', source: 'checkout', customer_metadata: { segment: 'gold' } },
    ],
  },
)

export const createCustomerSession = endpoint({
  listed: false,
  id: 'createCustomerSession',
  method: 'POST',
  path: '/v2/customer_sessions',
  summary: 'Create a customer session',
  params: {},
  body: newSession,
  bodyOptional: true,
  rules: (body, assume, values) => [
    ...amountRules({ amount: body['transaction_amount'] }, assume, values).map(
      (text) => `transaction_${text}`,
    ),
    ...metadataRules(body, assume, values),
  ],
  status: 201,
  result: customerSession,
  handler(call) {
    const { body, tx, now } = call
    const { customer_id: _id, partner_customer_id: _partnerId, customer_history: _history, ...given } = body
    return tx.put('customer_sessions', {
      id: tx.nextId('customer_sessions', 'ses'),
      customer_id: customerOfSession(call, body).id,
      client_secret: tx.nextToken('secret'),
      created_at: new Date(now).toISOString(),
      expires_at: new Date(now + sessionLifetime).toISOString(),
      ...given,
    })
  },
})

/** Returns the customer of a session; a new one if it names none, or an identifier that no customer has. */
function customerOfSession(
  call: Pick<AnyCall, 'tx' | 'product' | 'now' | 'invalid'>,
  {
    customer_id: id,
    partner_customer_id: partnerId,
    customer_history: history = {},
  }: z.output<typeof newSession>,
): CustomerRow {
  const { tx, product, now, invalid } = call
  if (id !== undefined) {
    const customer = visibleCustomer(call, id) ?? invalid('customer_id: must be the id of a customer')
    if (partnerId !== undefined && partnerId !== customer.partner_customer_id) {
      invalid('partner_customer_id: must be that of the customer, or omitted')
    }
    return customer
  }
  const known =
    partnerId === undefined
      ? undefined
      : tx.find('customers', 'by_partner_customer_id', groupOf(product.merchant_key, partnerId))
  if (known) return known
  const newId = tx.nextId('customers', 'cus')
  const { email = `${newId}@example.com`, first_name = 'New', last_name = 'Customer' } = history
  const { phone, preferred_language, address: home } = history
  return tx.put('customers', {
    id: newId,
    email,
    phone,
    statuses: {},
    first_name,
    last_name,
    preferred_language,
    address: home,
    partner_customer_id: partnerId,
    created_at: new Date(now).toISOString(),
    authorized_users: [],
    product: product.merchant_key,
  })
}

export const retrieveCustomerSession = endpoint({
  listed: false,
  id: 'retrieveCustomerSession',
  method: 'GET',
  path: '/v2/customer_sessions/{session_id}',
  summary: 'Retrieve a customer session',
  params: { session_id: 'The id of the session.' },
  result: customerSession,
  errors: [{ type: 'SESSION_NOT_FOUND_ERROR', on: 'The session is unknown.' }],
  handler: (call) =>
    visibleRow(call, 'customer_sessions', call.params.session_id) ?? call.fail('SESSION_NOT_FOUND_ERROR'),
})
