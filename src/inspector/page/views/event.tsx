// One webhook event: its data, its attempts, the bytes of its delivery, and a button that sends it again.
import type { EventDelivery, WebhookEvent } from '../../../operations/webhook-event.ts'
import { CopyButton } from '../copy-button.tsx'
import { headerLines, shownBody } from '../edited-call.ts'
import { resentText, verdictOf } from '../event-attempts.ts'
import { Heading } from '../heading.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { useEndpointUrls } from './endpoints.tsx'
import { CauseLink, StateBadge, useEventRefresh } from './event-parts.tsx'
import { ScrollingTable } from '../scrolling-table.tsx'

/** A delivery as a request. */
interface SignedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

const pathOf = (id: string): string => `/events/${encodeURIComponent(id)}`

export function EventView({ id }: { id: string }) {
  const link = useLink()
  const { value: event, problem, again } = useAnswer<WebhookEvent>(pathOf(id))
  return (
    <>
      <p>
        <a href={link('events')}>Events</a>
      </p>
      <Heading>{id}</Heading>
      {problem === undefined ? null : <p class="notice">{problem}</p>}
      {event ? <Whole event={event} again={again} /> : null}
    </>
  )
}

function Whole({ event, again }: { event: WebhookEvent; again: () => void }) {
  const { id, time, type, source, data, request_id: request, deliveries } = event
  const session = useSession()
  const act = useAct()
  const canChange = useCanChange()
  useEventRefresh(again)
  const resend = (): Promise<WebhookEvent> =>
    session.source.ask<WebhookEvent>('POST', `${pathOf(id)}/resend`, { workspace: session.route.workspace })
  return (
    <>
      <dl class="pairs">
        <div>
          <dt>Type</dt>
          <dd>{type}</dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{time}</dd>
        </div>
        <div>
          <dt>Source</dt>
          <dd>{source}</dd>
        </div>
        <div>
          <dt>Request</dt>
          <dd>
            <CauseLink id={request} />
          </dd>
        </div>
      </dl>
      {canChange ? (
        <button
          type="button"
          onClick={() => void act(resend, (after) => resentText(event, after)).then(again)}
        >
          Resend
        </button>
      ) : null}
      <h2>Attempts</h2>
      <Attempts deliveries={deliveries} />
      <h2>Data</h2>
      <pre tabindex={0}>{shownBody(data)}</pre>
      <Delivery id={id} />
    </>
  )
}

function Attempts({ deliveries }: { deliveries: readonly EventDelivery[] }) {
  const urls = useEndpointUrls()
  return (
    <ScrollingTable
      name="Attempts"
      columns={['N', 'Endpoint', 'Due', 'At', 'State', 'Status', 'Reason', 'Verdict']}
      class="rows"
    >
      {deliveries.map((attempt) => (
        <tr key={attempt.n}>
          <th scope="row">{attempt.n}</th>
          <td>
            {attempt.endpoint_id ?? 'none'} <span class="faint">{urls.get(attempt.endpoint_id ?? '')}</span>
          </td>
          <td>{attempt.due}</td>
          <td>{attempt.at ?? 'not made'}</td>
          <td>
            <StateBadge attempt={attempt} />
          </td>
          <td>{attempt.status ?? 'none'}</td>
          <td class="wraps">
            {[attempt.reason, ...(attempt.faults ?? [])].join(', ')}
            {attempt.response_body === undefined ? null : <pre>{attempt.response_body}</pre>}
          </td>
          <td>{verdictOf(deliveries, attempt)}</td>
        </tr>
      ))}
    </ScrollingTable>
  )
}

/** The bytes of the delivery. The event does not change, so only a new signature is a reason to load them again. */
function Delivery({ id }: { id: string }) {
  const { value, problem, again } = useAnswer<SignedRequest>(`${pathOf(id)}/request`)
  if (!value) return problem === undefined ? null : <p class="problem">{problem}</p>
  const { method, url, headers, body } = value
  const text = [`${method} ${url}`, ...headerLines(headers), '', body].join('\n')
  return (
    <>
      <h2>Delivery</h2>
      <p class="faint">
        Signed with the secret of the workspace when it was loaded; a receiver may refuse an old signature.
      </p>
      <div class="bar">
        <CopyButton name="Copy request" text={text} />
        <CopyButton name="Copy body" text={body} />
        <button type="button" onClick={again}>
          Sign again
        </button>
      </div>
      <pre tabindex={0} role="region" aria-label="Signed request">
        {text}
      </pre>
    </>
  )
}
