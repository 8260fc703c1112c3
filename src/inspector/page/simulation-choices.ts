// The rows that a simulation can begin with, as choices of a list.
import type { Row } from '../../store/rows.ts'
import { moneyText } from './transaction-lines.ts'

type Rows<C extends 'customers' | 'payment_methods' | 'transaction_intents' | 'accounts'> = readonly Row<C>[]

/** Choices by value and text; undefined for too many rows to list. */
export type Choices = readonly (readonly [value: string, text: string])[] | undefined

/** Maximum number of rows that are read of a collection, and of choices. */
export const maxRead = 1_000
const maxListed = 200

/** The choices among the rows of a collection. */
export const choicesOf = {
  customers: (rows: Rows<'customers'>): Choices =>
    listed(rows, ({ first_name: first, last_name: last }) => `${first} ${last}`),
  methods: (rows: Rows<'payment_methods'>, customerId: string): Choices =>
    listed(
      rows,
      ({ type, card, secured_credit_card: secured, bank_account: bank }) =>
        `${type} ${(card ?? secured ?? bank)?.last4 ?? ''}`.trim(),
      ({ customer_id: owner }) => owner === customerId,
    ),
  /** Those that a transaction can still match. @param matched the ids of those that one has. */
  intents: (rows: Rows<'transaction_intents'>, matched: ReadonlySet<unknown>): Choices =>
    listed(
      rows,
      ({ amount, currency, customer_id: owner }) => `${moneyText(amount, currency)} of ${owner}`,
      ({ id, status }) => status === 'CONFIRMED' && !matched.has(id),
    ),
  accounts: (rows: Rows<'accounts'>): Choices => listed(rows, ({ customer_id: owner }) => owner),
}

function listed<T extends { id: string }>(
  read: readonly T[],
  textOf: (row: T) => string,
  isChoice: (row: T) => boolean = () => true,
): Choices {
  const rows = read.filter(isChoice)
  if (read.length >= maxRead || rows.length > maxListed) return undefined
  return rows.map((row) => [row.id, `${textOf(row)} (${row.id})`])
}
