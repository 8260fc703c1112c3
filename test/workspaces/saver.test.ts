import { Coverage } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { expect, test } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { State } from '../../src/store/state.ts'
import { workspaceClock } from '../../src/operations/clock.ts'
import { workspaceSnapshots } from '../../src/operations/snapshots.ts'
import { workspaceState } from '../../src/operations/state.ts'
import { testIsolation } from '../../src/workspaces/isolation-policy.ts'
import { changedRowsOf } from '../helpers/delta-rows.ts'
import { Workspaces } from '../../src/workspaces/workspaces.ts'

const assumptions = resolveAssumptions()

/** A workspace with one product, and the notifications of its saver. */
const unrecorded = (): void => undefined

function kept() {
  const account = { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } } as const
  const library = new ScenarioLibrary('scenarios', [], (path) => path)
  const empty = (): State => State.empty(account, assumptions)
  const workspaces = new Workspaces(
    {
      seed: 1,
      policy: testIsolation,
      state: empty(),
      clock: new Clock(() => 0),
      firstProduct: undefined,
      journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
      coverage: () =>
        new Coverage(new PointCatalogue({ values: resolveAssumptions(), environment: 'sandbox' })),
      scenarios: (start) => new ScenarioEngine(library, 1, start),
    },
    0,
  )
  const workspace = workspaces.default
  const reported: string[] = []
  const changedRows = changedRowsOf(workspace)
  workspace.saver = {
    numbered: () => undefined,
    committed: () => reported.push(changedRows().join() || 'clock'),
    replaced: () =>
      reported.push(`replaced at ${workspace.clock.timestamp()} with ${workspace.state.rows} rows`),
    saved: () => undefined,
    requireWritable: () => undefined,
    lastLoss: undefined,
  }
  const load = async () => ({ state: empty(), sources: [], firstProduct: undefined })
  const rules = { seed: 1, assumptions, allowAnyPan: false }
  const state = workspaceState(workspace, rules, load, unrecorded)
  return { workspaces, workspace, reported, state, clock: workspaceClock(workspace, unrecorded) }
}

test('the saver is notified of every row, every move of the clock and every swap, once', async () => {
  const { workspaces, workspace, reported, state, clock } = kept()
  state.put('products', 'mk_1', {})
  state.patch('products', 'mk_1', { name: 'P' })
  const snapshot = workspaceSnapshots(workspace, unrecorded, workspaces).take()
  state.delete('products', 'mk_1')
  state.put('account', 'account', {})
  clock.advance({ days: 1 })
  clock.set('1980-01-01T00:00:00Z')
  clock.freeze()
  clock.unfreeze()
  expect(() => clock.set('1970-01-01T00:00:00Z')).toThrow('only moves forward')
  // @ts-expect-error there is no such field
  expect(() => state.put('products', 'mk_1', { nam: 'x' })).toThrow('unknown field')
  workspaceSnapshots(workspace, unrecorded, workspaces).restore(snapshot)
  workspaces.reset(workspace)
  await state.replace({})
  expect(reported).toEqual([
    'products/mk_1',
    'products/mk_1',
    'products/mk_1',
    'account/account',
    'clock',
    'clock',
    'clock',
    'clock',
    'replaced at 1980-01-01T00:00:00.000Z with 1 rows',
    'replaced at 1970-01-01T00:00:00.000Z with 0 rows',
    'replaced at 1970-01-01T00:00:00.000Z with 0 rows',
  ])
})
