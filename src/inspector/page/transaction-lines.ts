// The newest transactions, each as a line of steps with the steps that can follow.
import { formatMinorUnits } from '../../contract/currencies.ts'
import { progressOf, type Progress } from '../../simulation/transaction-progress.ts'
import type { Row } from '../../store/rows.ts'

/** Maximum number of transactions that are shown. */
export const maxLines = 20

/** A step that can follow. */
export interface NextStep {
  name: string
  /** The rest, to begin with. A void has no amount. */
  amount?: string
  body: Readonly<Record<string, string>>
}

/** A transaction as a line of steps, and those that can follow. */
export type TransactionLine = ReturnType<typeof transactionLines>[number]

export function transactionLines(
  transactions: readonly Row<'transactions'>[],
  events: readonly Row<'transaction_events'>[],
  rewards: readonly Row<'rewards'>[],
) {
  return transactions
    .filter(({ status }) => status !== undefined)
    .toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
    .slice(0, maxLines)
    .map((transaction) => {
      const own = events
        .filter(({ transaction_id: of }) => of === transaction.id)
        .toSorted((a, b) => Date.parse(a.posted_at) - Date.parse(b.posted_at) || (a.n ?? 0) - (b.n ?? 0))
      const progress = progressOf(own)
      const steps = own.map((event) => {
        const reward = rewards.find(({ id }) => id === event.reward_id)
        const name = `${event.status}${numberOf(progress, event.capture_id ?? event.id)}`
        return { event, name, earned: earnedBy(event, reward?.currency), reward }
      })
      return { transaction, steps, next: nextSteps(transaction.id, progress) }
    })
}

/** Returns what a step earned or took back; '' for one that moves no money. @example 'earned 0.60 USD' */
export function earnedBy(
  {
    status,
    reward_amount: amount,
    reward_id: reward,
  }: Pick<Row<'transaction_events'>, 'status' | 'reward_amount' | 'reward_id'>,
  currency: string | undefined,
): string {
  if (status !== 'CAPTURED' && status !== 'REFUNDED') return ''
  const verb = status === 'CAPTURED' ? 'earned' : 'took back'
  if (amount === undefined) return `${verb} nothing`
  // Until the cycle closes, the sum that it is part of is no row.
  const unit = reward === undefined ? ', in the sum of the cycle' : ''
  return `${verb} ${currency === undefined ? `${amount}${unit}` : moneyText(amount, currency)}`
}

export const moneyText = (amount: number, currency: string): string =>
  `${formatMinorUnits(amount, currency)} ${currency}`

function nextSteps(transaction_id: string, progress: Progress): NextStep[] {
  const { next, captures, authorised } = progress
  return next.flatMap((status): NextStep[] => {
    const body = { transaction_id, status }
    if (status === 'VOIDED') return [{ name: 'Void', body }]
    if (status !== 'REFUNDED')
      return [{ name: status === 'UPDATED' ? 'Update' : 'Capture', amount: `${authorised}`, body }]
    return captures
      .filter(({ rest }) => rest > 0)
      .map(({ event: { id }, rest }) => ({
        name: `Refund${numberOf(progress, id)}`,
        amount: `${rest}`,
        body: { ...body, event_id: id },
      }))
  })
}

/** The number of a capture, if there are several. */
function numberOf({ captures }: Progress, captureId: string): string {
  const index = captures.findIndex(({ event }) => event.id === captureId)
  return index === -1 || captures.length === 1 ? '' : ` capture ${index + 1}`
}
