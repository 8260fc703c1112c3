// The webhook events of a workspace: the newest ones, and one by its id.
import type { Drained } from '../../../operations/events.ts'
import type { WebhookEvent } from '../../../operations/webhook-event.ts'
import { latestAttempts } from '../event-attempts.ts'
import { Heading } from '../heading.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { Endpoints } from './endpoints.tsx'
import { CauseLink, StateBadge, useEventRefresh } from './event-parts.tsx'
import { EventView } from './event.tsx'
import { ScrollingTable } from '../scrolling-table.tsx'

/** Maximum number of events that are listed. */
const maxListed = 200

export function EventsView() {
  const [id = ''] = useSession().route.parts
  return id === '' ? <EventList /> : <EventView key={id} id={id} />
}

function EventList() {
  const { source, route } = useSession()
  const act = useAct()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<{ events: WebhookEvent[]; dropped: number }>('/events', {
    limit: maxListed,
  })
  const drain = (): Promise<Drained> =>
    source.ask<Drained>('POST', '/events/drain', { workspace: route.workspace })
  const deliver = (): void =>
    void act(
      drain,
      ({ delivered, failed, waiting }) => `${delivered} delivered, ${failed} failed, ${waiting} waiting.`,
    ).then(again)
  return (
    <>
      <Heading>Events</Heading>
      {problem === undefined ? null : <p class="notice">{problem}</p>}
      {value && canChange ? (
        <div class="bar">
          <button type="button" onClick={deliver}>
            Deliver due
          </button>
        </div>
      ) : null}
      {value ? <Listed events={value.events} dropped={value.dropped} again={again} /> : null}
      {value ? <Endpoints /> : null}
    </>
  )
}

interface ListedProps {
  events: readonly WebhookEvent[]
  /** How many older events the workspace no longer has. */
  dropped: number
  again: () => void
}

function Listed({ events, dropped, again }: ListedProps) {
  const link = useLink()
  useEventRefresh(again)
  if (events.length === 0)
    return <p class="empty">No events so far. Calls that change rows, and simulations, create them.</p>
  return (
    <>
      <ScrollingTable
        name="Events, newest first"
        columns={['Id', 'Time', 'Type', 'Source', 'Latest attempt', 'Request']}
        class="rows is-stacked"
      >
        {events.map(({ id, time, type, source, deliveries, request_id: request }) => (
          <tr key={id}>
            <th scope="row">
              <a href={link('events', [id])}>{id}</a>
            </th>
            <td>{time}</td>
            <td>{type}</td>
            <td>{source}</td>
            <td>
              {latestAttempts(deliveries).map((attempt) => (
                <StateBadge key={attempt.n} attempt={attempt} />
              ))}
            </td>
            <td>
              <CauseLink id={request} />
            </td>
          </tr>
        ))}
      </ScrollingTable>
      {events.length < maxListed ? null : <p class="faint">Only the newest {maxListed} are listed.</p>}
      {dropped === 0 ? null : <p class="faint">{dropped} older ones were dropped (--events-size).</p>}
    </>
  )
}
