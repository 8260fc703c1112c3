// The report of conform as one HTML file that opens from the disk and runs no script.
import { fileOf } from '../document.tsx'

/** A point of the contract. */
interface NamedPoint {
  id: string
  sentence: string
}

/** A point that was judged. */
export interface Finding extends NamedPoint {
  section: string
  /** The observed value; then the expected one, and each exchange as lines. */
  seen?: string
  expected?: string
  exchanges?: readonly (readonly string[])[]
}

/** Findings under one heading: each in full, or by a reason that they have in common. */
interface FindingGroup {
  title: string
  points?: readonly Finding[]
  reasons?: readonly { why: string; points: readonly NamedPoint[] }[]
  /** As their names alone. */
  names?: readonly NamedPoint[]
}

interface Findings {
  title: string
  /** The summary, in sentences. */
  lead: string
  counts: readonly { what: string; count: number; isBad?: boolean }[]
  groups: readonly FindingGroup[]
}

export function findingsFile({ title, lead, counts, groups }: Findings): string {
  return fileOf({
    title,
    body: (
      <div class="report">
        <header class="head">
          <div>
            <h1>{title}</h1>
            <p>{lead}</p>
          </div>
        </header>
        <ul class="verdicts">
          {counts.map(({ what, count, isBad = false }) => (
            <li class={isBad && count > 0 ? 'is-bad' : undefined}>
              <b>{count}</b> {what}
            </li>
          ))}
        </ul>
        <main>
          {groups.map(({ title: name, points = [], reasons = [], names = [] }) =>
            points.length + reasons.length + names.length === 0 ? null : (
              <section>
                <h2>{name}</h2>
                {points.map((point) => (
                  <Whole point={point} />
                ))}
                {reasons.map(({ why, points: own }) => (
                  <details class="reason">
                    <summary>{`${why} (${own.length})`}</summary>
                    <Names points={own} />
                  </details>
                ))}
                {names.length === 0 ? null : <Names points={names} />}
              </section>
            ),
          )}
        </main>
      </div>
    ),
  })
}

function Whole({
  point: { id, sentence, section, seen = '', expected, exchanges = [] },
}: {
  point: Finding
}) {
  return (
    <article class="card" id={id}>
      <h3>
        <span class="id">{id}</span>
      </h3>
      <p>
        {sentence} <span class="faint">Contract: {section}</span>
      </p>
      <dl class="pairs">
        <div>
          <dt>Seen</dt>
          <dd>{seen}</dd>
        </div>
        {expected === undefined ? null : (
          <div>
            <dt>Expected</dt>
            <dd>{expected}</dd>
          </div>
        )}
      </dl>
      {exchanges.map((lines) => (
        <pre>{lines.join('\n')}</pre>
      ))}
    </article>
  )
}

function Names({ points }: { points: readonly NamedPoint[] }) {
  return (
    <ul>
      {points.map(({ id, sentence }) => (
        <li title={sentence}>
          <span class="id">{id}</span>
        </li>
      ))}
    </ul>
  )
}
