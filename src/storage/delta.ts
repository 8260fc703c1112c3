// A delta: the changes that one call or one operation made in a workspace, as an entry of its log, and how a replica
// applies them.
import { z } from 'zod'
import type { ClockStanding } from '../runtime/clock.ts'
import type { State } from '../store/state.ts'
import type { Isolation } from '../workspaces/isolation.ts'
import { Snapshot } from '../workspaces/snapshot.ts'
import type { Beginning, Checkpoint, Workspace } from '../workspaces/workspace.ts'
import {
  noCounts,
  readScenarios,
  scenariosForm,
  scenariosText,
  type ScenariosText,
} from '../scenarios/scenarios-text.ts'
import {
  snapshotMoment,
  snapshotsForm,
  snapshotTexts,
  type CreationText,
  type SnapshotText,
} from './checkpoint-text.ts'
import { applyState, isEmpty, readState, stateText, stateTextForm, type StateText } from './state-text.ts'
import { readTimeline, timelineForm, timelineText, type TimelineText } from './timeline-text.ts'

/** One entry of a log. Omitted fields did not change. */
export interface Delta {
  /** The instant on the clock of the workspace: no replica shows an earlier one afterwards, unless the clock goes back. */
  at: number
  /** The workspace came into being. */
  born?: CreationText
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
  /** The actions that were added to the timeline, and how many there were by then. */
  timeline?: TimelineText
}

/** How a driver writes its deltas. */
export interface DeltaOptions {
  /** The state that snapshots, and a state that replaced all of another, are compared with. */
  base: State
  /** Whether the counts of scenarios, which change with every read, and the timeline are persisted. */
  withRecords: boolean
}

/** The changes since a checkpoint; undefined for none. */
export function deltaSince(
  before: Checkpoint,
  workspace: Workspace,
  { base, withRecords }: DeltaOptions,
): Delta | undefined {
  const delta: Delta = { at: workspace.clock.now() }
  const { state, clock, scenarios, isolation } = workspace
  if (isolation && isolation !== before.isolation) delta.isolation = isolation
  if (state !== before.forkedFrom) {
    delta.replaced = true
    delta.state = stateText(base, state)
  } else {
    const text = stateText(before.state, state)
    if (!isEmpty(text) || state.ids !== before.state.ids) delta.state = text
  }
  if (workspace.resets !== before.resets) delta.reset = true
  if (!isSame(clock.standing, before.clock.standing)) delta.clock = clock.standing
  const { own, active, any } = scenarios.revision
  const isChanged = withRecords ? any !== before.revision.any : active !== before.revision.active
  if (isChanged) {
    const standing = scenarios.copy()
    delta.scenarios = withRecords
      ? scenariosText(standing, own !== before.revision.own)
      : scenariosText({ ...standing, ...noCounts }, true)
  }
  const snapshots = snapshotsSince(before.snapshots, workspace, base)
  if (snapshots) delta.snapshots = snapshots
  if (withRecords && workspace.timeline !== before.timeline)
    delta.timeline = timelineText(workspace.timeline, before.timeline)
  if (Object.keys(delta).length === 1) return undefined
  // The clock of the machine may be set back meanwhile.
  if (!clock.frozen) clock.keepFrom(delta.at)
  return delta
}

function isSame(one: ClockStanding, other: ClockStanding): boolean {
  return one.offset === other.offset && one.frozenAt === other.frozenAt && one.set === other.set
}

function snapshotsSince(
  before: Checkpoint['snapshots'],
  { snapshots }: Workspace,
  base: State,
): Delta['snapshots'] {
  const changed = [...(snapshots ?? [])].filter(([name, snapshot]) => before.get(name) !== snapshot)
  const gone = [...before.keys()].filter((name) => !snapshots?.has(name))
  return changed.length + gone.length === 0 ? undefined : { put: snapshotTexts(base, changed), gone }
}

/** Applies the delta of another replica to a workspace. @param origin what all workspaces begin with. */
export async function apply(delta: Delta, workspace: Workspace, origin: Beginning): Promise<void> {
  const { at, born, isolation, state, replaced, clock, scenarios, snapshots, timeline } = delta
  if (born) await beginAs(born, isolation, workspace, origin)
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
    workspace.snapshots.set(name, new Snapshot(workspace, name, snapshotMoment(base, text)))
  }
  for (const name of snapshots?.gone ?? []) workspace.snapshots?.delete(name)
  if (timeline) workspace.timeline = readTimeline(timeline, workspace.timeline)
  if (!workspace.clock.frozen) workspace.clock.keepFrom(at)
}

/** The state that a workspace begins with. */
export function baseOf({ own }: Workspace, { state }: Beginning): State {
  return own.state ?? state
}

async function beginAs(
  { created_at, clock, own, start }: CreationText,
  isolation: Isolation | undefined,
  workspace: Workspace,
  origin: Beginning,
): Promise<void> {
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

const clockForm = z.object({
  offset: z.number(),
  frozenAt: z.number().optional(),
  set: z.boolean().optional(),
})

/** The parts of a delta whose form decides how it is applied: the sandbox that wrote it had checked its rows. */
const deltaForm = z.object({
  at: z.number(),
  born: z.looseObject({ baseline: z.string(), created_at: z.string(), clock: clockForm }).optional(),
  isolation: z.looseObject({ of: z.string() }).optional(),
  state: stateTextForm.optional(),
  clock: clockForm.optional(),
  scenarios: scenariosForm.optional(),
  snapshots: z.object({ put: snapshotsForm, gone: z.array(z.string()) }).optional(),
  timeline: timelineForm.optional(),
})

/** A delta as an entry of a log holds it. */
export const deltaSchema = z.custom<Delta>((value) => deltaForm.safeParse(value).success)
