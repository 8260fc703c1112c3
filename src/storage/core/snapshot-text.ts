// The named snapshots of a workspace as text.
import { z } from 'zod'
import type { State } from '../../store/state.ts'
import type { Snapshot, SnapshotMoment } from '../../workspaces/snapshot.ts'
import { readState, stateText, stateTextForm } from './state-text.ts'

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
