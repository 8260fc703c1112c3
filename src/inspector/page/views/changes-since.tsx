// The diff since a snapshot: added rows, removed rows, and the changed fields of rows.
import { useRef, useState } from 'hono/jsx/dom'
import { stringify } from '../../../json/stringify.ts'
import type { CollectionDiff, StateDiff } from '../../../workspaces/state-diff.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { FieldChangesTable } from '../field-changes.tsx'
import { rowsReported, useAgainOn } from '../refresh.ts'
import { idOf } from '../row-columns.ts'
import { RowLink } from '../row-links.tsx'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { useEffect } from '../use-effect.ts'

/** As many rows of a kind as are drawn at once. */
const maxDrawn = 100

export function ChangesSince({ snapshot }: { snapshot: string }) {
  const link = useLink()
  const { source, route } = useSession()
  const act = useAct()
  const canChange = useCanChange()
  const heading = useRef<HTMLElement>(null)
  const [isOld, setOld] = useState(false)
  const { value, problem, again } = useAnswer<StateDiff>(`/snapshots/${encodeURIComponent(snapshot)}/diff`)
  // Nothing moves while it is read.
  useAgainOn(
    (event) => rowsReported(event)?.length !== 0,
    () => setOld(true),
  )
  // The section may be below the window.
  useEffect(() => {
    if (!value) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [value !== undefined])
  const restore = (): Promise<unknown> =>
    source.ask('POST', `/snapshots/${encodeURIComponent(snapshot)}/restore`, { workspace: route.workspace })
  const diffs = Object.entries(value ?? {})
  return (
    <section aria-labelledby="since">
      <h2 id="since" ref={heading} tabindex={-1}>
        What changed since “{snapshot}”
      </h2>
      <div class="bar">
        {isOld ? <span>Rows have changed again.</span> : null}
        <button
          type="button"
          onClick={() => {
            setOld(false)
            again()
          }}
        >
          Compare again
        </button>
        {canChange && diffs.length > 0 ? (
          <ConfirmButton
            name="Restore"
            question={`Put all rows back to “${snapshot}”?`}
            onConfirm={() =>
              void act(restore, `All rows are as in “${snapshot}”.`).then(
                (went) => went && location.assign(link('state')),
              )
            }
          />
        ) : null}
        <a href={link('state')}>Close</a>
      </div>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value && diffs.length === 0 ? <p>Nothing.</p> : null}
      {diffs.map(([collection, diff]) => (
        <Collection key={collection} collection={collection} diff={diff} />
      ))}
    </section>
  )
}

function Collection({ collection, diff }: { collection: string; diff: CollectionDiff }) {
  const { added, changed, removed } = diff
  return (
    <section aria-label={collection}>
      <h3>
        {collection}: {changed.length} changed, {added.length} added, {removed.length} removed
      </h3>
      {changed.slice(0, maxDrawn).map(({ id, fields }) => (
        <div key={id} class="card">
          <p>
            Changed: <RowLink collection={collection} id={id} />
          </p>
          <FieldChangesTable name={`Fields of ${id}`} fields={fields} />
        </div>
      ))}
      <WholeRows collection={collection} what="Added" rows={added} />
      <WholeRows collection={collection} what="Removed" rows={removed} />
      <More left={changed.length - maxDrawn} />
    </section>
  )
}

function WholeRows(props: { collection: string; what: 'Added' | 'Removed'; rows: readonly object[] }) {
  const { collection, what, rows } = props
  return (
    <>
      {rows.slice(0, maxDrawn).map((row) => {
        const id = idOf(collection, row)
        return (
          <details key={id} class="card">
            <summary>
              {what}: {id}
            </summary>
            {what === 'Added' ? (
              <p>
                <RowLink collection={collection} id={id} />
              </p>
            ) : null}
            <pre tabindex={0}>{stringify(row, 2)}</pre>
          </details>
        )
      })}
      <More left={rows.length - maxDrawn} />
    </>
  )
}

function More({ left }: { left: number }) {
  return left > 0 ? <p class="notice">{left} more are not shown here: `snapshot diff` prints all.</p> : null
}
