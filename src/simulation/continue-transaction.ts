// The next step of a transaction: an update or a void of its authorisation, a capture, or a refund.
import type { TransactionStatus } from '../contract/resources/card-transaction.ts'
import { DocumentError, printable } from '../input/problems.ts'
import { ConflictError } from '../input/refusals.ts'
import type { Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import { addStep, type AddedStep } from './add-step.ts'
import type { SimulationAssumptions } from './earn-reward.ts'
import { findRow } from './find-row.ts'
import type { Next } from './network-transaction.ts'
import { eitherOf, progressOf, type OpenCapture, type Progress } from './transaction-progress.ts'

/**
 * Adds the next step of a transaction.
 *
 * @throws {DocumentError} for a field that the step cannot have, or needs.
 * @throws {NotFoundError} for an unknown transaction.
 * @throws {ConflictError} for a step that cannot follow, or of too large an amount.
 */
export function continueTransaction(
  tx: Transaction,
  input: Next,
  now: number,
  assumptions: SimulationAssumptions,
): AddedStep {
  const { transaction_id, status = 'CAPTURED', event_id, purchase_method, authorization_code } = input
  const transaction = findRow(tx, 'transactions', transaction_id)
  const steps = tx.scan('transaction_events', 'by_transaction', transaction_id)
  const progress = progressOf(steps)
  requireNext(transaction, status, progress)
  if (event_id !== undefined && status !== 'REFUNDED')
    refuse('event_id', 'must be omitted: only a refund names the capture that it refunds')
  const capture = status === 'REFUNDED' ? refundable(transaction, progress, event_id) : undefined
  const posted_at = postedAt(input, steps.at(-1), now)
  return addStep(
    tx,
    {
      ...transaction,
      ...(purchase_method === undefined ? {} : { purchase_method }),
      ...(authorization_code === undefined ? {} : { authorization_code }),
      updated_at: posted_at,
    },
    {
      status,
      amount: amountOf(transaction, status, input, progress, capture),
      posted_at,
      capture,
      // Steps of a document may be numbered with gaps.
      n: (steps.at(-1)?.n ?? steps.length) + 1,
    },
    now,
    assumptions,
  )
}

function refuse(path: string, message: string): never {
  throw new DocumentError([{ source: 'transaction', path, message }])
}

function requireNext(
  { id, status: before }: Row<'transactions'>,
  status: TransactionStatus,
  { next }: Progress,
): void {
  if (next.includes(status)) return
  const is = before === undefined ? 'is a payment or a credit, which has no steps' : `is ${before}`
  if (next.length === 0) throw new ConflictError(`transaction '${id}' ${is}: nothing can follow`)
  throw new ConflictError(`transaction '${id}' ${is}: only ${eitherOf(next)} can follow, not ${status}`)
}

/** Returns the capture that is refunded: the named one, or the only one that can be. */
function refundable({ id }: Row<'transactions'>, { captures }: Progress, eventId?: string): OpenCapture {
  const open = captures.filter(({ rest }) => rest > 0)
  const ids = open.map(({ event }) => event.id).join(', ')
  if (eventId === undefined) {
    const [only, second] = open
    if (only && !second) return only
    throw new ConflictError(
      `transaction '${id}' has several captures to refund: name one by event_id: ${ids}`,
    )
  }
  const named = captures.find(({ event }) => event.id === eventId)
  if (!named)
    throw new ConflictError(
      `event_id '${printable(eventId)}' is no capture of transaction '${id}': name one of ${ids}`,
    )
  return named
}

/** Returns the amount of a step; the rest, if the input has none. */
function amountOf(
  { id, amount: authorised }: Row<'transactions'>,
  status: TransactionStatus,
  { amount }: Next,
  progress: Progress,
  capture: OpenCapture | undefined,
): number {
  if (status === 'UPDATED')
    return amount ?? refuse('amount', 'is required: the new amount of the authorisation')
  if (status === 'VOIDED')
    return amount === undefined
      ? authorised
      : refuse('amount', 'must be omitted: a void is of all that is authorised')
  const [rest, what] = capture
    ? [
        capture.rest,
        `capture '${capture.event.id}' of transaction '${id}' has ${capture.rest} left to refund`,
      ]
    : [progress.authorised, `transaction '${id}' has ${progress.authorised} left to capture`]
  if (amount === 0) refuse('amount', 'must be at least 1')
  if ((amount ?? 1) <= rest) return amount ?? rest
  throw new ConflictError(amount === undefined ? what : `${what}, not ${amount}`)
}

/** No step is before the one that it follows. */
function postedAt(
  { posted_at: posted }: Next,
  last: Row<'transaction_events'> | undefined,
  now: number,
): string {
  const earliest = last === undefined ? 0 : Date.parse(last.posted_at)
  if (posted === undefined) return new Date(Math.max(now, earliest)).toISOString()
  if (Date.parse(posted) >= earliest) return posted
  return refuse('posted_at', `must not be before ${last?.posted_at}, the time of the step before it`)
}
