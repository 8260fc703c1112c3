// Which contract points were exercised: the grid, and a request for each that was not.
import { useState } from 'hono/jsx/dom'
import type { CoverageReport } from '../../../coverage/reports/coverage-report.ts'
import type { GridRow } from '../../../coverage/reports/grid-rows.ts'
import type { WorkspaceView } from '../../../operations/sandbox-workspace.ts'
import { ConfirmButton } from '../confirm-button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { coveredOperations, type CoveredOperation } from '../covered-operations.ts'
import { Heading } from '../heading.tsx'
import { useAgainOn } from '../refresh.ts'
import { useAct, useAnswer, useCanChange, useSession } from '../session.ts'
import { suffixOf, withKeysOf, type OwnKey } from '../workspace-keys.ts'

export function CoverageView() {
  const { source, route } = useSession()
  const act = useAct()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<CoverageReport>('/coverage')
  const [onlyMissing, setOnlyMissing] = useState(false)
  const [isOld, setOld] = useState(false)
  useAgainOn(
    ({ kind }) => kind !== 'connection' && kind !== 'change',
    () => setOld(true),
  )
  const look = (): void => {
    setOld(false)
    again()
  }
  const clear = (): Promise<unknown> => source.ask('DELETE', '/coverage', { workspace: route.workspace })
  const operations = coveredOperations(value?.points ?? [])
  return (
    <>
      <Heading>Coverage</Heading>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? (
        <>
          <p>
            <strong>{value.percent} %</strong>: {value.covered} of {value.total} contract points were
            exercised by at least one call{source.isLive ? ' of this workspace' : ''}.
          </p>
          <div class="bar">
            <label>
              <input
                type="checkbox"
                onChange={(event: Event) => setOnlyMissing((event.target as HTMLInputElement).checked)}
              />
              Only what is missing
            </label>
            {isOld ? (
              <button type="button" onClick={look}>
                Count the calls that came since
              </button>
            ) : null}
            {canChange ? (
              <ConfirmButton
                name="Clear"
                question="Count from nothing?"
                onConfirm={() => void act(clear, 'Coverage counts from nothing.').then(look)}
              />
            ) : null}
          </div>
          {operations
            .filter(({ missing }) => !onlyMissing || missing.length > 0)
            .map((operation) => (
              <Operation key={operation.operation} operation={operation} onlyMissing={onlyMissing} />
            ))}
        </>
      ) : null}
    </>
  )
}

function Operation({ operation, onlyMissing }: { operation: CoveredOperation; onlyMissing: boolean }) {
  const { operation: name, covered, total, rows, missing } = operation
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={name}>
      <h2>
        {name} <span class="badge">{`${covered} of ${total}`}</span>
      </h2>
      <dl class="grid">
        {rows.map((row) => (
          <Row key={row.title} row={row} onlyMissing={onlyMissing} />
        ))}
      </dl>
      {missing.length === 0 ? null : (
        <details onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
          <summary>{missing.length} missing, with requests to paste</summary>
          {isOpen ? <Missing operation={operation} /> : null}
        </details>
      )}
    </section>
  )
}

function Row({ row: { title, cells }, onlyMissing }: { row: GridRow; onlyMissing: boolean }) {
  const shown = cells.filter(({ point }) => !onlyMissing || !point.covered)
  if (shown.length === 0) return null
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {shown.map(({ label, point: { id, sentence, covered, hits } }) => (
          <span key={id} class={covered ? 'cell is-covered' : 'cell'} title={sentence}>
            {covered ? `✓ ${label} ×${hits}` : `○ ${label}`}
          </span>
        ))}
      </dd>
    </div>
  )
}

function Missing({ operation: { missing } }: { operation: CoveredOperation }) {
  const { source, route } = useSession()
  const { value } = useAnswer<{ workspaces: WorkspaceView[] }>(
    source.isLive ? '/workspaces' : undefined,
    {},
    { shared: true },
  )
  const keyOf = (workspace: string) => value?.workspaces.find(({ name }) => name === workspace)?.api_key
  // With --isolation partner lists contain no key, and the keys of the built-in rows open nothing.
  const hasOwnKeys = value?.workspaces.every(({ api_key: key }) => key === null) === true
  const { value: own } = useAnswer<{ api_keys: OwnKey[] }>(hasOwnKeys ? '/state/api_keys' : undefined)
  const isServed = !hasOwnKeys || route.workspace !== 'default'
  const suffix =
    hasOwnKeys && isServed ? `.${route.workspace}` : suffixOf(keyOf('default'), keyOf(route.workspace))
  const pasted = (exercise: string): string => withKeysOf(suffix, exercise, own?.api_keys)
  // Until then they would lead to another one.
  if ((source.isLive && !value) || (hasOwnKeys && !own)) return null
  return (
    <ol class="missing">
      {missing.map(({ id, sentence, section, exercise }) => (
        <li key={id}>
          <p>
            <code>{id}</code> {sentence} <span class="faint">Contract: {section}</span>
          </p>
          {exercise === undefined ? (
            <p class="faint">The built-in fixtures have nothing that exercises it.</p>
          ) : (
            <>
              <pre tabindex={0}>{pasted(exercise)}</pre>
              <CopyButton name="Copy" of={id} text={pasted(exercise)} />
              {suffix !== '' && pasted(exercise) === exercise ? (
                <p class="faint">Without a key it is a call of the workspace default.</p>
              ) : null}
              {isServed ? null : (
                <p class="faint">Where partners are kept apart no key opens the workspace default.</p>
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
