// The form of a simulated purchase: its request to the control plane, and the rows it created.
import type { SimulatedStatement, SimulatedTransaction } from '../../simulation/results.ts'

/** A row that a simulation created. */
export interface Outcome {
  what: string
  collection: string
  id: string
  row: object
}

/** Parses an amount. Other text is sent as it is, and the control plane reports the problem. */
export function purchaseOf(typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = Object.entries(typed)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([, text]) => text !== '')
  return Object.fromEntries(
    fields.map(([name, text]) => [
      name,
      name === 'amount' && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    ]),
  )
}

export function outcomesOf(result: SimulatedTransaction | SimulatedStatement): Outcome[] {
  if ('statement' in result) {
    const { statement } = result
    return [{ what: 'Statement', collection: 'statements', id: statement.statement_id, row: statement }]
  }
  const { transaction, intent, reward } = result
  return [
    { what: 'Transaction', collection: 'transactions', id: transaction.id, row: transaction },
    ...(intent ? [{ what: 'Intent', collection: 'transaction_intents', id: intent.id, row: intent }] : []),
    ...(reward ? [{ what: 'Reward', collection: 'rewards', id: reward.id, row: reward }] : []),
  ]
}
