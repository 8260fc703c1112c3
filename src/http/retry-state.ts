// The state of a request that survives retries: request id, scenario counts, body, finished delay, workspace in use.
import type { IncomingRequest } from '../call/incoming-request.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { ActiveScenarios } from '../scenarios/engine.ts'
import type { Plan } from '../scenarios/plan.ts'
import { beginUse, endUse } from '../workspaces/open-uses.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** A body that was read to its end, or the failure of reading it. A stream can be read only once. */
export type ReceivedBody = { content: IncomingRequest['body'] } | { failure: unknown }

/** The state that all attempts to run one request share. */
export class RetryState {
  /** When the request arrived, in the machine's monotonic time (ms). */
  readonly startedAt = monotonicNow()
  /** Its id in its workspace, such as `req_default_1`; empty before one is assigned. */
  requestId = ''
  /**
   * The scenarios of the request with their plan, if a rule is for it, and the round of counts in which it was counted:
   * a request counts once.
   */
  counted: { round: number; active: ActiveScenarios; plan: Plan | undefined } | undefined
  received: ReceivedBody | undefined
  /** A stage read `received`. */
  isBodyRead = false
  /** The call has waited for the latency of its plan. */
  isDelayed = false
  /** How often its workspace was lost while it ran. */
  losses = 0
  /** The workspace that is in use by this request, so that it is not closed as idle. */
  #workspace: Workspace | undefined

  /** Marks a workspace as in use by this request, and releases the previous one. */
  use(workspace: Workspace): void {
    if (this.#workspace === workspace) return
    this.release()
    beginUse(workspace)
    this.#workspace = workspace
  }

  /** Releases the workspace: the answer leaves or is lost. */
  release(): void {
    if (this.#workspace) endUse(this.#workspace, monotonicNow())
    this.#workspace = undefined
  }
}
