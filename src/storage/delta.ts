// A delta: the changes that one call or one operation made in a workspace, as an entry of its log, and how a replica
// applies them.
import type { ClockStanding } from '../runtime/clock.ts'
import type { State } from '../store/state.ts'
import type { Isolation } from '../workspaces/isolation.ts'
import type { Snapshot } from '../workspaces/snapshot.ts'
import type { Beginning, Workspace } from '../workspaces/workspace.ts'
import { readScenarios, scenariosText, type ScenariosText } from '../scenarios/scenarios-text.ts'
import { readSnapshot, snapshotText, type BirthText, type SnapshotText } from './standing-text.ts'
import { applyState, isEmpty, readState, stateText, type StateText } from './state-text.ts'

/** One entry of a log. Omitted fields did not change. */
export interface Delta {
  /** The instant on the clock of the workspace: no replica shows an earlier one afterwards, unless the clock goes back. */
  at: number
  /** The workspace came into being. */
  born?: BirthText
  /** Whose it is from here on, where partners are kept apart: it came into being, or its keys were made anew. */
  isolation?: Isolation
  /** The rows against those before; where all of the state was replaced, against what the workspace begins with. */
  state?: StateText
  replaced?: true
  /** It was reset: request numbers begin again. */
  reset?: true
  clock?: ClockStanding
  scenarios?: ScenariosText
  snapshots?: { put: Readonly<Record<string, SnapshotText>>; gone: readonly string[] }
}

/** The state of a workspace before a change, as far as a delta needs it. */
export interface Mark {
  readonly is: State
  readonly resets: number
  readonly isolation: Isolation | undefined
  readonly state: State
  readonly clock: ClockStanding
  readonly scenarios: { readonly own: number; readonly any: number }
  readonly snapshots: ReadonlyMap<string, Snapshot> | undefined
}

export function markOf({ state, clock, scenarios, snapshots, resets, isolation }: Workspace): Mark {
  return {
    is: state,
    resets,
    isolation,
    state: state.fork(),
    clock: clock.standing,
    scenarios: { ...scenarios.revision },
    snapshots: snapshots && new Map(snapshots),
  }
}

/** The changes since the mark; undefined for none. @param base the state that the workspace begins with. */
export function deltaSince(mark: Mark, workspace: Workspace, base: State): Delta | undefined {
  const delta: Delta = { at: workspace.clock.now() }
  const { state, clock, scenarios, isolation } = workspace
  if (isolation && isolation !== mark.isolation) delta.isolation = isolation
  if (state !== mark.is) {
    delta.replaced = true
    delta.state = stateText(base, state)
  } else {
    const text = stateText(mark.state, state)
    if (!isEmpty(text) || state.ids !== mark.state.ids) delta.state = text
  }
  if (workspace.resets !== mark.resets) delta.reset = true
  const { standing } = clock
  if (!isSame(standing, mark.clock)) delta.clock = standing
  const { own, any } = scenarios.revision
  if (any !== mark.scenarios.any) {
    delta.scenarios = scenariosText(scenarios.copy(), own !== mark.scenarios.own)
  }
  const snapshots = snapshotsSince(mark.snapshots, workspace, base)
  if (snapshots) delta.snapshots = snapshots
  if (Object.keys(delta).length === 1) return undefined
  // The clock of the machine may be set back meanwhile.
  if (!clock.frozen) clock.keepFrom(delta.at)
  return delta
}

function isSame(one: ClockStanding, other: ClockStanding): boolean {
  return one.offset === other.offset && one.frozenAt === other.frozenAt && one.set === other.set
}

function snapshotsSince(
  before: Mark['snapshots'],
  { snapshots }: Workspace,
  base: State,
): Delta['snapshots'] {
  const put: Record<string, SnapshotText> = {}
  for (const [name, snapshot] of snapshots ?? []) {
    if (before?.get(name) !== snapshot) put[name] = snapshotText(base, snapshot)
  }
  const gone = [...(before ?? [])].flatMap(([name]) => (snapshots?.has(name) ? [] : [name]))
  return Object.keys(put).length + gone.length === 0 ? undefined : { put, gone }
}

/** What all workspaces begin with. */
type Origin = Beginning

/** Applies the delta of another replica to a workspace. */
export async function apply(delta: Delta, workspace: Workspace, origin: Origin): Promise<void> {
  const { at, born, isolation, state, replaced, clock, scenarios, snapshots } = delta
  if (born) await beBorn(born, isolation, workspace, origin)
  const base = baseOf(workspace, origin)
  // Read before anything changes, so that a concurrent reader sees all of a delta or none of it.
  const standing = scenarios && (await readScenarios(scenarios, workspace.scenarios.copy()))
  if (isolation && !born) workspace.isolation = isolation
  if (state && replaced) workspace.goBack(readState(base, state), workspace.clock)
  else if (state) workspace.tellChanged(applyState(workspace.state, state))
  for (const key of state?.put?.api_keys ?? []) workspace.journal.secrets.note([key])
  if (clock) workspace.goBack(workspace.state, workspace.clock.at(clock))
  if (standing) workspace.scenarios.resume(standing)
  for (const [name, text] of Object.entries(snapshots?.put ?? {})) {
    workspace.snapshots ??= new Map()
    workspace.snapshots.set(name, readSnapshot(workspace, base, name, text))
  }
  for (const name of snapshots?.gone ?? []) workspace.snapshots?.delete(name)
  if (!workspace.clock.frozen) workspace.clock.keepFrom(at)
}

/** The state that a workspace begins with. */
export function baseOf({ own }: Workspace, { state }: Origin): State {
  return own.state ?? state
}

async function beBorn(
  { created_at, clock, own, start }: BirthText,
  isolation: Isolation | undefined,
  workspace: Workspace,
  origin: Origin,
) {
  const scenarios = start && (await readScenarios(start, { own: [], active: [] }))
  const { state, clock: ownClock, first_product: firstProduct } = own ?? {}
  workspace.isolation = isolation
  workspace.beginAs(
    origin,
    {
      ...(state ? { state: readState(origin.state, state) } : {}),
      ...(ownClock ? { clock: origin.clock.another(ownClock) } : {}),
      ...(firstProduct === undefined ? {} : { firstProduct }),
    },
    scenarios,
    created_at,
  )
  if (workspace.own.state) workspace.journal.secrets.note(workspace.state.all('api_keys'))
  workspace.goBack(workspace.state, workspace.clock.at(clock))
}
