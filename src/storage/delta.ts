// A delta: the changes that one call or one operation made in a workspace, as an entry of its log, and how a replica
// applies them.
import { z } from 'zod'
import type { ClockPosition } from '../runtime/clock.ts'
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
  /**
   * The instant on the clock of the workspace: no replica shows an earlier one afterwards, unless the clock is moved
   * back.
   */
  at: number
  /** The workspace was created. */
  born?: CreationText
  /** The owner from here on, with partner isolation: the workspace was created, or its keys were rotated. */
  isolation?: Isolation
  /**
   * The changed rows, compared with the rows before; or with the initial state of the workspace, if the whole state was
   * replaced.
   */
  state?: StateText
  replaced?: true
  /** It was reset: request numbers start again. */
  reset?: true
  clock?: ClockPosition
  scenarios?: ScenariosText
  snapshots?: { put: Readonly<Record<string, SnapshotText>>; gone: readonly string[] }
  /** The actions that were added to the timeline, with their total number. */
  timeline?: TimelineText
}

/** How a driver writes its deltas. */
export interface DeltaOptions {
  /** The base for snapshots, and for a state that replaced another one. */
  base: State
  /** Whether the counters of scenarios, which change with every read, and the timeline are persisted. */
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
  if (!isSame(clock.position, before.clock.position)) delta.clock = clock.position
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
  if (!clock.frozen) clock.setMinimum(delta.at)
  return delta
}

function isSame(one: ClockPosition, other: ClockPosition): boolean {
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

/** Applies the delta of another replica to a workspace. @param origin the initial state of all workspaces. */
export async function apply(delta: Delta, workspace: Workspace, origin: Beginning): Promise<void> {
  const { at, born, isolation, state, replaced, reset, clock, scenarios, snapshots, timeline } = delta
  if (born) await beginAs(born, isolation, workspace, origin)
  const base = baseOf(workspace, origin)
  // Read before anything changes, so that a concurrent reader sees all of a delta or none of it.
  const standing = scenarios && (await readScenarios(scenarios, workspace.scenarios.copy()))
  if (isolation && !born) workspace.isolation = isolation
  // An outcome from before must not count for an event that has the same id now.
  if (reset) workspace.outbox?.cancel()
  if (state && replaced) workspace.applyState(readState(base, state), workspace.clock)
  else if (state) workspace.notifyChanged(applyState(workspace.state, state))
  workspace.journal.secrets.note(state?.put?.api_keys ?? [])
  workspace.journal.secrets.note(state?.put?.webhook_endpoints ?? [])
  if (clock) workspace.applyState(workspace.state, workspace.clock.at(clock))
  if (standing) workspace.scenarios.resume(standing)
  for (const [name, text] of Object.entries(snapshots?.put ?? {})) {
    workspace.snapshots ??= new Map()
    workspace.snapshots.set(name, new Snapshot(workspace, name, snapshotMoment(base, text)))
  }
  for (const name of snapshots?.gone ?? []) workspace.snapshots?.delete(name)
  if (timeline) workspace.timeline = readTimeline(timeline, workspace.timeline)
  if (!workspace.clock.frozen) workspace.clock.setMinimum(at)
}

/** The initial state of a workspace. */
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
  const { state, clock: ownClock, first_product: firstProduct, ids_of: idsOf } = own ?? {}
  workspace.isolation = isolation
  workspace.resetTo(
    origin,
    {
      ...(state ? { state: readState(origin.state, state) } : {}),
      ...(ownClock ? { clock: origin.clock.another(ownClock) } : {}),
      ...(firstProduct === undefined ? {} : { firstProduct }),
      ...(idsOf === undefined ? {} : { idsOf }),
    },
    scenarios,
    created_at,
  )
  if (workspace.own.state) workspace.journal.secrets.note(workspace.state.secretRows())
  workspace.applyState(workspace.state, workspace.clock.at(clock))
}

const clockForm = z.object({
  offset: z.number(),
  frozenAt: z.number().optional(),
  set: z.boolean().optional(),
})

/** The parts of a delta that decide how it is applied: the sandbox that wrote it had validated its rows. */
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

/** A delta in the form of a log entry. */
export const deltaSchema = z.custom<Delta>((value) => deltaForm.safeParse(value).success)
