// Assumptions: the open question, the current value, and how many calls depend on it.
import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import {
  asConfig,
  asOption,
  assumptionsWith,
  chosenBy,
  usedAmong,
  usedFirst,
  valuesOf,
  type UsedAssumption,
} from '../assumption-texts.ts'
import { CopyButton } from '../copy-button.tsx'
import { Heading } from '../heading.tsx'
import { useAgainOn } from '../refresh.ts'
import { useAnswer, useLink, useSession } from '../session.ts'
import { FilterField } from './filter-field.tsx'

export function Assumptions() {
  const { route } = useSession()
  const [open] = route.parts
  const link = useLink()
  const onlyChanged = route.query['changed'] !== undefined
  const { value, problem, again } = useAnswer<{ assumptions: UsedAssumption[] }>('/assumptions')
  const [text, setText] = useState('')
  // How many calls rest on each; nothing moves by it.
  useAgainOn(({ kind }) => kind !== 'connection' && kind !== 'change', again)
  const [onlyUsed, setOnlyUsed] = useState(false)
  /** The assumptions that calls rested on when the filter was last set: rows do not move while they are read. */
  const used = useRef<ReadonlySet<string> | undefined>(undefined)
  const all = value?.assumptions ?? []
  if (value) used.current ??= usedAmong(all)
  const usedThen = used.current ?? new Set<string>()
  const assumptions = assumptionsWith(text, usedFirst(all, usedThen)).filter(
    ({ id, value: current, default: defaultValue }) =>
      (!onlyUsed || usedThen.has(id)) && (!onlyChanged || current !== defaultValue),
  )
  return (
    <>
      <Heading>Assumptions</Heading>
      <p>Questions that the contract leaves open, and the answers that the sandbox assumes.</p>
      <div class="bar">
        <FilterField onText={setText} />
        <label>
          <input
            type="checkbox"
            onChange={(event: Event) => {
              used.current = usedAmong(all)
              setOnlyUsed((event.target as HTMLInputElement).checked)
            }}
          />
          Only those that calls rest on
        </label>
      </div>
      {onlyChanged ? (
        <p>
          Only those whose value is not the default, as the options of start set it.{' '}
          <a href={link('assumptions')}>Show all</a>
        </p>
      ) : null}
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value && assumptions.length === 0 ? (
        <p class="faint">
          {onlyUsed && text === '' ? 'No call rests on an assumption so far.' : 'None fits.'}
        </p>
      ) : null}
      {assumptions.map((assumption) => (
        <Assumption key={assumption.id} assumption={assumption} isOpen={assumption.id === open} />
      ))}
      {value && open !== undefined && !value.assumptions.some(({ id }) => id === open) ? (
        <p class="problem">There is no assumption “{open}”.</p>
      ) : null}
    </>
  )
}

function Assumption({ assumption, isOpen }: { assumption: UsedAssumption; isOpen: boolean }) {
  const {
    id,
    question,
    section,
    value,
    default: defaultValue,
    effect,
    alternatives,
    range,
    used,
  } = assumption
  const link = useLink()
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    place.current?.scrollIntoView({ block: 'start' })
    place.current?.focus({ preventScroll: true })
  }, [isOpen])
  return (
    <article ref={place} tabindex={-1} class={isOpen ? 'card is-open' : 'card'}>
      <h2>
        <a href={link('assumptions', [id])}>{id}</a>
        {used === undefined ? null : (
          <span class="badge">{used === 1 ? '1 call rests on it' : `${used} calls rest on it`}</span>
        )}
      </h2>
      <p>{question}</p>
      <dl class="pairs">
        <div>
          <dt>Value</dt>
          <dd>
            <code>{String(value)}</code> <span class="faint">{chosenBy(assumption)}</span>
            {value === defaultValue ? null : (
              <>
                ; the default is back with <code>{asOption(id, String(defaultValue))}</code>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Effect</dt>
          <dd>{effect}</dd>
        </div>
        <div>
          <dt>Alternatives</dt>
          <dd>
            {[...alternatives.map(String), ...(range ? [`${range[0]} to ${range[1]}`] : [])].join(', ') ||
              'none'}
          </dd>
        </div>
        <div>
          <dt>Contract</dt>
          <dd>{section}</dd>
        </div>
      </dl>
      <AssumptionCopies assumption={assumption} />
    </article>
  )
}

/** A value to choose, as an option of a command and as lines of the config file. */
function AssumptionCopies({ assumption }: { assumption: UsedAssumption }) {
  const values = valuesOf(assumption)
  const [chosen, setChosen] = useState(values[0] ?? '')
  if (values.length < 2) return null
  return (
    <div class="bar">
      <label>
        Copy with
        <select
          aria-label={`Copy ${assumption.id} with`}
          onChange={(event: Event) => setChosen((event.target as HTMLSelectElement).value)}
        >
          {values.map((value) => (
            <option key={value} value={value} selected={value === chosen}>
              {value}
            </option>
          ))}
        </select>
      </label>
      <CopyButton name="Copy option" of={assumption.id} text={asOption(assumption.id, chosen)} />
      <CopyButton name="Copy config" of={assumption.id} text={asConfig(assumption.id, chosen)} />
    </div>
  )
}
