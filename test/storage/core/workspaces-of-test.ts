import { join } from 'node:path'
import { Coverage } from '../../../src/coverage/counting.ts'
import { PointCatalogue } from '../../../src/coverage/points/catalogue.ts'
import { loadFixtures } from '../../../src/fixtures/load.ts'
import { resolveAssumptions } from '../../../src/input/resolve-assumptions.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { Clock } from '../../../src/runtime/clock.ts'
import { packageRoot } from '../../../src/runtime/host.ts'
import { ScenarioEngine } from '../../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../../src/scenarios/library.ts'
import { KnownSecrets } from '../../../src/secrets/known-secrets.ts'
import type { State } from '../../../src/store/state.ts'
import { testIsolation } from '../../../src/workspaces/isolation-policy.ts'
import type { Workspace } from '../../../src/workspaces/workspace.ts'
import { Workspaces } from '../../../src/workspaces/workspaces.ts'
import { orderEventRow } from '../../helpers/order-event-row.ts'

export const assumptions = resolveAssumptions()

/** The built-in rows. */
export const { state: builtIn } = await loadFixtures({
  fixtures: [],
  assumptions,
  seed: 1,
  allowAnyPan: false,
  defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
})

/** Workspaces that begin at the beginning of 1970, with the built-in rows unless others are given. */
export function workspacesOfTest(state: State = builtIn): Workspaces {
  const library = new ScenarioLibrary('scenarios', [], (path) => path)
  return new Workspaces(
    {
      seed: 1,
      policy: testIsolation,
      state: state.fork(),
      clock: new Clock(() => 0),
      firstProduct: undefined,
      journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
      coverage: () => new Coverage(new PointCatalogue({ values: assumptions, environment: 'sandbox' })),
      scenarios: (start) => new ScenarioEngine(library, 1, start),
    },
    10,
  )
}

/** Adds an order event to a workspace. */
export function addOrder(workspace: Workspace, id: string): void {
  workspace.write((tx) => tx.put('order_events', orderEventRow(id, 'cus_ada')))
}

/** The order events of a state beside the built-in ones. */
export function ordersOf({ state }: { readonly state: State }): string[] {
  const ids = [...state.all('order_events')].map(({ id }) => id)
  return ids.filter((id) => builtIn.get('order_events', id) === undefined)
}
