// The form of a row, generated from its schema; each edit changes the JSON immediately.
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
  /** The fields that were edited since the row was refused: their problems are hidden. */
  const [edited, setEdited] = useState<{ problems: Props['problems']; names: readonly string[] }>({
    problems,
    names: [],
  })
  if (!document) return null
  if (!row) return <p class="notice">The form is back as soon as the JSON can be read as an object.</p>
  const isEdited = (name: string): boolean => edited.problems === problems && edited.names.includes(name)
  const fields = fieldsOf(document, collection, row, idFieldOf(collection))
  if (fields.length === 0) return null
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
            problems={
              isEdited(name)
                ? []
                : problems.filter(
                    ({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
                  )
            }
            onChange={(value) => {
              const before = edited.problems === problems ? edited.names : []
              setEdited({ problems, names: [...before, name] })
              onChange(withField(row, field.path, value))
            }}
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
                if (field) onChange(withField(row, field.path, field.blank))
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

/** The unit of an amount or a time; also the message for a text that is no number. */
function unitOf({ isAmount, kind, value, currency }: RowField): string {
  if (kind === 'number' && typeof value === 'string' && value !== '') return 'text, not a number'
  if (isAmount) return amountText(value, currency)
  return kind === 'date-time' && localTime(value) !== undefined ? 'UTC' : ''
}

interface ControlProps {
  field: RowField
  id: string
  /** The ids of its descriptions. */
  notes: string
  isInvalid: boolean
  onChange: (value: unknown) => void
}

function Control({ field, id, notes, isInvalid, onChange }: ControlProps) {
  const { kind, choices, value, collection } = field
  const attributes = { id, 'aria-describedby': notes, ...(isInvalid && { 'aria-invalid': 'true' as const }) }
  const text = textOf(value)
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
      return <NumberControl attributes={attributes} value={value} onChange={onChange} />
    case 'date-time': {
      const local = localTime(value)
      // A text that is not a UTC time is edited as text.
      if (local === undefined && text !== '') break
      return (
        <input
          {...attributes}
          type="datetime-local"
          step="0.001"
          max="9999-12-31T23:59:59.999"
          value={local ?? ''}
          onInput={(event: Event) => {
            // It is empty, too, while only some of its parts are typed.
            const typed = typedIn(event)
            if (typed !== '') onChange(timeOf(typed))
          }}
          onBlur={(event: Event) => {
            if (typedIn(event) === '' && text !== '') onChange('')
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

/** A value as a field shows it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : stringify(value)
}

type Attributes = Readonly<Record<string, string>>

interface NumberProps {
  attributes: Attributes
  value: unknown
  onChange: (value: unknown) => void
}

/** Keeps the text as it was typed, such as `1.0` on the way to `1.05`, for as long as it is the number of the row. */
function NumberControl({ attributes, value, onChange }: NumberProps) {
  const [typed, setTyped] = useState('')
  const isTyped = stringify(numberOf(typed)) === stringify(value ?? '')
  return (
    <input
      {...attributes}
      inputmode="decimal"
      autocomplete="off"
      value={isTyped ? typed : textOf(value)}
      onInput={(event: Event) => {
        setTyped(typedIn(event))
        onChange(numberOf(typedIn(event)))
      }}
    />
  )
}

function typedIn({ target }: Event): string {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.value : ''
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

interface ChoicesProps {
  field: RowField
  /** The id of its name. */
  labelledBy: string
  onChange: (value: unknown) => void
}

function Choices({ field: { choices, value }, labelledBy, onChange }: ChoicesProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  const others = chosen.filter((each) => !choices.includes(each))
  return (
    <div role="group" aria-labelledby={labelledBy}>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={chosen.includes(choice)}
            onChange={(event: Event) => {
              const isOn = (event.target as HTMLInputElement).checked
              const own = choices.filter((each) => (each === choice ? isOn : chosen.includes(each)))
              onChange([...own, ...others])
            }}
          />
          {choice}
        </label>
      ))}
    </div>
  )
}

/** Maximum number of ids in a list to choose from. */
const maxPicked = 50

interface ReferenceProps {
  attributes: Attributes
  collection: string
  text: string
  onChange: (value: unknown) => void
}

/** The id of a row, chosen from those that begin with the typed text. */
function ReferenceControl({ attributes, collection, text, onChange }: ReferenceProps) {
  const [typed, setTyped] = useState('')
  const { value } = useAnswer<Readonly<Record<string, object[]>>>(`/state/${collection}`, {
    limit: maxPicked,
    id_prefix: typed === '' ? undefined : typed,
  })
  const list = `${attributes['id'] ?? ''}-ids`
  return (
    <span class="picker">
      <input
        {...attributes}
        list={list}
        autocomplete="off"
        value={text}
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
    </span>
  )
}
