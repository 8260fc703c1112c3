// Finds the idle workspaces of a shared store, and evicts them for all replicas.
import { monotonicNow } from '../../runtime/host.ts'
import { wait } from '../../runtime/wait.ts'
import { countsOf, texts } from './replies.ts'
import { keysOf, sandboxKeys } from './declare-script.ts'
import { closeEvicted, longestIdle } from './sandbox-scripts.ts'
import { dropWorkspace } from './workspace-scripts.ts'
import { leaseMs, reportDelayMs, type RunScript } from './access-reports.ts'

/** How many workspaces one round checks. */
const maxCandidates = 100

/**
 * Factor of the report delay (`reportDelayMs`) after which a workspace without a known access is surely idle. The engine
 * may learn of an access in a batch by that delay, and of one that stays open by another; the rest is for slow
 * replicas.
 */
const certainlyIdleMs = 4 * reportDelayMs

/** Timeout (ms) of waiting until a workspace is surely idle. */
export const maxWaitMs = 2 * certainlyIdleMs

/** A workspace that may be idle, with its last access according to the engine. */
interface Candidate {
  name: string
  usedAt: string
  /** Time since the last known access (ms). */
  idle: number
}

/** Whether it is evicted; if not, after how long to check again (ms). */
type Outcome = { isGone: true } | { isGone: false; after: number }

/** Other replicas report the end of an access within this time. */
const inUse: Outcome = { isGone: false, after: reportDelayMs }

export class IdleWorkspaces {
  readonly #prefix: string
  readonly #ask: RunScript
  readonly #ttl: number
  readonly #reportEvery: number

  /** @param ttl the idle timeout (ms). @param reportEvery interval of access reports (ms). */
  constructor(prefix: string, ask: RunScript, ttl: number, reportEvery: number) {
    this.#prefix = prefix
    this.#ask = ask
    this.#ttl = ttl
    this.#reportEvery = reportEvery
  }

  /** Evicts all workspaces whose idle timeout has passed. Returns their names. */
  async evict(): Promise<string[]> {
    // A report may arrive that much later than the access.
    const least = this.#ttl + this.#reportEvery
    const evicted: string[] = []
    for (const candidate of await this.#candidates(least, maxCandidates, '')) {
      if ((await this.#evictOne(candidate, least, 0)).isGone) evicted.push(candidate.name)
    }
    return evicted
  }

  /**
   * Evicts the workspace that was idle for longest, as soon as it is surely idle. Returns its name; undefined if all
   * are in use, or seem to be, until the deadline in monotonic time (ms).
   */
  async evictLongestIdle(until: number, closing: AbortSignal): Promise<string | undefined> {
    for (;;) {
      const [longest] = await this.#candidates(0, 1, 'room')
      // A name without a workspace is being created, or belongs to a replica that crashed.
      const outcome = longest ? await this.#evictOne(longest, certainlyIdleMs, leaseMs) : inUse
      if (outcome.isGone) return longest?.name
      if (monotonicNow() + outcome.after > until || !(await wait(outcome.after, closing))) return undefined
    }
  }

  async #candidates(least: number, most: number, why: 'room' | ''): Promise<Candidate[]> {
    const args = [least, most, why]
    const [now, ...given] = texts(await this.#ask(longestIdle, sandboxKeys(this.#prefix), args))
    return given.flatMap((name, at) => {
      const usedAt = given[at + 1] ?? ''
      return at % 2 === 0 ? [{ name, usedAt, idle: Number(now) - Number(usedAt) }] : []
    })
  }

  /**
   * Deletes the workspace first, in one step with a check of its last access; then its name, unless it was taken again.
   * A process that crashes in between leaves a name without a workspace, which is the next to be found idle.
   * @param minIdleOfName minimum idle time of a name without a workspace (ms).
   */
  async #evictOne({ name, usedAt, idle }: Candidate, least: number, minIdleOfName: number): Promise<Outcome> {
    const [found, ...rest] = texts(await this.#ask(dropWorkspace, keysOf(this.#prefix, name), [least]))
    if (found === 'none' && idle < minIdleOfName) return inUse
    const isGone = found !== 'used'
    const [used = '', ago] = isGone ? [] : rest
    const hits = isGone ? [...countsOf(rest)].flat() : []
    await this.#ask(closeEvicted, sandboxKeys(this.#prefix), [name, usedAt, used, ...hits])
    if (isGone) return { isGone }
    // If it was used since that report, another workspace has been idle for longer.
    return { isGone, after: Number(used) > Number(usedAt) ? 0 : least - Number(ago) }
  }
}
