// Eviction in a shared store (--workspace-ttl): replicas report their last access, and evict workspaces that no replica
// uses.
import { monotonicNow } from '../../runtime/host.ts'
import { accessReportInterval } from '../../workspaces/eviction.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { ReplicaLog } from './replica-log.ts'
import { IdleWorkspaces, maxWaitMs } from './idle-workspaces.ts'
import type { Reply } from './store-engine.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { reportDelayMs, AccessReports, type RunScript } from './access-reports.ts'

/** The operations of the store that eviction needs. */
interface Parts {
  readonly prefix: string
  readonly workspaces: Workspaces
  readonly logs: ReadonlyMap<string, ReplicaLog>
  readonly ask: RunScript
  /** Aborted when the sandbox closes: no caller waits for room any more. */
  readonly closing: AbortSignal
  follow(names: readonly string[]): Promise<void>
  readNames(): Promise<readonly string[]>
}

export class RedisEviction {
  readonly #parts: Parts
  readonly #idle: IdleWorkspaces
  readonly #accessReports: AccessReports
  /** Interval at which an otherwise empty batch reports the last access of its workspace (ms). */
  readonly reportEvery: number
  /** Interval of calls to `reportAccess` (ms). A field, so that no module of the store is loaded without a store. */
  readonly reportOpenEvery = reportDelayMs

  /** @param ttl the idle timeout of a workspace (ms). */
  constructor(parts: Parts, ttl: number) {
    const { prefix, ask, workspaces } = parts
    this.#parts = parts
    this.reportEvery = accessReportInterval(ttl)
    this.#idle = new IdleWorkspaces(prefix, ask, ttl, this.reportEvery)
    this.#accessReports = new AccessReports(prefix, ask, workspaces)
  }

  /** Reports the workspaces in use here, and evicts those that no replica used for the TTL. Returns their names. */
  async forgetIdle(): Promise<string[]> {
    let evicted: string[] = []
    try {
      const { workspaces, logs, follow } = this.#parts
      await follow([...workspaces.idleness.touchOriginals().elsewhere])
      workspaces.idleness.touchOriginals()
      const due = [...logs].filter(([, log]) => log.isAccessReportDue)
      await follow(due.map(([name]) => name))
      await this.#accessReports.send()
      evicted = await this.#idle.evict()
      await this.#leave(evicted)
      await this.#leave(await this.#goneElsewhere())
    } catch (error) {
      // The next round follows when the store is back.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
    return evicted
  }

  /** Reports to all replicas which workspaces were used here, and which are open. */
  async reportAccess(): Promise<void> {
    try {
      await this.#accessReports.send()
    } catch (error) {
      // The next report follows when the store is back.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
  }

  /** Evicts the workspace that was idle for longest, and another one if another replica took the room first. */
  async evictAndOpen(open: () => Promise<Reply>): Promise<Reply> {
    const { workspaces, closing } = this.#parts
    const until = monotonicNow() + maxWaitMs
    for (;;) {
      await this.#accessReports.send()
      const evicted = await this.#idle.evictLongestIdle(until, closing)
      if (evicted === undefined) return 'full'
      workspaces.onEvictedForRoom?.(evicted)
      // It has its own batches, and this one does not wait for them.
      this.#leave([evicted]).catch(() => undefined)
      const answer = await open()
      if (answer !== 'full') return answer
    }
  }

  /** Drops workspaces from this process that were evicted or deleted. */
  async #leave(names: readonly string[]): Promise<void> {
    const { logs, follow } = this.#parts
    await follow(names.filter((name) => logs.has(name)))
  }

  /** The workspaces that other replicas evicted or deleted. */
  async #goneElsewhere(): Promise<string[]> {
    const names = new Set(await this.#parts.readNames())
    return [...this.#parts.logs.keys()].filter((name) => !names.has(name))
  }
}
