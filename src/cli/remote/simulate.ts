// The verbs simulate transaction and simulate statement: events that no API call causes, in a running sandbox.
import * as answers from '../../control/answers.ts'
import { CliError } from '../io.ts'
import type { Call } from '../verb.ts'
import { refusalInOptions, numbersOf, textsOf, transactionFields } from './fields.ts'
import { calls, type RemoteWork } from './remote-call.ts'

export function simulateTransaction(call: Call): RemoteWork {
  const fields = Object.keys(transactionFields)
  const { amount: _amount, ...texts } = textsOf(call.flags, fields)
  const body = { ...texts, ...numbersOf(call.flags, ['amount']) }
  if (Object.keys(body).length === 0)
    throw new CliError(
      'error: no transaction: set --intent-id, or --customer-id with --amount, --currency and --merchant-name',
    )
  return calls(call, {
    body,
    answer: answers.simulatedTransaction,
    text: ({ transaction, intent, reward }) => {
      const { id, amount, currency, merchant_name: merchant } = transaction
      const earned = reward && [reward.id, reward.amount, reward.currency, reward.status]
      return [
        `transaction ${id}: ${amount} ${currency} at ${merchant}\n`,
        `intent ${intent?.id ?? 'none: it matched no intent'}\n`,
        `reward ${earned?.filter((part) => part !== undefined).join(' ') ?? 'none: it earned nothing'}\n`,
      ].join('')
    },
    refused: (error) => refusalInOptions(error, fields),
  })
}

export function simulateStatement(call: Call): RemoteWork {
  return calls(call, {
    body: { account_id: call.args[0] },
    answer: answers.simulatedStatement,
    text: ({ statement }) => {
      const { statement_id: id, period_start_date: from, period_end_date: to, due_date: until } = statement
      const { statement_balance: balance, minimum_due: due, currency } = statement
      return `statement ${id}: ${from} to ${to}\nbalance ${balance} ${currency}, of which ${due} are due on ${until}\n`
    },
  })
}
