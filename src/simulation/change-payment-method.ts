// Changes a payment method as no API call does: its status changes, its card is reissued, or a customer gets a new card.
import { z } from 'zod'
import { id } from '../contract/formats.ts'
import { paymentMethodStatuses } from '../contract/resources/payment-method.ts'
import { changedAt } from '../store/changed-at.ts'
import { rfc3339 } from '../runtime/rfc3339.ts'
import { readInput } from '../input/read-input.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { findRow } from './find-row.ts'
import { issueCard, type CardDetails } from './issue-card.ts'

/** A change of a payment method: its status, a reissue of its card, or a new virtual card of a customer. */
export type PaymentMethodChange =
  | { id: string; status: (typeof paymentMethodStatuses)[number] }
  | { id: string; reissue: true }
  | { customer_id: string; type: 'CARD' }

/** The fields of all changes. */
const fields = z.strictObject({
  id: id.describe('the payment method to change, with status or reissue'),
  status: z.enum(paymentMethodStatuses).describe('its new status; a CANCELED one stays so'),
  reissue: z.literal(true).describe('give the card another test number, a later expiry and new tokens'),
  customer_id: id.describe('the customer who gets a new virtual card, with type'),
  type: z.literal('CARD').describe('the type of the new payment method'),
})

/** The fields of a request, of which those of one change are set. */
export const paymentMethodFields = fields.partial()

const change = z.union([
  fields.pick({ id: true, status: true }),
  fields.pick({ id: true, reissue: true }),
  fields.pick({ customer_id: true, type: true }),
])

/** Validates each field first, so that a problem of a field is reported as such. */
function readChange(input: unknown): PaymentMethodChange {
  const sent = Object.entries(readInput(paymentMethodFields, input, 'payment method'))
  const present = sent.filter(([, value]) => value !== undefined)
  const names = new Intl.ListFormat('en').format(present.map(([name]) => name))
  const problem =
    present.length < 2 ? `${names || 'an empty object'} names no change` : `${names} do not go together`
  const message = `${problem}: send id with status, id with reissue, or customer_id with type`
  return readInput(change, Object.fromEntries(present), 'payment method', () => [
    { path: [], message, at: 'value' },
  ])
}

/**
 * Changes a payment method, or adds a virtual card on the only account of a customer.
 * @param input a `PaymentMethodChange`; not validated yet.
 * @throws {DocumentError} for an invalid input, with every problem of it.
 * @throws {NotFoundError} for an unknown payment method or customer. @throws {ConflictError} if its status
 * or type allows no such change, or no test number is free.
 */
export function changePaymentMethod(
  tx: Transaction,
  input: unknown,
  now: number,
): { payment_method: Row<'payment_methods'> } {
  const wanted = readChange(input)
  const row = 'customer_id' in wanted ? newCard(tx, wanted.customer_id, now) : changed(tx, wanted, now)
  return { payment_method: tx.put('payment_methods', row) }
}

function changed(
  tx: Transaction,
  wanted: Extract<PaymentMethodChange, { id: string }>,
  now: number,
): Row<'payment_methods'> {
  const current = findRow(tx, 'payment_methods', wanted.id)
  const subject = `payment method '${current.id}'`
  if ('status' in wanted && wanted.status === current.status) {
    throw new ConflictError(`${subject} is ${current.status} already`)
  }
  if (current.status === 'CANCELED') {
    throw new ConflictError(`${subject} is CANCELED for good: send customer_id and type for a new card`)
  }
  const updated_at = changedAt(now, current)
  if ('status' in wanted) return { ...current, status: wanted.status, updated_at }
  const { card, secured_credit_card: secured } = current
  const reissued = (old: CardDetails): CardDetails => reissue(tx, old, now, updated_at)
  if (card) return { ...current, card: reissued(card), status: 'ACTIVE', updated_at }
  if (secured) return { ...current, secured_credit_card: reissued(secured), status: 'ACTIVE', updated_at }
  throw new ConflictError(`${subject} is of type ${current.type}: only one of type CARD can be reissued`)
}

/** Returns a card with another number. Details that the old one hides stay hidden. */
function reissue(tx: Transaction, old: CardDetails, now: number, at: string): CardDetails {
  const { pci_details, ...shown } = issueCard(tx, now, old)
  const expires_at = rfc3339(Date.UTC(Number(shown.exp_year), Number(shown.exp_month), 1) - 1000)
  const tokens = old.tokens?.map((token) => ({
    ...token,
    token: tx.nextId('payment_methods', 'tok'),
    created_at: at,
    updated_at: at,
    ...(token.expires_at && { expires_at }),
    ...(token.pan_reference_id && { pan_reference_id: tx.nextId('payment_methods', 'panref') }),
  }))
  return { ...old, ...shown, ...(old.pci_details && { pci_details }), ...(tokens && { tokens }) }
}

function newCard(tx: Transaction, customerId: string, now: number): Row<'payment_methods'> {
  const customer = findRow(tx, 'customers', customerId)
  const [account, other] = tx
    .scan('accounts', 'by_customer', customer.id)
    .filter(({ status }) => status !== 'CLOSED')
  return {
    id: tx.nextId('payment_methods', 'pm'),
    type: 'CARD',
    customer_id: customer.id,
    created_at: new Date(now).toISOString(),
    status: 'ACTIVE',
    card: { card_type: 'VIRTUAL', ...issueCard(tx, now) },
    ...(account && !other && { account_id: account.id }),
  }
}
