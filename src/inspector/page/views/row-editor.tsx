// Writes a row as JSON. What others wrote meanwhile is shown before it is overwritten.
import { useRef, useState } from 'hono/jsx/dom'
import { FieldChangesTable } from '../field-changes.tsx'
import { changedMeanwhile, saveRow, textOfRow, type RowPlace } from '../row-draft.ts'
import { messageOf, useSession } from '../session.ts'
import { TextEditor } from '../text-editor.tsx'
import type { TextProblem } from '../text-problems.ts'

interface Props {
  place: RowPlace
  name: string
  /** The row as it was when it was opened; undefined where there was none. */
  opened: object | undefined
  /** What a new one begins with. */
  blank: object
  onSaved: (row: object) => void
}

export function RowEditor({ place, name, opened, blank, onSaved }: Props) {
  const { say } = useSession()
  const field = useRef<HTMLTextAreaElement>(null)
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  /** What somebody else made of the row meanwhile. */
  const [theirs, setTheirs] = useState<{ now: object | undefined } | undefined>(undefined)
  /** @param known what the row is to be when it is overwritten. */
  const save = async (known: object | undefined): Promise<void> => {
    try {
      const saved = await saveRow(place, field.current?.value ?? '', known)
      setProblems(saved.kind === 'refused' ? saved.problems : [])
      setTheirs(saved.kind === 'changed' ? { now: saved.now } : undefined)
      if (saved.kind === 'refused') return say('Nothing was saved: see what is wrong with it.')
      if (saved.kind === 'changed') return say('Nothing was saved: the row was changed meanwhile.')
      onSaved(saved.row)
      say(`Saved ${name}.`)
    } catch (error) {
      say(messageOf(error))
    }
  }
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault()
        void save(opened)
      }}
    >
      {opened ? null : (
        <p class="notice">There is no such row yet: Save adds it. What is left out is made up.</p>
      )}
      <TextEditor
        label="Row"
        name="row"
        text={textOfRow(opened ?? blank)}
        field={field}
        problems={problems}
      />
      {theirs ? (
        <section class="card" aria-label="Changed meanwhile">
          <p class="problem">
            {theirs.now ? 'Somebody changed this row meanwhile:' : 'Somebody deleted this row meanwhile.'}
          </p>
          <FieldChangesTable
            name="What was changed meanwhile"
            fields={changedMeanwhile(opened, theirs.now)}
          />
          <div class="bar">
            <button type="button" class="danger" onClick={() => void save(theirs.now)}>
              Save mine over it
            </button>
            <button
              type="button"
              onClick={() => {
                setTheirs(undefined)
                setProblems([])
                if (theirs.now) onSaved(theirs.now)
              }}
            >
              {theirs.now ? 'Take theirs' : 'Cancel'}
            </button>
          </div>
        </section>
      ) : null}
      <div class="bar">
        <button class="main">Save</button>
      </div>
    </form>
  )
}
