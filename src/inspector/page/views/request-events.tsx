// The webhook events that a request caused.
import type { ExplainedEntry } from '../../../operations/requests.ts'
import type { WebhookEvent } from '../../../operations/webhook-event.ts'
import { useAnswer, useLink, useSession } from '../session.ts'

export function EventsOf({ entry: { id, changes } }: { entry: ExplainedEntry }) {
  const { source } = useSession()
  const link = useLink()
  const mayHaveEvents = source.isLive && changes.length > 0
  // Without events their route answers 404, which browsers log as an error.
  const { value: rows } = useAnswer<{ counts: Record<string, number> }>(
    mayHaveEvents ? '/state' : undefined,
    { counts: 'true' },
  )
  const { value } = useAnswer<{ events: WebhookEvent[] }>(rows?.counts['events'] ? '/events' : undefined)
  const caused = value?.events.filter(({ request_id: cause }) => cause === id).toReversed() ?? []
  if (caused.length === 0) return null
  return (
    <div>
      <h2>Events</h2>
      <ul aria-label="Events of the request">
        {caused.map((event) => (
          <li key={event.id}>
            <a href={link('events', [event.id])}>{event.id}</a> {event.type}
          </li>
        ))}
      </ul>
    </div>
  )
}
