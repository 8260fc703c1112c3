// A delta: the changes of a workspace since the write before, as one entry of its log.
import { z } from 'zod'
import type { ClockPosition } from '../../runtime/clock.ts'
import { noCounts, scenariosForm, scenariosText, type ScenariosText } from '../../scenarios/scenarios-text.ts'
import type { Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { snapshotsForm, snapshotTexts, type SnapshotText } from './snapshot-text.ts'
import { isEmpty, stateText, stateTextForm, type StateText } from './state-text.ts'

/** One entry of a log. Omitted fields did not change. */
export interface Delta {
  /** The instant on the clock of the workspace: no later owner begins at an earlier one. */
  at: number
  state?: StateText
  clock?: ClockPosition
  scenarios?: ScenariosText
  /** Named snapshots, compared with the rows after this delta. */
  snapshots?: { put: Readonly<Record<string, SnapshotText>>; gone: readonly string[] }
  /** The number at which the request numbers of a later owner begin. */
  next_request?: number
}

/** The changes since a checkpoint of the same state; undefined for none. */
export function deltaSince(before: Checkpoint, workspace: Workspace): Delta | undefined {
  const delta: Delta = { at: workspace.clock.now() }
  const { state, clock, scenarios } = workspace
  const text = stateText(before.state, state)
  if (!isEmpty(text) || state.ids !== before.state.ids) delta.state = text
  if (!isSame(clock.position, before.clock.position)) delta.clock = clock.position
  if (scenarios.revision !== before.revision)
    delta.scenarios = scenariosText({ ...scenarios.copy(), ...noCounts }, true)
  const snapshots = snapshotsSince(before.snapshots, workspace)
  if (snapshots) delta.snapshots = snapshots
  return Object.keys(delta).length === 1 ? undefined : delta
}

function isSame(one: ClockPosition, other: ClockPosition): boolean {
  return one.offset === other.offset && one.frozenAt === other.frozenAt && one.set === other.set
}

function snapshotsSince(
  before: Checkpoint['snapshots'],
  { snapshots, state }: Workspace,
): Delta['snapshots'] {
  const changed = [...(snapshots ?? [])].filter(([name, snapshot]) => before.get(name) !== snapshot)
  const gone = [...before.keys()].filter((name) => !snapshots?.has(name))
  return changed.length + gone.length === 0 ? undefined : { put: snapshotTexts(state, changed), gone }
}

const clockForm = z.object({
  offset: z.number(),
  frozenAt: z.number().optional(),
  set: z.boolean().optional(),
})

/** The parts of a delta that decide how it is applied: the sandbox that wrote it had validated its rows. */
const deltaForm = z.object({
  at: z.number(),
  state: stateTextForm.optional(),
  clock: clockForm.optional(),
  scenarios: scenariosForm.optional(),
  snapshots: z.object({ put: snapshotsForm, gone: z.array(z.string()) }).optional(),
  next_request: z.int().optional(),
})

/** A delta in the form of a log entry. */
export const deltaSchema = z.custom<Delta>((value) => deltaForm.safeParse(value).success)
