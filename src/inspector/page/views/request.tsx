// One request: its explanation, its messages, its changes, and ways to repeat it.
import { useRef, useState } from 'hono/jsx/dom'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { canOnlyRead, useAnswer, useEvents, useLink, useSession } from '../session.ts'
import type { StreamedEntry } from '../source.ts'
import { testKey } from '../../../call/test-result.ts'
import type { TestName } from '../../../call/test-of-call.ts'
import { resultClass } from '../run-groups.ts'
import { statusClass } from '../status-class.ts'
import { Changes } from './request-changes.tsx'
import { Copies } from './request-copies.tsx'
import { EventsOf } from './request-events.tsx'
import { ExplanationOf } from './request-explanation.tsx'
import { Messages } from './request-messages.tsx'
import { ReplayOf } from './request-replay.tsx'
import { useEffect } from '../use-effect.ts'

export function RequestView({ id }: { id: string }) {
  const { route, calls } = useSession()
  const link = useLink()
  const { value: entry, problem } = useAnswer<ExplainedEntry>(`/requests/${encodeURIComponent(id)}`)
  const reported = calls.find(id)
  const gone = useGone()
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    // If the request replaces the list, no element has the focus any more; keyboard users continue here.
    const list = document.querySelector<HTMLElement>('.requests > .list')
    if (list?.offsetParent === null || list?.querySelector('.calls a:focus-visible')) heading.current?.focus()
  }, [])
  const call = entry ?? reported
  return (
    <section class="request" aria-label="Request">
      <p class="bar">
        <a data-key="Escape" href={link('requests', [], route.query)}>
          Close
        </a>
        <code class="faint">{id}</code>
      </p>
      <h1 ref={heading} tabindex={-1}>
        {call ? `${call.method} ${call.path}${call.query === '' ? '' : `?${call.query}`}` : id}
      </h1>
      {gone === '' ? null : <p class="notice">{gone} What is shown here was read before.</p>}
      {call ? <Facts call={call} /> : null}
      {entry ? <Whole entry={entry} /> : null}
      {!entry && problem !== undefined ? <Dropped problem={problem} reported={reported} /> : null}
      {!entry && problem === undefined ? <p class="faint">Looking …</p> : null}
    </section>
  )
}

/** Why the journal no longer has the request; empty while it may have it. */
function useGone(): string {
  const [gone, setGone] = useState('')
  useEvents(({ kind }) => {
    if (kind === 'reset') setGone('The workspace was reset.')
    if (kind === 'restarted') setGone('The sandbox was started again.')
  }, [])
  return gone
}

function Facts({ call }: { call: StreamedEntry | ExplainedEntry }) {
  const {
    operation,
    status,
    outcome,
    error_type: type,
    duration_ms: took,
    at,
    scenario_rules: rules,
    test,
  } = call
  return (
    <p class="bar">
      <strong class={`status ${statusClass(status)}`}>{status ?? 'lost'}</strong>
      <span>{outcome.replaceAll('_', ' ')}</span>
      {type === null ? null : <code>{type}</code>}
      <span>{operation ?? 'no endpoint'}</span>
      {call.off_contract ? <span class="badge">off contract</span> : null}
      {rules.map((rule) => (
        <span key={rule} class="badge">
          {rule}
        </span>
      ))}
      {test === null ? null : <TestOf test={test} />}
      <span class="faint">{took.toFixed(1)} ms</span>
      <time class="faint" datetime={at}>
        {at}
      </time>
    </p>
  )
}

/** The test that made a call, with its result if the trace has it. */
function TestOf({ test }: { test: TestName }) {
  const { source } = useSession()
  const result = source.run?.find(({ key }) => key === testKey(test))?.result ?? null
  return (
    <span title={test.file ?? undefined}>
      {result === null ? null : <span class={`badge ${resultClass[result]}`}>{result}</span>} {test.name}
    </span>
  )
}

function Whole({ entry }: { entry: ExplainedEntry }) {
  const { source } = useSession()
  return (
    <>
      {source.isLive && !canOnlyRead() ? <ReplayOf entry={entry} /> : null}
      <ExplanationOf entry={entry} />
      <Messages entry={entry} />
      <Changes changes={entry.changes} />
      <EventsOf entry={entry} />
      <Copies entry={entry} />
    </>
  )
}

/** A call that the journal no longer has. @param reported the entry of the stream. */
function Dropped({ problem, reported }: { problem: string; reported: StreamedEntry | undefined }) {
  const link = useLink()
  if (!reported) return <p class="problem">{problem}</p>
  const facts: [string, string | null][] = [
    ['Query', reported.query],
    ['Key', reported.key_id],
    ['Version', reported.version],
    ['Product', reported.product],
    ['Assumptions', reported.assumptions.join(', ')],
  ]
  return (
    <>
      <p class="notice">
        <strong>Dropped.</strong> The journal no longer has this call. The stream reported it without headers,
        bodies and explanation. {problem}
      </p>
      <dl class="pairs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || 'none'}</dd>
          </div>
        ))}
      </dl>
      <h2>Rows changed</h2>
      {reported.changes.length === 0 ? <p>It changed no row.</p> : null}
      <ul>
        {reported.changes.map(({ collection, id }) => (
          <li key={`${collection} ${id}`}>
            <a href={link('state', [collection, id])}>
              {collection} {id}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
