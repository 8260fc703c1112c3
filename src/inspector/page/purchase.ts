// The forms of simulations: the request to the control plane, and what it did.
import type { SimulatedRewards, SimulatedStatement, SimulatedTransaction } from '../../simulation/results.ts'
import { earnedBy } from './transaction-lines.ts'

/** The result of a simulation. */
export type Simulated = SimulatedTransaction | SimulatedStatement | SimulatedRewards

/**
 * Parses an amount. Other text is sent as it is, and the control plane reports the problem. A negative amount is one of a
 * payment or a credit, which has no status.
 */
export function purchaseOf(typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const isNegative = typed['amount']?.trim().startsWith('-')
  const fields = Object.entries(typed)
    .map(([name, text]) => [name, text.trim()] as const)
    .filter(([name, text]) => text !== '' && !(name === 'status' && isNegative))
  return Object.fromEntries(
    fields.map(([name, text]) => [
      name,
      name === 'amount' && /^-?\d{1,15}$/.test(text) ? Number(text) : text,
    ]),
  )
}

/** Returns what a simulation did, and the rows to look at: collection and id. */
export function outcomeOf(result: Simulated): { text: string; rows: (readonly [string, string])[] } {
  if ('statement' in result)
    return { text: 'The cycle is closed.', rows: [['statements', result.statement.statement_id]] }
  if ('rewards' in result) {
    const rows = result.rewards.map(({ id }) => ['rewards', id] as const)
    return { text: `Rewards settled: ${rows.length === 0 ? 'none waited' : rows.length}.`, rows }
  }
  const { transaction, event, reward } = result
  const earned = event ? earnedBy(event, reward?.currency) : ''
  const text = `${event?.status ?? 'Posted'}${earned && `: ${earned}`}${reward ? ` (${reward.status})` : ''}.`
  return {
    text,
    rows: [['transactions', transaction.id], ...(reward ? [['rewards', reward.id] as const] : [])],
  }
}
