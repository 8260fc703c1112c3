// The timeline of a workspace: actions from outside the API, such as rows written or the clock moved.
import { z } from 'zod'
import type { TestName } from '../call/test-of-call.ts'

/** The kinds of actions from outside the API. */
const actionKinds = [
  'state',
  'scenario',
  'clock',
  'simulation',
  'event',
  'webhook',
  'snapshot',
  'restore',
  'reset',
] as const

export type ActionKind = (typeof actionKinds)[number]

/** One action from outside the API. */
export interface TimelineEntry {
  /** Unique within the workspace, such as `act_default_3_1`: the first action, which followed request 3. */
  id: string
  /** When it happened, on the clock of the workspace (RFC 3339); of a moved clock, the time after the move. */
  at: string
  kind: ActionKind
  /** One sentence without the full stop, such as `Changed status of rewards rwd_ada_pending`. */
  summary: string
  /** The test that the workspace was created for. */
  test: TestName | null
}

/** The schema of an action, for the control plane and for storage. */
export const timelineEntry: z.ZodType<TimelineEntry> = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.enum(actionKinds),
  summary: z.string(),
  test: z.object({ name: z.string(), file: z.string().nullable() }).nullable(),
})

/** Maximum number of actions of a workspace. */
export const maxActions = 500

/** The newest actions of a workspace, oldest first. It never changes in place, so a checkpoint can share it. */
export class Timeline {
  static readonly empty = new Timeline([], 0)
  readonly entries: readonly TimelineEntry[]
  /** How many actions there were, including those that it dropped. */
  readonly count: number

  constructor(entries: readonly TimelineEntry[], count: number) {
    this.entries = entries
    this.count = count
  }

  /** Returns a timeline with later actions appended, limited to the newest `maxActions`. */
  with(later: readonly TimelineEntry[]): Timeline {
    return new Timeline([...this.entries, ...later].slice(-maxActions), this.count + later.length)
  }

  /** Returns the actions after an earlier timeline of the same workspace. */
  since(earlier: Timeline): readonly TimelineEntry[] {
    const later = Math.min(this.count - earlier.count, this.entries.length)
    return later > 0 ? this.entries.slice(-later) : []
  }
}
