// The explanation of an answer: the reason in one sentence, the facts of each part, and the assumptions.
import type { ExplanationFact } from '../../../explain/explanation.ts'
import type { AssumptionView } from '../../../input/resolve-assumptions.ts'
import type { ExplainedEntry } from '../../../operations/requests.ts'
import { useAnswer, useLink } from '../session.ts'

export function ExplanationOf({ entry }: { entry: ExplainedEntry }) {
  const { summary, sections } = entry.explanation
  // A trace of a run may have none.
  const { reads = [] }: Partial<ExplainedEntry> = entry
  const rows = [...reads, ...entry.changes].map(({ collection, id }) => `${collection} ${id}`)
  const rests = sections.find(({ about }) => about === 'assumptions')
  return (
    <div>
      <h2>Why</h2>
      <p class="summary">{summary}</p>
      {sections
        .filter((section) => section !== rests)
        .map(({ about, facts }) => (
          <div key={about} class="found">
            <h3>{titleOf(about)}</h3>
            <ul>
              {facts.map((fact, place) => (
                <li key={place}>
                  <Fact fact={fact} rows={about === 'rows' ? rows : []} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      {rests ? <Assumptions facts={rests.facts} /> : null}
    </div>
  )
}

/** @param rows the collections and ids that State can show. */
function Fact({ fact: { name, value, note }, rows }: { fact: ExplanationFact; rows: readonly string[] }) {
  const link = useLink()
  const text = textOf(value)
  return (
    <>
      <span class="faint">{name.replaceAll('_', ' ')}:</span>{' '}
      {rows.includes(text) ? <a href={link('state', text.split(' '))}>{text}</a> : text}
      {note === undefined ? null : <span class="faint"> ({note})</span>}
    </>
  )
}

/** Words by commas, and sentences by semicolons. */
function textOf(value: ExplanationFact['value']): string {
  if (!Array.isArray(value)) return String(value ?? 'none')
  if (value.length === 0) return 'none'
  return value.join(value.some((item) => item.includes(' ')) ? '; ' : ', ')
}

/** The assumptions that decided this answer. */
function Assumptions({ facts }: { facts: readonly ExplanationFact[] }) {
  const link = useLink()
  const { value } = useAnswer<{ assumptions: AssumptionView[] }>('/assumptions', {}, { shared: true })
  return (
    <div class="found">
      <h3>Assumptions it rests on</h3>
      <ul>
        {facts.map(({ name, value: chosen, note }) => {
          const known = value?.assumptions.find(({ id }) => id === name)
          return (
            <li key={name}>
              <a href={link('assumptions', [name])}>{name}</a> = <code>{textOf(chosen)}</code>{' '}
              {known?.question ?? note}
              {known ? <span class="faint"> ({provenanceOf(known)})</span> : null}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function provenanceOf({ provenance, calibrated, follows }: AssumptionView): string {
  if (follows) return `follows ${follows}`
  if (calibrated) return `observed at ${calibrated.host}, ${calibrated.at}`
  return provenance === 'set' ? 'set by you' : 'the default'
}

function titleOf(about: string): string {
  if (about === 'route') return 'Nearest endpoint'
  return about.charAt(0).toUpperCase() + about.slice(1)
}
