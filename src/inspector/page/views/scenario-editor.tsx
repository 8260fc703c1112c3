// An editor of a scenario, as YAML or JSON, with its problems at their lines.
import { useRef, useState } from 'hono/jsx/dom'
import { stringify } from '../../../json/stringify.ts'
import type { ScenarioView } from '../../../operations/scenarios.ts'
import { draftKey, drafts } from '../drafts.ts'
import { Heading } from '../heading.tsx'
import { effectsOf, eventTypesOf, operationsOf, type ScenarioSchema } from '../scenario-words.ts'
import { messageOf, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { Refused } from '../source.ts'
import { TextEditor } from '../text-editor.tsx'
import type { TextProblem } from '../text-problems.ts'

/** The text of a new scenario. */
const blank = `name: my-scenario
description: The second read of a reward fails.
rules:
  - on: retrieveReward
    calls: '2'
    effect: { error: SERVICE_UNAVAILABLE_ERROR }
`

/** @param from the name of the scenario that it begins as. */
export function ScenarioEditor({ from }: { from?: string }) {
  const link = useLink()
  const isNew = from === undefined
  const path = isNew ? undefined : `/scenarios/${encodeURIComponent(from)}`
  const { value, problem } = useAnswer<{ document: unknown }>(path)
  const text = isNew ? blank : value && `${stringify(value.document, 2)}\n`
  return (
    <>
      <p>
        <a href={link('scenarios')}>Scenarios</a>
      </p>
      <Heading>{isNew ? 'Write a scenario' : `Edit ${from}`}</Heading>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {text === undefined ? null : <Editor text={text} from={from} />}
    </>
  )
}

function Editor({ text, from }: { text: string; from: string | undefined }) {
  const { source, route, say } = useSession()
  const link = useLink()
  const canChange = useCanChange()
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = draftKey(route.workspace, `/scenarios/${from ?? ''}`)
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  const save = async (isToBeOn: boolean): Promise<void> => {
    const { workspace } = route
    try {
      // As a text, so that refusals name its lines.
      const body = { text: field.current?.value ?? '' }
      const { name } = await source.ask<ScenarioView>('POST', '/scenarios', { workspace, body })
      if (isToBeOn) {
        await source.ask('PATCH', '/scenarios/active', { workspace, body: { on: [name] } })
      }
      drafts.delete(draft)
      say(isToBeOn ? `Saved ${name}, and switched it on.` : `Saved ${name}.`)
      location.hash = link('scenarios', [name])
    } catch (error) {
      const details = error instanceof Refused ? error.details : []
      setProblems(
        details.length > 0
          ? details.map(({ line, path = '', message }) => ({ line, path, message }))
          : [{ line: undefined, path: '', message: messageOf(error) }],
      )
      say('Nothing was saved: correct the problems that are listed.')
    }
  }
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault()
        void save(false)
      }}
    >
      <p class="faint">
        YAML or JSON. It belongs to this workspace until it is reset; one of the same name is replaced.
      </p>
      <TextEditor
        label="Scenario"
        name="scenario"
        text={text}
        field={field}
        problems={problems}
        draft={draft}
      >
        <div class="bar">
          <button disabled={!canChange}>Save</button>
          <button type="button" class="main" disabled={!canChange} onClick={() => void save(true)}>
            Save and switch on
          </button>
        </div>
      </TextEditor>
      <ScenarioWords />
    </form>
  )
}

/** The operations and effects that a scenario can name; loaded when the user opens it. */
function ScenarioWords() {
  const [isOpen, setOpen] = useState(false)
  const { value, problem } = useAnswer<ScenarioSchema>(
    isOpen ? '/schemas/scenario.json' : undefined,
    {},
    { shared: true },
  )
  return (
    <details onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>Operations and effects</summary>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? (
        <>
          <p>
            After <code>on</code>: <code>{operationsOf(value).join(', ')}</code>, a list of them, or{' '}
            <code>'*'</code> for all. With the effect <code>event</code>: the event types{' '}
            <code>{eventTypesOf(value).join(', ')}</code>.
          </p>
          <dl class="pairs">
            {effectsOf(value).map(({ keys, description }) => (
              <div key={keys.join(' ')}>
                <dt>
                  <code>{keys.join(', ')}</code>
                </dt>
                <dd>{description}</dd>
              </div>
            ))}
          </dl>
        </>
      ) : null}
    </details>
  )
}
