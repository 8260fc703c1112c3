// What survives a retry of a call: its request number, its scenario counts, its body, and the waits that are over.
import type { IncomingRequest } from '../call/incoming-request.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Plan } from '../scenarios/plan.ts'
import { beginUse, endUse } from '../workspaces/uses.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** A body that was read to its end, or why it could not be; a stream can be read only once. */
export type ReceivedBody = { content: IncomingRequest['body'] } | { failure: unknown }

/** What every attempt to run one request shares. */
export class RetryState {
  /** When the request came, in the machine's own time (ms). */
  readonly startedAt = monotonicNow()
  /** Its number in its workspace, such as `req_default_1`; empty before it has one. */
  requestId = ''
  /** The plan that the scenarios counted, and in which round of counts: a request counts once. */
  counted: { round: number; plan: Plan } | undefined
  received: ReceivedBody | undefined
  /** A stage looked at what was received. */
  isBodyRead = false
  /** The latency of its plan is over. */
  isDelayed = false
  /** The workspace that it keeps from being closed as idle. */
  #workspace: Workspace | undefined

  /** Marks a workspace as in use by this request, in place of the one before. */
  use(workspace: Workspace): void {
    if (this.#workspace === workspace) return
    this.release()
    beginUse(workspace)
    this.#workspace = workspace
  }

  /** Its answer leaves, or was lost. */
  release(): void {
    if (this.#workspace) endUse(this.#workspace, monotonicNow())
    this.#workspace = undefined
  }
}
