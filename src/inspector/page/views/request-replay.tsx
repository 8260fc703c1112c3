// Replays a request in a copy of the workspace, unchanged or edited, and compares the answer with the first one.
import { useRef, useState, type RefObject } from 'hono/jsx/dom'
import type { Replayed } from '../../../operations/replay-request.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { editsOf, formOf, type CallEdits } from '../edited-call.ts'
import { linesBeside, type LinePair } from '../line-differences.ts'
import { comparedBody, comparedHeaders, notCompared, withoutComma } from '../compared-answer.ts'
import { linkTo } from '../route.ts'
import { messageOf, useSession } from '../session.ts'
import { Refused } from '../source.ts'
import { statusClass } from '../status-class.ts'
import { useEffect } from '../use-effect.ts'
import { ScrollingTable } from '../scrolling-table.tsx'

/** The state of a replay of the open request. */
interface Replay {
  replayed: Replayed | undefined
  /** The number of replays, by which another answer is recognized. */
  round: number
  problem: string
  isEditing: boolean
  edit: (isEditing: boolean) => void
  send: (edits: CallEdits) => Promise<void>
  fail: (problem: string) => void
}

function useReplay({ id }: ExplainedEntry): Replay {
  const { source, route, say } = useSession()
  const [state, setState] = useState<Pick<Replay, 'replayed' | 'round' | 'problem'>>({
    replayed: undefined,
    round: 0,
    problem: '',
  })
  const [isEditing, edit] = useState(false)
  const fail = (problem: string): void => {
    // An earlier answer next to it would look like the result of this request.
    setState(({ round }) => ({ replayed: undefined, round, problem }))
    say(problem)
  }
  const send = async (edits: CallEdits): Promise<void> => {
    const path = `/requests/${encodeURIComponent(id)}/replay`
    try {
      const replayed = await source.ask<Replayed>('POST', path, { workspace: route.workspace, body: edits })
      setState(({ round }) => ({ replayed, round: round + 1, problem: '' }))
      say(`Replayed in ${replayed.workspace}: ${replayed.status ?? 'no answer'}.`)
    } catch (error) {
      // The journal has only the beginning of the body: the user must provide all of it.
      if (error instanceof Refused && error.status === 409) edit(true)
      fail(messageOf(error))
    }
  }
  return { ...state, isEditing, edit, send, fail }
}

/** The buttons, the form below them while it is open, and the result. */
export function ReplayOf({ entry }: { entry: ExplainedEntry }) {
  const replay = useReplay(entry)
  const editButton = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    replay.edit(false)
    editButton.current?.focus()
  }
  // Separate elements, even if empty: elements after them then stay in place and do not lose the focus.
  return (
    <div>
      <Buttons replay={replay} editButton={editButton} />
      <div>{replay.isEditing ? <EditForm entry={entry} replay={replay} onClose={close} /> : null}</div>
      <Result entry={entry} replay={replay} />
    </div>
  )
}

function Buttons({
  replay,
  editButton,
}: {
  replay: Replay
  editButton: RefObject<HTMLButtonElement | null>
}) {
  return (
    <div class="bar">
      <button type="button" class="main" data-key="r" onClick={() => void replay.send({})}>
        Replay
      </button>
      <button
        ref={editButton}
        type="button"
        aria-expanded={replay.isEditing ? 'true' : 'false'}
        onClick={() => replay.edit(!replay.isEditing)}
      >
        Edit and replay
      </button>
    </div>
  )
}

function Result({ entry, replay }: { entry: ExplainedEntry; replay: Replay }) {
  const { replayed, round, problem, isEditing } = replay
  const heading = useRef<HTMLElement>(null)
  useEffect(() => {
    // A problem of the typed text does not take the focus from it.
    const hasResult = isEditing ? round > 0 && problem === '' : round > 0 || problem !== ''
    if (!hasResult) return
    heading.current?.focus({ preventScroll: true })
    // The form above the answer may be higher than the window.
    heading.current?.scrollIntoView({ block: 'start' })
  }, [round, problem])
  if (!replayed && problem === '') return <div />
  return (
    <div>
      <h2 ref={heading} tabindex={-1}>
        Replay
      </h2>
      {problem === '' ? null : <p class="problem">{problem}</p>}
      {replayed ? <Beside key={round} entry={entry} replayed={replayed} /> : null}
    </div>
  )
}

/** Its fields are set once, so that typed text stays until the form is closed. */
function EditForm(props: { entry: ExplainedEntry; replay: Replay; onClose: () => void }) {
  const { entry, replay, onClose } = props
  const form = useRef<HTMLFormElement>(null)
  const before = formOf(entry)
  useEffect(() => {
    const { current } = form
    if (!current) return
    for (const [name, value] of Object.entries(before)) fieldOf(current, name).value = value
    fieldOf(current, entry.request.body_bytes === undefined ? 'method' : 'body').focus()
  }, [])
  const submit = (event: Event): void => {
    event.preventDefault()
    const { current } = form
    if (!current) return
    const read = (name: string): string => fieldOf(current, name).value
    const after = { method: read('method'), path: read('path'), headers: read('headers'), body: read('body') }
    try {
      void replay.send(editsOf(before, after))
    } catch (error) {
      replay.fail(messageOf(error))
    }
  }
  return (
    <form ref={form} class="card" aria-label="Edit and replay" onSubmit={submit}>
      <div class="fields">
        <label>
          Method
          <input name="method" required autocomplete="off" />
        </label>
        <label>
          Path
          <input name="path" required autocomplete="off" />
        </label>
        <label>
          Headers
          <textarea name="headers" rows={5} spellcheck={false} />
        </label>
        <label>
          Body
          <textarea name="body" rows={10} spellcheck={false} />
        </label>
      </div>
      <p class="faint">
        Parts that you do not edit are sent as they came, including hidden values. An edited body is sent
        exactly as shown here.
      </p>
      <div class="bar">
        <button class="main">Send</button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLTextAreaElement {
  const field = form.elements.namedItem(name)
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) return field
  throw new Error(`the form has no field ${name}`)
}

/** The meaning of the mark of a line. */
const marks: Readonly<Record<LinePair['kind'], readonly [mark: string, text: string, style: string]>> = {
  same: ['', 'same', 'is-same'],
  changed: ['≠', 'changed', 'is-warn'],
  removed: ['−', 'only first', 'is-bad'],
  added: ['+', 'only replay', 'is-good'],
}

function Beside({ entry, replayed }: { entry: ExplainedEntry; replayed: Replayed }) {
  const { workspace, request_id: id, status } = replayed
  const { response, outcome } = entry
  const first = outcome === 'fault' ? 'no answer' : response.status
  return (
    <div>
      <p>
        The copy is workspace <a href={linkTo({ view: 'state', workspace })}>{workspace}</a>, and the call in
        it <a href={linkTo({ view: 'requests', parts: [id], workspace })}>{id}</a>.
      </p>
      <dl class="pairs">
        <div>
          <dt>First answer</dt>
          <dd class={statusClass(response.status)}>{first}</dd>
        </div>
        <div>
          <dt>Replay</dt>
          <dd class={statusClass(status ?? 500)}>
            {status ?? 'no answer'} {String(status ?? 'no answer') === String(first) ? '(same)' : '(changed)'}
          </dd>
        </div>
      </dl>
      <Lines
        name="Headers"
        pairs={linesBeside(comparedHeaders(response.headers), comparedHeaders(replayed.headers))}
      />
      <p class="faint">Not compared, as they differ in each answer: {notCompared.join(', ')}.</p>
      <Lines
        name="Body"
        pairs={linesBeside(comparedBody(response.body), comparedBody(replayed.body), withoutComma)}
      />
    </div>
  )
}

function Lines({ name, pairs }: { name: string; pairs: readonly LinePair[] }) {
  const differing = pairs.filter(({ kind }) => kind !== 'same').length
  const title = differing === 0 ? 'same' : differing === 1 ? '1 line differs' : `${differing} lines differ`
  return (
    <div>
      <h3>
        {name}: {title}
      </h3>
      {pairs.length === 0 ? (
        <p class="faint">none</p>
      ) : (
        <ScrollingTable
          name={`${name}: ${title}`}
          columns={['Difference', 'First answer', 'Replay']}
          class="lines is-stacked"
        >
          {pairs.map(({ kind, before: one, after: other }, place) => {
            const [mark, text, style] = marks[kind]
            return (
              <tr key={place} class={style}>
                <td>
                  <span aria-hidden="true">{mark}</span> <span class="faint">{text}</span>
                </td>
                <td class="mono" data-answer="First answer">
                  {one ?? ''}
                </td>
                <td class="mono" data-answer="Replay">
                  {other ?? ''}
                </td>
              </tr>
            )
          })}
        </ScrollingTable>
      )}
    </div>
  )
}
