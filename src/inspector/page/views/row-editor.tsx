// Edits a row, in a form or as JSON. Changes of others are shown before they are overwritten.
import { useRef, useState } from 'hono/jsx/dom'
import type { Child } from 'hono/jsx'
import { isJsonObject } from '../../../json/json-object.ts'
import { parseExact } from '../../../json/parse-exact.ts'
import { draftKey, drafts } from '../drafts.ts'
import { FieldChangesTable } from '../field-changes.tsx'
import { changedMeanwhile, saveRow, textOfRow, type RowPlace } from '../row-draft.ts'
import { messageOf, useSession } from '../session.ts'
import { TextEditor } from '../text-editor.tsx'
import { jsonProblems, type TextProblem } from '../text-problems.ts'
import { RowForm } from './row-form.tsx'
import { useEffect } from '../use-effect.ts'

interface Props {
  place: RowPlace
  collection: string
  name: string
  /** The row as it was when it was opened; undefined where there was none. */
  opened: object | undefined
  /** The text of a new row. */
  blank: object
  /** During a save, events about the row are caused by this page. */
  onSaving: (isSaving: boolean) => void
  onSaved: (row: object) => void
  onDiscard: () => void
  /** Further buttons next to Save. */
  children: Child
}

export function RowEditor(props: Props) {
  const { place, collection, name, opened, blank, onSaving, onSaved, onDiscard, children } = props
  const { say } = useSession()
  const draft = draftKey(place.workspace, place.path)
  const meanwhile = useRef<HTMLElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  /** The row in the JSON text, for the form. */
  const [row, setRow] = useState<Readonly<Record<string, unknown>> | undefined>(undefined)
  const [problems, setProblems] = useState<readonly TextProblem[]>([])
  /** The row as another user changed it meanwhile. */
  const [theirs, setTheirs] = useState<{ now: object | undefined } | undefined>(undefined)
  /** @param known the expected row when it is overwritten. */
  const save = async (known: object | undefined): Promise<void> => {
    onSaving(true)
    try {
      const saved = await saveRow(place, field.current?.value ?? '', known)
      setProblems(saved.kind === 'refused' ? saved.problems : [])
      setTheirs(saved.kind === 'changed' ? { now: saved.now } : undefined)
      if (saved.kind === 'refused') return say('Nothing was saved: correct the problems that are listed.')
      if (saved.kind === 'changed') return say('Nothing was saved: the row was changed meanwhile.')
      drafts.delete(draft)
      onSaved(saved.row)
      say(`Saved ${name}.`)
    } catch (error) {
      say(messageOf(error))
    } finally {
      onSaving(false)
    }
  }
  useEffect(() => {
    if (theirs) meanwhile.current?.focus()
  }, [theirs])
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault()
        void save(opened)
      }}
    >
      {opened ? null : (
        <p class="notice">
          This row does not exist yet: Save adds it. Required fields that you omit are filled in.
        </p>
      )}
      <div class="row-editor">
        <RowForm
          collection={collection}
          row={row}
          problems={problems}
          onChange={(changed) => {
            if (!field.current) return
            field.current.value = textOfRow(changed)
            // As if it was typed.
            field.current.dispatchEvent(new Event('input', { bubbles: true }))
          }}
        />
        <div>
          <TextEditor
            label="Row"
            name="row"
            text={textOfRow(opened ?? blank)}
            field={field}
            problems={problems}
            draft={draft}
            opened={opened}
            onText={(text) => setRow(rowIn(text))}
            onDiscard={onDiscard}
          >
            <div class="bar">
              <button class="main">Save</button>
              {children}
            </div>
          </TextEditor>
        </div>
      </div>
      {theirs ? (
        <section ref={meanwhile} tabindex={-1} class="card" aria-label="Changed meanwhile">
          <p class="problem">
            {theirs.now ? 'This row was changed meanwhile:' : 'This row was deleted meanwhile.'}
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
                if (!theirs.now) return
                drafts.delete(draft)
                onSaved(theirs.now)
              }}
            >
              {theirs.now ? 'Take theirs' : 'Cancel'}
            </button>
          </div>
        </section>
      ) : null}
    </form>
  )
}

/** The row that a text is; undefined for a text that is no JSON object. */
function rowIn(text: string): Readonly<Record<string, unknown>> | undefined {
  if (jsonProblems(text).length > 0) return undefined
  const value = parseExact(text, true)
  return isJsonObject(value) ? value : undefined
}
