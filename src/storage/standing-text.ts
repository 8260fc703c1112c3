// Where a workspace stands, as text: scenarios with their counts, snapshots, clock, what it begins with.
import type { ClockReading, ClockStanding, ClockStart } from '../runtime/clock.ts'
import { scenariosText, type ScenariosText } from '../scenarios/scenarios-text.ts'
import type { State } from '../store/state.ts'
import { Snapshot } from '../workspaces/snapshot.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { readState, stateText, type StateText } from './state-text.ts'

/** A named snapshot; its rows are told by how they differ from what the workspace begins with. */
export interface SnapshotText {
  created_at: string
  clock?: ClockReading
  state: StateText
}

export function snapshotText(base: State, { moment }: Snapshot): SnapshotText {
  const { created_at, state, clock } = moment
  return { created_at, ...(clock ? { clock } : {}), state: stateText(base, state) }
}

export function readSnapshot(
  workspace: Workspace,
  base: State,
  name: string,
  { created_at, clock, state }: SnapshotText,
): Snapshot {
  return new Snapshot(workspace, name, { created_at, clock, state: readState(base, state) })
}

/** How a workspace came into being. */
export interface BirthText {
  /** The id of the baseline. */
  baseline: string
  created_at: string
  /** Where its clock stood. */
  clock: ClockStanding
  /** What it begins with in place of what all others do. */
  own?: { state?: StateText; clock?: ClockStart; first_product?: string }
  /** Its scenarios, when they are not those of all others. */
  start?: ScenariosText
}

export function birthText(workspace: Workspace, base: State, baseline: string): BirthText {
  const { state, clock, firstProduct } = workspace.own
  const { start } = workspace.scenarios
  const isOwn = state !== undefined || clock !== undefined || firstProduct !== undefined
  return {
    baseline,
    created_at: workspace.createdAt,
    clock: workspace.clock.standing,
    ...(isOwn
      ? {
          own: {
            ...(state ? { state: stateText(base, state) } : {}),
            ...(clock ? { clock: clock.start } : {}),
            ...(firstProduct === undefined ? {} : { first_product: firstProduct }),
          },
        }
      : {}),
    ...(start ? { start: scenariosText({ uses: new Map(), draws: 0, round: 0, ...start }, true) } : {}),
  }
}
