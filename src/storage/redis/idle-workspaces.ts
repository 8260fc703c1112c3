// Finds the idle workspaces of a shared store, and evicts them for all replicas.
import { monotonicNow } from '../../runtime/host.ts'
import { wait } from '../../runtime/wait.ts'
import { countsOf, texts } from './replies.ts'
import { keysOf, sandboxKeys } from './declare-script.ts'
import { closeEvicted, longestIdle } from './sandbox-scripts.ts'
import { dropWorkspace } from './workspace-scripts.ts'
import { holdMs, reportSoonMs, type Ask } from './access-reports.ts'

/** How many are looked at in one go. */
const maxLookedAt = 100

/**
 * Nothing is open in a workspace that nobody is known to have used for so long. The engine may hear of a use in its batch
 * that much later (`reportSoonMs`), and of one that stays open as much after it; the other half is for replicas that are slow.
 */
const surelyIdleMs = 4 * reportSoonMs

/** For how long whoever needs room waits until one is surely idle. */
export const maxWaitMs = 2 * surelyIdleMs

/** A workspace that may be idle, and when it was used last, as the engine's list of all of them knows. */
interface Candidate {
  name: string
  usedAt: string
  /** For how long nobody is known to have used it (ms). */
  idle: number
}

/** Whether it is gone; else after how long there is more to know (ms). */
type Outcome = { isGone: true } | { isGone: false; after: number }

/** Other replicas report the end of a use within this time. */
const inUse: Outcome = { isGone: false, after: reportSoonMs }

export class IdleWorkspaces {
  readonly #prefix: string
  readonly #ask: Ask
  readonly #ttl: number
  readonly #reportEvery: number

  /** @param ttl the idle timeout (ms). @param reportEvery how often the last access is reported (ms). */
  constructor(prefix: string, ask: Ask, ttl: number, reportEvery: number) {
    this.#prefix = prefix
    this.#ask = ask
    this.#ttl = ttl
    this.#reportEvery = reportEvery
  }

  /** Evicts all workspaces that were idle for too long. Returns their names. */
  async evict(): Promise<string[]> {
    // A report may arrive that much later than the access.
    const least = this.#ttl + this.#reportEvery
    const evicted: string[] = []
    for (const candidate of await this.#candidates(least, maxLookedAt, '')) {
      if ((await this.#evictOne(candidate, least, 0)).isGone) evicted.push(candidate.name)
    }
    return evicted
  }

  /**
   * Forgets the one that was idle for longest, for another one, once it is surely idle. Gives its name; undefined where
   * all are in use, or seem to be until then, in the machine's own time (ms).
   */
  async evictLongestIdle(until: number, closing: AbortSignal): Promise<string | undefined> {
    for (;;) {
      const [longest] = await this.#candidates(0, 1, 'room')
      // A name without a workspace is that of one that comes into being just now, or of a replica that is gone.
      const outcome = longest ? await this.#evictOne(longest, surelyIdleMs, holdMs) : inUse
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
   * The workspace first, in one step with looking when it was used; then its name, unless that was taken again meanwhile.
   * A process that ends in between leaves a name without a workspace, which is the next to be found idle.
   * @param minIdleOfName for how long nobody used a name without a workspace that goes (ms).
   */
  async #evictOne({ name, usedAt, idle }: Candidate, least: number, minIdleOfName: number): Promise<Outcome> {
    const [found, ...rest] = texts(await this.#ask(dropWorkspace, keysOf(this.#prefix, name), [least]))
    if (found === 'none' && idle < minIdleOfName) return inUse
    const isGone = found !== 'used'
    const [used = '', ago] = isGone ? [] : rest
    const hits = isGone ? [...countsOf(rest)].flat() : []
    await this.#ask(closeEvicted, sandboxKeys(this.#prefix), [name, usedAt, used, ...hits])
    if (isGone) return { isGone }
    // Where it was used since that was told, another one was idle for longer.
    return { isGone, after: Number(used) > Number(usedAt) ? 0 : least - Number(ago) }
  }
}
