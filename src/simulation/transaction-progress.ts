// The sum of the steps of a transaction, and which step can follow (docs/simulation.md).
import type { TransactionStatus } from '../contract/resources/card-transaction.ts'
import type { Row } from '../store/rows.ts'

type Step = Row<'transaction_events'>

/** A capture, and how much of it is not refunded. */
export interface OpenCapture {
  readonly event: Step
  readonly refunds: readonly Step[]
  readonly refunded: number
  readonly rest: number
}

/** The state of a transaction. */
export interface Progress {
  readonly status: TransactionStatus | undefined
  /** The amount that is authorised, and neither captured nor voided. */
  readonly authorised: number
  readonly captures: readonly OpenCapture[]
  /** The statuses of steps that can follow. */
  readonly next: readonly TransactionStatus[]
}

/** The statuses with which a transaction begins: an authorisation, a purchase without one, a refund without a capture. */
export const firstStatuses = ['APPROVED', 'CAPTURED', 'REFUNDED'] as const satisfies TransactionStatus[]

/**
 * Returns the state of a transaction.
 * @param steps oldest first.
 * @example progressOf([approved(5000), captured(2000)]).next   // ['CAPTURED', 'REFUNDED']
 */
export function progressOf(steps: readonly Step[]): Progress {
  const status = steps.at(-1)?.status
  const authorisation = steps.findLast((step) => step.status === 'APPROVED' || step.status === 'UPDATED')
  const captures = steps
    .filter((step) => step.status === 'CAPTURED')
    .map((event): OpenCapture => {
      const refunds = steps.filter(({ capture_id: of }) => of === event.id)
      const refunded = total(refunds)
      return { event, refunds, refunded, rest: event.amount - refunded }
    })
  const authorised =
    authorisation && status !== 'VOIDED'
      ? authorisation.amount - total(captures.map(({ event }) => event))
      : 0
  const next: TransactionStatus[] = []
  // After a partial capture, the rest can only be captured.
  if (authorisation && authorisation === steps.at(-1)) next.push('UPDATED', 'VOIDED')
  if (authorised > 0) next.push('CAPTURED')
  if (captures.some(({ rest }) => rest > 0)) next.push('REFUNDED')
  return { status, authorised, captures, next }
}

/** @example eitherOf(['UPDATED', 'VOIDED', 'CAPTURED'])   // 'UPDATED, VOIDED or CAPTURED' */
export const eitherOf = (statuses: readonly TransactionStatus[]): string =>
  statuses.join(', ').replace(/, (?=[^,]*$)/, ' or ')

const total = (steps: readonly Step[]): number => steps.reduce((sum, { amount }) => sum + amount, 0)
