// The components of coverage: for the page, which adds actions, and for a file without scripts.
import type { Child } from 'hono/jsx'
import type { CoveredPoint } from '../../coverage/reports/coverage-report.ts'
import type { CoveredOperation, GridCell } from '../../coverage/reports/grid-rows.ts'
import type { ReceiverPoint } from '../../events/receiver-points.ts'
import { percentText, receiverTitle } from '../../coverage/reports/report-texts.ts'

/** Where links to operations and points lead. @param id of either. */
export type LinkTo = (id: string) => string

/** How much was exercised. */
interface Counts {
  total: number
  covered: number
}

/** The percentage as a ring, with its description. */
export function Head({ percent, children }: { percent: number; children: Child }) {
  return (
    <div class="head">
      <Ring percent={percent} />
      <div>{children}</div>
    </div>
  )
}

function Ring({ percent }: { percent: number }) {
  const around = 2 * Math.PI * 45
  const fill = (around * percent) / 100
  return (
    <svg class="ring" viewBox="0 0 110 110" role="img" aria-label={`${percentText(percent)} covered`}>
      <circle cx="55" cy="55" r="45" />
      {
        // A round cap would show a dot at 0 %.
        percent === 0 ? null : (
          <circle
            class="fill"
            cx="55"
            cy="55"
            r="45"
            transform="rotate(-90 55 55)"
            stroke-dasharray={`${fill.toFixed(2)} ${around.toFixed(2)}`}
          />
        )
      }
      <text x="55" y="55">{`${percent}%`}</text>
    </svg>
  )
}

/** How many points were exercised, in a sentence. */
export function CountsText({ total, covered }: Counts) {
  const missing = total - covered
  return (
    <>
      <b>{`${covered} of ${total}`}</b> contract points were exercised
      {missing === 0 ? (
        ': all of them.'
      ) : (
        <>
          ; <b>{missing}</b> are missing, with requests to paste.
        </>
      )}
    </>
  )
}

function Meter({ covered, total }: Counts) {
  const width = ((covered / total) * 100).toFixed(2)
  return (
    <svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect width={width} height="1" />
    </svg>
  )
}

/** Every operation with how much of it was exercised. */
export function Overview({ operations, to }: { operations: readonly CoveredOperation[]; to: LinkTo }) {
  return (
    <nav aria-label="Operations">
      <ul class="overview">
        {operations.map(({ operation, covered, total }) => (
          <li key={operation}>
            <a href={to(operation)}>
              <span>
                <span class="id">{operation}</span>
                <span class="covered">{`${covered} of ${total}`}</span>
              </span>
              <Meter covered={covered} total={total} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The points that receivers of webhook events covered. */
export function Receiver({ points }: { points: readonly ReceiverPoint[] }) {
  return (
    <section class="receiver" aria-label="Receiver">
      <h2>Receiver</h2>
      <p>{`${receiverTitle(points)}.`}</p>
      <ul>
        {points.map(({ id, sentence, covered, hits }) => (
          <li key={id}>
            <span class={covered ? 'cell is-good' : 'cell is-warn'}>
              {covered ? `✓ ${id} ×${hits}` : `○ ${id}`}
            </span>{' '}
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Chooses between all points and those that are missing, without a script. */
export function Choice() {
  return (
    <div class="choice" role="group" aria-label="Which points are shown">
      <label>
        <input type="radio" name="show" value="all" checked />
        All points
      </label>
      <label>
        <input type="radio" name="show" value="missing" />
        Only what is missing
      </label>
    </div>
  )
}

interface OperationProps {
  operation: CoveredOperation
  /** How it is called: its method and path. */
  endpoint?: { method: string; path: string; summary: string }
  to: LinkTo
  /** The points that are missing, with their requests. */
  children: Child
}

/** An operation: its points as a grid, then the missing ones. */
export function Operation({ operation: grid, endpoint, to, children }: OperationProps) {
  const { operation, covered, total, rows, missing } = grid
  return (
    <details
      class={missing.length === 0 ? 'operation whole' : 'operation'}
      id={operation}
      aria-label={operation}
      open
    >
      <summary>
        <h2>{operation}</h2>
        {endpoint === undefined ? null : (
          <span class="endpoint" title={endpoint.summary}>
            <span class="method">{endpoint.method}</span> <code>{endpoint.path}</code>
          </span>
        )}
        <span class="covered">{`${covered} of ${total}`}</span>
        <Meter covered={covered} total={total} />
      </summary>
      <dl class="grid">
        {rows.map(({ title, cells }) => (
          <div key={title} class={cells.every(({ point }) => point.covered) ? 'whole' : undefined}>
            <dt>{title}</dt>
            <dd>
              {cells.map((cell) => (
                <Cell key={cell.point.id} cell={cell} to={to} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {missing.length === 0 ? <p class="is-whole">Every point was exercised.</p> : children}
    </details>
  )
}

function Cell({ cell: { label, point }, to }: { cell: GridCell; to: LinkTo }) {
  const { id, sentence, covered, hits } = point
  if (!covered)
    return (
      <a class="cell is-warn" href={to(id)} title={sentence}>
        {`○ ${label}`}
      </a>
    )
  return (
    <span class="cell is-good" title={sentence}>
      {`✓ ${label} `}
      <span class="hits">{`×${hits}`}</span>
    </span>
  )
}

/** The title of a list of missing points. */
export function missingTitle({ missing }: CoveredOperation): string {
  return `${missing.length} missing, with requests to paste`
}

/** The id and the sentence of a point, above its request. */
export function PointText({ point: { id, sentence, section } }: { point: CoveredPoint }) {
  return (
    <>
      <span class="id">{id}</span>
      <p>
        {sentence} <span class="faint">Contract: {section}</span>
      </p>
    </>
  )
}
