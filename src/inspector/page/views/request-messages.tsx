// The request and the response: headers and bodies, formatted or raw as in the journal.
import { useState } from 'hono/jsx/dom'
import { stringify } from '../../../json/stringify.ts'
import type { JournalEntry } from '../../../journal/entry.ts'
import { headerLines, shownBody } from '../edited-call.ts'

export function Messages({ entry }: { entry: JournalEntry }) {
  const [isRaw, setRaw] = useState(false)
  const { method, path, query, request, response, outcome } = entry
  const target = query === '' ? path : `${path}?${query}`
  return (
    <div>
      <h2>Request and answer</h2>
      <div class="bar" role="group" aria-label="How it is shown">
        <button type="button" aria-pressed={isRaw ? 'false' : 'true'} onClick={() => setRaw(false)}>
          Pretty
        </button>
        <button type="button" aria-pressed={isRaw ? 'true' : 'false'} onClick={() => setRaw(true)}>
          Raw
        </button>
      </div>
      <div class="beside">
        <Message name="Request" line={`${method} ${target}`} message={request} isRaw={isRaw} />
        <Message
          name="Answer"
          line={String(response.status)}
          message={response}
          isRaw={isRaw}
          note={
            outcome === 'fault'
              ? 'The connection failed: the client did not receive all of this answer.'
              : undefined
          }
        />
      </div>
    </div>
  )
}

interface Shown {
  headers: Record<string, string | string[]>
  query?: Record<string, string | string[]>
  body: unknown
  body_bytes?: number
}

function Message(props: {
  name: string
  line: string
  message: Shown
  isRaw: boolean
  note?: string | undefined
}) {
  const { name, line, message, isRaw, note } = props
  const { headers, query = {}, body, body_bytes: bytes } = message
  return (
    <div>
      <h3>{name}</h3>
      {note === undefined ? null : <p class="notice">{note}</p>}
      {isRaw ? (
        <pre tabindex={0}>{[line, ...headerLines(headers), '', rawBody(body)].join('\n')}</pre>
      ) : (
        <>
          <p class="mono">{line}</p>
          <Pairs name="Query" of={query} />
          <Pairs name="Headers" of={headers} />
          <h4>Body</h4>
          {body === null ? <p class="faint">none</p> : <pre tabindex={0}>{shownBody(body)}</pre>}
        </>
      )}
      {bytes === undefined ? null : (
        <p class="notice">The journal keeps only the beginning of this body of {bytes} bytes.</p>
      )}
    </div>
  )
}

function Pairs({ name, of }: { name: string; of: Readonly<Record<string, string | string[]>> }) {
  const pairs = Object.entries(of).flatMap(([key, values]) =>
    [values].flat().map((value) => [key, value] as const),
  )
  if (pairs.length === 0) return null
  return (
    <>
      <h4>{name}</h4>
      <dl class="pairs">
        {pairs.map(([key, value], place) => (
          <div key={place}>
            <dt>{key}</dt>
            <dd class="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The message as the journal has it. */
function rawBody(body: unknown): string {
  if (body === null) return ''
  return typeof body === 'string' ? body : stringify(body)
}
