// A statement: a closed billing cycle of an account (contract: Statement), and the components of its balance.
import { z } from 'zod'
import { documented } from '../docs.ts'
import { currencyCode, id, integer, timestamp } from '../formats.ts'

const charged = integer.min(0, 'must not be negative: charges are positive')
const creditedBack = integer.max(0, 'must not be positive: what is credited back is negative')

/** The components of a cycle, whose sum is the balance (contract: Statement, sign convention). */
export const statementComponents = [
  'previous_balance',
  'purchases',
  'payments',
  'credits',
  'refunds',
  'interest',
  'fees',
] as const

export const statement = documented(
  z.strictObject({
    statement_id: id,
    customer_id: id,
    account_id: id,
    as_of: documented(timestamp.clone(), {
      format: 'date-time',
      description: 'When the request was served; not the close of the cycle.',
    }),
    period_start_date: timestamp,
    period_end_date: documented(timestamp.clone(), {
      format: 'date-time',
      description: 'When the cycle closed.',
    }),
    due_date: timestamp,
    pdf_url: documented(
      z.url(),
      {
        description: 'A short-lived link to the document as the cardholder sees it.',
        'x-assumption': 'pdf_url_lifetime_seconds',
      },
      ({ pdf_url_lifetime_seconds: seconds }) => ({
        description: `A link to the document as the cardholder sees it; it works for ${seconds} seconds.`,
      }),
    ),
    currency: currencyCode,
    statement_balance: integer,
    minimum_due: integer,
    previous_balance: integer,
    purchases: charged,
    payments: creditedBack,
    credits: creditedBack,
    refunds: creditedBack,
    interest: charged,
    fees: charged,
    overdue_amount: integer.optional(),
  }),
  {
    id: 'Statement',
    description: 'A closed statement. What was charged is positive, what was credited back is negative.',
    examples: [
      {
        statement_id: 'stm_ada_27',
        customer_id: 'cus_ada',
        account_id: 'acct_ada',
        as_of: '2026-11-20T09:30:00.000Z',
        period_start_date: '2026-10-01T00:00:00.000Z',
        period_end_date: '2026-10-31T23:59:59.000Z',
        due_date: '2026-11-25T00:00:00.000Z',
        pdf_url: 'https://sandbox.example/_sandbox/files/statements/stm_ada_27.pdf?expires=1795167900',
        currency: 'USD',
        statement_balance: 58751,
        minimum_due: 2500,
        previous_balance: 42000,
        purchases: 61250,
        payments: -42000,
        credits: -500,
        refunds: -1999,
        interest: 0,
        fees: 0,
        overdue_amount: 0,
      },
    ],
  },
)
