// The form of a simulation: its fields, its button, what it did, and the problems that the control plane reports.
import { useState } from 'hono/jsx/dom'
import type { Child } from 'hono/jsx'
import { textsOf } from '../form-texts.ts'
import { outcomeOf, purchaseOf, type Simulated } from '../purchase.ts'
import { RowLink } from '../row-links.tsx'
import { messageOf, useCanChange, useSession } from '../session.ts'
import type { Choices } from '../simulation-choices.ts'
import { Refused } from '../source.ts'

interface FormProps {
  name: string
  /** The path after `/_sandbox/simulate/`. */
  path: string
  button: string
  /** Fields of the request that are not typed: the form is a step in a line, and the line shows what it did. */
  step?: Readonly<Record<string, string>>
  children: Child
}

export function SimulationForm({ name, path, button, step, children }: FormProps) {
  const { source, route, say } = useSession()
  const canChange = useCanChange()
  const [result, setResult] = useState<Simulated | undefined>(undefined)
  const [problems, setProblems] = useState<readonly string[]>([])
  const simulate = async (event: Event): Promise<void> => {
    event.preventDefault()
    const body = { ...purchaseOf(textsOf(event.target)), ...step }
    try {
      const { workspace } = route
      const done = await source.ask<Simulated>('POST', `/simulate/${path}`, { workspace, body })
      setResult(done)
      setProblems([])
      say(`${name}: ${outcomeOf(done).text}`)
    } catch (error) {
      const details = error instanceof Refused ? error.details : []
      setResult(undefined)
      setProblems(
        details.length > 0
          ? details.map(({ path: field = '', message }) => `${field} ${message}`)
          : [messageOf(error)],
      )
      say(`${name}: refused, and nothing was changed.`)
    }
  }
  const outcome = result && !step ? outcomeOf(result) : undefined
  return (
    <section aria-label={name}>
      {step ? null : <h2>{name}</h2>}
      <form class={step && 'bar'} onSubmit={(event: Event) => void simulate(event)}>
        {step ? children : <div class="fields">{children}</div>}
        <button disabled={!canChange}>{button}</button>
      </form>
      {problems.map((problem) => (
        <p key={problem} class="problem">
          {problem}
        </p>
      ))}
      {outcome ? (
        <p>
          {outcome.text}
          {outcome.rows.map(([collection, id]) => [
            ' ',
            <RowLink key={id} collection={collection} id={id} />,
          ])}
        </p>
      ) : null}
    </section>
  )
}

interface FieldProps {
  name: string
  label: string
  /** The text to begin with. */
  value?: string
  /** Absent for a text. */
  choices?: Choices
  /** The text of no choice: a row has to be chosen, or none can be. */
  blank?: 'choose' | 'none'
  onInput?: (value: string) => void
}

/** A text, a choice, or a row to choose: the id of one of too many is typed. */
export function Field({ name, label, value, choices, blank, onInput }: FieldProps) {
  const attributes = {
    name,
    required: blank !== 'none',
    onInput: ({ target }: Event) => onInput?.((target as HTMLInputElement | HTMLSelectElement).value),
  }
  return (
    <label>
      {label} {blank && !choices ? 'id: too many to list' : ''} {blank === 'none' ? '(optional)' : ''}
      {choices ? (
        <select {...attributes}>
          {[...(blank ? [['', blank] as const] : []), ...choices].map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input {...attributes} autocomplete="off" {...(value === undefined ? {} : { value })} />
      )}
    </label>
  )
}
