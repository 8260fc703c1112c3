// Reports of last access: when this replica last used each workspace, and in which workspaces a call or an operation is
// open now. All replicas read them before they evict a workspace.
import { monotonicNow, uniqueName } from '../../runtime/host.ts'
import { defaultWorkspace } from '../../workspaces/workspace.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import { sandboxKeys } from './declare-script.ts'
import { reportAccess } from './sandbox-scripts.ts'
import type { Reply, Script, ScriptArgument } from './store-engine.ts'

/** Sends requests to the engine like `RedisStorage`. */
export type RunScript = (
  script: Script,
  keys: readonly string[],
  args: readonly ScriptArgument[],
) => Promise<Reply>

/** The longest delay of a report (ms): a workspace that is idle for several delays is in use at no replica. */
export const reportDelayMs = 250

/**
 * How long a hold lasts without renewal (ms), as this process may have crashed: until then no replica evicts the
 * workspace.
 */
export const leaseMs = 10_000

/** Interval at which a hold is renewed (ms). */
const renewLeaseMs = 3_000

/** Sends one script for all workspaces of this replica, and none if no workspace was used. */
export class AccessReports {
  readonly #prefix: string
  readonly #ask: RunScript
  readonly #workspaces: Workspaces
  /** Identifies the holds of this replica. */
  readonly #replica = uniqueName()
  #reportedAt = 0
  /** The holds of this replica by workspace, with the time of each last report. */
  #held: ReadonlyMap<string, number> = new Map()

  constructor(prefix: string, ask: RunScript, workspaces: Workspaces) {
    this.#prefix = prefix
    this.#ask = ask
    this.#workspaces = workspaces
  }

  /** Reports the access since the last report. */
  async send(): Promise<void> {
    const workspaces = this.#workspaces
    const open = new Set(workspaces.idleness.touchOriginals().inUse)
    const now = monotonicNow()
    // An access may have ended before its hold was reported.
    const used = new Set(this.#held.keys())
    for (const { name, uses, usedAt } of workspaces.list()) {
      if (name === defaultWorkspace) continue
      if (uses > 0) open.add(name)
      else if (usedAt >= this.#reportedAt) used.add(name)
    }
    const held = new Map<string, number>()
    const reports: string[] = []
    for (const name of open) {
      const reportedAt = this.#held.get(name)
      const isKnown = reportedAt !== undefined && now - reportedAt < renewLeaseMs
      held.set(name, isKnown ? reportedAt : now)
      if (!isKnown) reports.push(`${name} open`)
    }
    for (const name of used) {
      if (open.has(name)) continue
      if (this.#held.has(name)) reports.push(`${name} closed`)
      const ago = now - (workspaces.find(name)?.usedAt ?? now)
      if (ago < Infinity) reports.push(`${name} ${Math.max(0, Math.round(ago))}`)
    }
    if (reports.length > 0)
      await this.#ask(reportAccess, sandboxKeys(this.#prefix), [this.#replica, leaseMs, reports.join(' ')])
    this.#reportedAt = now
    this.#held = held
  }
}
