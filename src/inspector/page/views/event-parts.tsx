// Parts that the list of webhook events and the view of one event share.
import type { EventDelivery } from '../../../operations/webhook-event.ts'
import { rowsReported, useAgainOn, useRefresh } from '../refresh.ts'
import { useLink } from '../session.ts'

/** The classes of states that succeeded, wait or failed. */
const classes: Readonly<Partial<Record<EventDelivery['state'], string>>> = {
  delivered: 'is-good',
  waiting: 'is-warn',
  failed: 'is-bad',
}

export function StateBadge({ attempt: { state, reason } }: { attempt: EventDelivery }) {
  return (
    <span class={`badge ${classes[state] ?? ''}`} title={reason}>
      {state}
    </span>
  )
}

/** @param id null if no call caused the event. */
export function CauseLink({ id }: { id: string | null }) {
  const link = useLink()
  return id === null ? <span class="faint">none</span> : <a href={link('requests', [id])}>{id}</a>
}

/** Refreshes after changes of rows, and by polls, as a stream that was interrupted does not repeat changes. */
export function useEventRefresh(again: () => void): void {
  useAgainOn((event) => rowsReported(event)?.length !== 0, again)
  useRefresh(again)
}
