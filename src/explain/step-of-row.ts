// The step in the life of a purchase that created a row.
import type { Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'

/**
 * Names the step that earned a reward, or took one back; undefined if none of the state did.
 * @example stepOf(reward, state)   // 'created by step txe_2, REFUNDED 1000 of transaction txn_1'
 */
export function stepOf(
  { transaction_event_id: id }: Partial<Pick<Row<'rewards'>, 'transaction_event_id'>>,
  state: State,
): string | undefined {
  const step = id === undefined ? undefined : state.get('transaction_events', id)
  return (
    step && `created by step ${step.id}, ${step.status} ${step.amount} of transaction ${step.transaction_id}`
  )
}
