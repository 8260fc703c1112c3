// The snapshot that replaces a long log, and the length at which it does.
import { stringify } from '../../json/stringify.ts'
import type { Beginning, Checkpoint, Workspace } from '../../workspaces/workspace.ts'
import { baseOf, type Delta } from '../delta.ts'
import { scenariosText } from '../../scenarios/scenarios-text.ts'
import { creationText, snapshotTexts } from '../checkpoint-text.ts'
import { stateText } from '../state-text.ts'
import { timelineText } from '../timeline-text.ts'

/** When a snapshot replaces the log. */
export interface SnapshotEvery {
  /** The number of entries or bytes. A large snapshot is replaced only after the log has grown by the snapshot's size. */
  readonly entries: number
  readonly bytes: number
  /** Number of entries that stay for replicas that are behind. */
  readonly kept: number
}

export const defaultSnapshots: SnapshotEvery = { entries: 1_000, bytes: 1 << 20, kept: 1_000 }

/** Writes a checkpoint as the delta that creates it. */
export function writeSnapshot(
  workspace: Workspace,
  { state, clock, isolation, scenarios, snapshots, timeline }: Checkpoint,
  origin: Beginning,
  baseline: string,
): string {
  const base = baseOf(workspace, origin)
  const delta: Delta = {
    at: clock.now(),
    born: creationText(workspace, origin.state, baseline),
    ...(isolation && { isolation }),
    state: stateText(base, state),
    replaced: true,
    clock: clock.position,
    scenarios: scenariosText(scenarios, true),
    snapshots: { put: snapshotTexts(base, snapshots), gone: [] },
    ...(timeline.count > 0 && { timeline: timelineText(timeline) }),
  }
  return stringify(delta)
}
