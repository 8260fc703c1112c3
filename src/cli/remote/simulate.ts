// The verbs simulate transaction and simulate statement: money that partners cannot move, in a running sandbox.
import { z } from 'zod'
import { connect } from './connect.ts'
import { shownText } from './control-client.ts'
import { inOptions, numbersOf, textsOf, transactionFields } from './fields.ts'
import { show } from './show.ts'
import { CliError, type Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

const money = z.number().or(z.string())
const named = z.object({ id: shownText })
const simulated = z.object({
  transaction: named.extend({ amount: money, currency: shownText, merchant_name: shownText }),
  intent: named.nullable(),
  reward: named.extend({ amount: money, currency: shownText.optional(), status: shownText }).nullable(),
})

function transactionText({ transaction, intent, reward }: z.output<typeof simulated>): string {
  const { id, amount, currency, merchant_name: merchant } = transaction
  const earned = reward && [reward.id, reward.amount, reward.currency, reward.status]
  const lines = [
    `transaction ${id}: ${amount} ${currency} at ${merchant}`,
    `intent ${intent?.id ?? 'none: it matched no intent'}`,
    `reward ${earned?.filter((part) => part !== undefined).join(' ') ?? 'none: it earned nothing'}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

export async function simulateTransaction(flags: FlagValues, io: Io): Promise<void> {
  const fields = Object.keys(transactionFields)
  const { amount: _amount, ...texts } = textsOf(flags, fields)
  const body = { ...texts, ...numbersOf(flags, ['amount']) }
  if (Object.keys(body).length === 0)
    throw new CliError(
      'error: say which one arrives: --intent-id, or --customer-id with --amount, --currency and --merchant-name',
    )
  const shown = { client: await connect(flags, io), flags, io }
  const asked = show(shown, ['POST', '/simulate/transaction'], simulated, transactionText, { body })
  await asked.catch((error: unknown) => inOptions(error, fields))
}

const closed = z.object({
  statement: z.object({
    statement_id: shownText,
    period_start_date: shownText,
    period_end_date: shownText,
    due_date: shownText,
    currency: shownText,
    statement_balance: money,
    minimum_due: money,
  }),
})

function statementText({ statement }: z.output<typeof closed>): string {
  const { statement_id: id, period_start_date: from, period_end_date: to } = statement
  const { statement_balance: balance, minimum_due: due, currency, due_date: until } = statement
  return `statement ${id}: ${from} to ${to}\nbalance ${balance} ${currency}, of which ${due} are due on ${until}\n`
}

export async function simulateStatement(account: string, flags: FlagValues, io: Io): Promise<void> {
  const client = await connect(flags, io)
  const request = { body: { account_id: account } }
  await show({ client, flags, io }, ['POST', '/simulate/statement'], closed, statementText, request)
}
