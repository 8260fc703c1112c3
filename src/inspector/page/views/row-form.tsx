// A row as a form made from its schema; what is changed in it stands in the JSON at once.
import { useState } from 'hono/jsx/dom'
import { stringify } from '../../../json/stringify.ts'
import {
  amountText,
  fieldsOf,
  localTime,
  numberOf,
  timeOf,
  withField,
  type JsonSchema,
  type RowField,
} from '../row-fields.ts'
import { idFieldOf } from '../row-references.ts'
import { idOf } from '../row-columns.ts'
import { useAnswer } from '../session.ts'
import type { TextProblem } from '../text-problems.ts'

type Row = Readonly<Record<string, unknown>>

interface Props {
  collection: string
  /** Undefined while the JSON is none that a form could show. */
  row: Row | undefined
  problems: readonly TextProblem[]
  onChange: (row: Row) => void
}

export function RowForm({ collection, row, problems, onChange }: Props) {
  const { value: document } = useAnswer<JsonSchema>('/schemas/fixtures.json', {}, { shared: true })
  if (!document) return null
  if (!row) return <p class="notice">The form is back as soon as the JSON is an object again.</p>
  const fields = fieldsOf(document, collection, row, idFieldOf(collection))
  const there = fields.filter(({ value, isRequired }) => value !== undefined || isRequired)
  const others = fields.filter((field) => !there.includes(field))
  return (
    <fieldset class="row-form" aria-label="Fields">
      {there.map((field) => {
        const name = nameOf(field)
        return (
          <FieldRow
            key={name}
            field={field}
            problems={problems.filter(
              ({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
            )}
            onChange={(value) => onChange(withField(row, field.path, value))}
          />
        )
      })}
      {others.length === 0 ? null : (
        <div>
          <label for="add-field">Add a field</label>
          <div class="control">
            <select
              id="add-field"
              onChange={(event: Event) => {
                const { value } = event.target as HTMLSelectElement
                const field = others.find((other) => nameOf(other) === value)
                if (field) onChange(withField(row, field.path, firstValueOf(field)))
              }}
            >
              <option value="" selected>
                choose
              </option>
              {others.map((field) => (
                <option key={nameOf(field)} value={nameOf(field)}>
                  {nameOf(field)}
                </option>
              ))}
            </select>
          </div>
        </div>
      )}
    </fieldset>
  )
}

/** As problems name it. */
function nameOf({ path }: RowField): string {
  return path.join('.')
}

/** What a field begins with. */
function firstValueOf({ kind, choices }: RowField): unknown {
  if (kind === 'choice') return choices[0] ?? ''
  if (kind === 'choices') return []
  if (kind === 'number') return 0
  return kind === 'json' ? {} : ''
}

interface FieldProps {
  field: RowField
  problems: readonly TextProblem[]
  onChange: (value: unknown) => void
}

function FieldRow({ field, problems, onChange }: FieldProps) {
  const name = nameOf(field)
  const id = `field-${name}`
  const { description, isRequired, kind } = field
  const notes = [`${id}-note`, ...(problems.length > 0 ? [`${id}-problem`] : [])].join(' ')
  return (
    <div>
      {kind === 'choices' || kind === 'json' ? <span id={id}>{name}</span> : <label for={id}>{name}</label>}
      <div class="control">
        <Control field={field} id={id} notes={notes} isInvalid={problems.length > 0} onChange={onChange} />
        <span id={`${id}-note`} class="faint">
          {unitOf(field)}
        </span>
        {isRequired ? null : (
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onChange(undefined)}
          >
            Remove
          </button>
        )}
        {description === '' || field.isAmount ? null : <small class="faint">{description}</small>}
        {problems.length === 0 ? null : (
          <p id={`${id}-problem`} class="problem">
            {problems.map(({ message }) => message).join('; ')}
          </p>
        )}
      </div>
    </div>
  )
}

/** In what an amount and a time are counted. */
function unitOf({ isAmount, kind, value, currency }: RowField): string {
  if (isAmount) return amountText(value, currency)
  return kind === 'date-time' && localTime(value) !== undefined ? 'UTC' : ''
}

interface ControlProps {
  field: RowField
  id: string
  /** The ids of what is said of it. */
  notes: string
  isInvalid: boolean
  onChange: (value: unknown) => void
}

function Control({ field, id, notes, isInvalid, onChange }: ControlProps) {
  const { kind, choices, value, collection } = field
  const attributes = { id, 'aria-describedby': notes, ...(isInvalid && { 'aria-invalid': 'true' as const }) }
  const text =
    typeof value === 'string' ? value : value === undefined || value === null ? '' : stringify(value)
  switch (kind) {
    case 'choice':
      return (
        <select {...attributes} onChange={(event: Event) => onChange(typedIn(event))}>
          {(choices.includes(text) ? choices : [text, ...choices]).map((choice) => (
            <option key={choice} value={choice} selected={choice === text}>
              {choice === '' ? 'choose' : choice}
            </option>
          ))}
        </select>
      )
    case 'choices':
      return <Choices field={field} labelledBy={id} onChange={onChange} />
    case 'json':
      return <code class="json">{value === undefined ? 'none' : shortened(stringify(value))}</code>
    case 'reference':
      return (
        <ReferenceControl
          attributes={attributes}
          collection={collection ?? ''}
          text={text}
          onChange={onChange}
        />
      )
    case 'number':
      return (
        <input
          {...attributes}
          inputmode="numeric"
          autocomplete="off"
          value={text}
          onInput={(event: Event) => onChange(numberOf(typedIn(event)))}
        />
      )
    case 'date-time': {
      const local = localTime(value)
      // What is no time in UTC is shown as it is.
      if (local === undefined && text !== '') break
      return (
        <input
          {...attributes}
          type="datetime-local"
          step="0.001"
          value={local ?? ''}
          onInput={(event: Event) => {
            const typed = typedIn(event)
            if (typed !== '') onChange(timeOf(typed))
          }}
        />
      )
    }
    case 'date':
    case 'text':
  }
  return (
    <input
      {...attributes}
      {...(kind === 'date' && { type: 'date' })}
      autocomplete="off"
      value={text}
      onInput={(event: Event) => onChange(typedIn(event))}
    />
  )
}

function typedIn({ target }: Event): string {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : ''
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function Choices({
  field,
  labelledBy,
  onChange,
}: {
  field: RowField
  labelledBy: string
  onChange: (value: unknown) => void
}) {
  const chosen = new Set(Array.isArray(field.value) ? field.value.map(String) : [])
  return (
    <div role="group" aria-labelledby={labelledBy}>
      {field.choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.has(choice)}
            onChange={(event: Event) => {
              const isOn = (event.target as HTMLInputElement).checked
              onChange(field.choices.filter((each) => (each === choice ? isOn : chosen.has(each))))
            }}
          />
          {choice}
        </label>
      ))}
    </div>
  )
}

/** As many ids as a list to pick from holds. */
const mostPicked = 50

interface ReferenceProps {
  attributes: Readonly<Record<string, string>>
  collection: string
  text: string
  onChange: (value: unknown) => void
}

/** The id of a row, picked among those that begin with what was typed. */
function ReferenceControl({ attributes, collection, text, onChange }: ReferenceProps) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const { value } = useAnswer<Readonly<Record<string, object[]>>>(`/state/${collection}`, {
    limit: mostPicked,
    id_prefix: typed === undefined || typed === '' ? undefined : typed,
  })
  const list = `${attributes['id'] ?? ''}-ids`
  return (
    <>
      <input
        {...attributes}
        list={list}
        autocomplete="off"
        value={text}
        onFocus={() => setTyped('')}
        onInput={(event: Event) => {
          setTyped(typedIn(event))
          onChange(typedIn(event))
        }}
      />
      <datalist id={list}>
        {(value?.[collection] ?? []).map((row) => (
          <option key={idOf(collection, row)} value={idOf(collection, row)} />
        ))}
      </datalist>
    </>
  )
}
