// A workspace at one moment, as text: how it was created, and its named snapshots.
import { z } from 'zod'
import type { ClockPosition, ClockStart } from '../runtime/clock.ts'
import { noCounts, scenariosText, type ScenariosText } from '../scenarios/scenarios-text.ts'
import type { State } from '../store/state.ts'
import type { Snapshot, SnapshotMoment } from '../workspaces/snapshot.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { readState, stateText, stateTextForm, type StateText } from './state-text.ts'

/** A named snapshot, with the rows in which it differs from another state. */
const snapshotForm = z.strictObject({
  created_at: z.string(),
  clock: z.strictObject({ now: z.string(), frozen: z.boolean() }).exactOptional(),
  state: stateTextForm,
})

export const snapshotsForm = z.record(z.string(), snapshotForm)

export type SnapshotText = z.output<typeof snapshotForm>

/** Named snapshots as text. @param base the state that they are compared with. */
export function snapshotTexts(
  base: State,
  snapshots: Iterable<readonly [string, Snapshot]>,
): Record<string, SnapshotText> {
  const texts = Array.from(snapshots, ([name, { moment }]): [string, SnapshotText] => {
    const { created_at, state, clock } = moment
    return [name, { created_at, ...(clock ? { clock } : {}), state: stateText(base, state) }]
  })
  return Object.fromEntries(texts)
}

export function snapshotMoment(base: State, { created_at, clock, state }: SnapshotText): SnapshotMoment {
  return { created_at, clock, state: readState(base, state) }
}

/** How a workspace was created. */
export interface CreationText {
  /** The id of the baseline. */
  baseline: string
  created_at: string
  /** The time of its clock. */
  clock: ClockPosition
  /** Its own initial state, in place of the common one. */
  own?: { state?: StateText; clock?: ClockStart; first_product?: string; ids_of?: string }
  /** Its initial scenarios, if they differ from the common ones. */
  start?: ScenariosText
}

export function creationText(workspace: Workspace, base: State, baseline: string): CreationText {
  const { state, clock, firstProduct, idsOf } = workspace.own
  const { start } = workspace.scenarios
  const isOwn = state !== undefined || clock !== undefined || firstProduct !== undefined
  return {
    baseline,
    created_at: workspace.createdAt,
    clock: workspace.clock.position,
    ...(isOwn
      ? {
          own: {
            ...(state ? { state: stateText(base, state) } : {}),
            ...(clock ? { clock: clock.start } : {}),
            ...(firstProduct === undefined ? {} : { first_product: firstProduct }),
            ...(idsOf === undefined ? {} : { ids_of: idsOf }),
          },
        }
      : {}),
    ...(start ? { start: scenariosText({ ...noCounts, ...start }, true) } : {}),
  }
}
