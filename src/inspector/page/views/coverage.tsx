// Which contract points were exercised: the grid, and a request for each that was not.
import { useState } from 'hono/jsx/dom'
import type { CoveredPoint, CoverageReport } from '../../../coverage/reports/coverage-report.ts'
import { coveredOperations, type CoveredOperation } from '../../../coverage/reports/grid-rows.ts'
import { remarksText } from '../../../coverage/reports/report-texts.ts'
import type { WorkspaceView } from '../../../operations/sandbox-workspace.ts'
import {
  Choice,
  CountsText,
  Head,
  missingTitle,
  Operation,
  Overview,
  PointText,
  Receiver,
} from '../../reports/coverage-parts.tsx'
import { ConfirmButton } from '../confirm-button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { Heading } from '../heading.tsx'
import { useAgainOn } from '../refresh.ts'
import { useAct, useAnswer, useCanChange, useLink, useSession } from '../session.ts'
import { useEffect } from '../use-effect.ts'
import { suffixOf, withKeysOf, type OwnKey } from '../workspace-keys.ts'

export function CoverageView() {
  const { source, route, visits } = useSession()
  const link = useLink()
  const act = useAct()
  const canChange = useCanChange()
  const { value, problem, again } = useAnswer<CoverageReport>('/coverage')
  const [isOld, setOld] = useState(false)
  const [shown] = route.parts
  useAgainOn(
    ({ kind }) => kind !== 'connection' && kind !== 'change',
    () => setOld(true),
  )
  useEffect(() => {
    if (value && shown !== undefined) show(shown)
  }, [value === undefined, shown, visits])
  const look = (): void => {
    setOld(false)
    again()
  }
  const clear = (): Promise<unknown> => source.ask('DELETE', '/coverage', { workspace: route.workspace })
  const operations = coveredOperations(value?.points ?? [])
  const to = (id: string): string => link('coverage', [id])
  const remarks = value && remarksText(value)
  return (
    <>
      {value ? (
        <Head percent={value.percent}>
          <Heading>Coverage</Heading>
          <p>
            <CountsText total={value.total} covered={value.covered} />
            {source.isLive ? ' The calls of this workspace count.' : ''}
          </p>
          {remarks === undefined ? null : <p>{remarks}</p>}
        </Head>
      ) : (
        <Heading>Coverage</Heading>
      )}
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      {value ? (
        <>
          {canChange || isOld ? (
            <div class="bar">
              {isOld ? (
                <button type="button" onClick={look}>
                  Count the calls that came since
                </button>
              ) : null}
              {canChange ? (
                <ConfirmButton
                  name="Clear"
                  question="Reset the count?"
                  onConfirm={() => void act(clear, 'Coverage was reset.').then(look)}
                />
              ) : null}
            </div>
          ) : null}
          <Overview operations={operations} to={to} />
          <Choice />
          <div class="operations">
            {operations.map((operation) => (
              <Operation key={operation.operation} operation={operation} to={to}>
                <Missing operation={operation} shown={shown} />
              </Operation>
            ))}
          </div>
          {value.receiver === undefined ? null : <Receiver points={value.receiver} />}
        </>
      ) : null}
    </>
  )
}

/** Scrolls to an operation or a point, and opens the folded parts around it. */
function show(id: string): void {
  const place = document.getElementById(id)
  for (let around = place; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) around.open = true
  }
  place?.scrollIntoView({ block: 'start' })
  const summary = place instanceof HTMLDetailsElement ? place.querySelector('summary') : null
  ;(summary ?? place)?.focus({ preventScroll: true })
}

interface MissingProps {
  operation: CoveredOperation
  /** The point that the address names. */
  shown: string | undefined
}

function Missing({ operation, shown }: MissingProps) {
  const [isOpen, setOpen] = useState(false)
  const isShown = operation.missing.some(({ id }) => id === shown)
  return (
    <details class="missing" onToggle={(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>{missingTitle(operation)}</summary>
      {isOpen || isShown ? (
        <MissingPoints points={operation.missing} shown={isShown ? shown : undefined} />
      ) : null}
    </details>
  )
}

function MissingPoints({ points, shown }: { points: readonly CoveredPoint[]; shown: string | undefined }) {
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
  const isReady = !(source.isLive && !value) && !(hasOwnKeys && !own)
  useEffect(() => {
    if (isReady && shown !== undefined) show(shown)
  }, [isReady, shown])
  if (!isReady) return null
  return (
    <ol>
      {points.map((point) => (
        <li key={point.id} id={point.id} tabindex={-1}>
          <PointText point={point} />
          {point.exercise === undefined ? (
            <p class="faint">No row of the built-in fixtures can exercise it.</p>
          ) : (
            <>
              <pre tabindex={0}>{pasted(point.exercise)}</pre>
              <CopyButton name="Copy" of={point.id} text={pasted(point.exercise)} />
              {suffix !== '' && pasted(point.exercise) === point.exercise ? (
                <p class="faint">Without a key it is a call of the workspace default.</p>
              ) : null}
              {isServed ? null : (
                <p class="faint">With partner isolation no key opens the workspace default.</p>
              )}
            </>
          )}
        </li>
      ))}
    </ol>
  )
}
