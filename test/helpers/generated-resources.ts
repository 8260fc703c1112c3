// Generated resources of events, before and after a change.
import fc from 'fast-check'
import type { EventType } from '../../src/contract/event-types.ts'

const word = fc.stringMatching(/^[a-z]{3,8}$/)
export const numbers = fc.integer({ min: 1, max: 99_999 })
export const instants = fc
  .date({ min: new Date('2015-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

/** The fields of a resource of each collection, without its id. */
const fields = {
  reward: fc.record(
    {
      customer_id: word.map((name) => `cus_${name}`),
      transaction_event_id: word.map((name) => `trx_${name}`),
      amount: numbers,
      type: fc.constantFrom('OFFER', 'REFERRAL'),
      currency: fc.constantFrom('POINTS', 'USD'),
      status: fc.constantFrom('PENDING', 'AVAILABLE'),
      created_at: instants,
      updated_at: instants,
      metadata: fc.dictionary(word, fc.oneof(word, numbers, fc.constant(null)), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    },
    { requiredKeys: ['customer_id', 'amount', 'type', 'status', 'created_at'], noNullPrototype: true },
  ),
  transaction_intent: fc.record({
    customer_id: word.map((name) => `cus_${name}`),
    amount: numbers,
    currency: fc.constantFrom('EUR', 'USD'),
    status: fc.constantFrom('CONFIRMED', 'CANCELED'),
    created_at: instants,
  }),
  customer: fc.record({
    email: word.map((name) => `${name}@example.com`),
    statuses: fc.record({ 'Summit Card': fc.constantFrom('ACTIVE', 'CLOSED') }),
    first_name: word,
    last_name: word,
    created_at: instants,
  }),
  order_event: fc.constant({}),
  statement: fc.record({
    customer_id: word,
    account_id: word,
    as_of: instants,
    period_start_date: instants,
    period_end_date: instants,
    due_date: instants,
    pdf_url: word.map((name) => `https://example.com/${name}.pdf`),
    currency: fc.constantFrom('EUR', 'USD'),
    statement_balance: numbers,
    minimum_due: numbers,
    previous_balance: numbers,
    purchases: numbers,
    payments: numbers.map((amount) => -amount),
    credits: fc.constant(0),
    refunds: fc.constant(0),
    interest: numbers,
    fees: numbers,
    overdue_amount: fc.constant(0),
  }),
  transaction: fc.record({
    customer_id: word.map((name) => `cus_${name}`),
    amount: numbers,
    currency: fc.constantFrom('EUR', 'USD'),
    merchant_name: word,
    posted_at: instants,
  }),
} as const

/** A resource of a type, before and after a change. */
export function resourceStates(type: EventType): fc.Arbitrary<{ resource: object; previous: object | null }> {
  const name = Object.keys(fields).find((one) => type.startsWith(`${one}.`))
  const some: fc.Arbitrary<object> =
    Object.entries(fields).find(([key]) => key === name)?.[1] ?? fc.constant({})
  const isNew = !/updated|linked/.test(type)
  return fc.tuple(fc.stringMatching(/^[a-z]{3}_[a-z0-9]{4,9}$/), some, some).map(([id, after, before]) => {
    const ids = name === 'statement' ? { statement_id: id } : { id }
    return { resource: { ...ids, ...after }, previous: isNew ? null : { ...ids, ...before } }
  })
}
