// Forgetting in a shared store (--workspace-ttl): uses are told to all replicas, and what nobody used anywhere goes for all.
import { monotonicNow } from '../../runtime/host.ts'
import { tellingEvery } from '../../workspaces/forgetting.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { ReplicaLog } from './replica-log.ts'
import { IdleWorkspaces, mostWaitMs } from './idle-workspaces.ts'
import type { Reply } from './store-engine.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { reportSoonMs, AccessReports, type Ask } from './access-reports.ts'

/** What it needs of the store. */
interface Parts {
  readonly prefix: string
  readonly workspaces: Workspaces
  readonly logs: ReadonlyMap<string, ReplicaLog>
  readonly ask: Ask
  /** The sandbox ends: nobody waits for room any more. */
  readonly closing: AbortSignal
  follow(names: readonly string[]): Promise<void>
  readNames(): Promise<readonly string[]>
}

export class SharedForgetting {
  readonly #parts: Parts
  readonly #idle: IdleWorkspaces
  readonly #accessReports: AccessReports
  /** How often a batch that is otherwise empty reports the last access of its workspace (ms). */
  readonly reportEvery: number
  /** How often to call `reportAccess` (ms). A field, so that no module of the store is loaded without a store. */
  readonly reportOpenEvery = reportSoonMs

  /** @param ttl for how long nobody used a workspace that is forgotten (ms). */
  constructor(parts: Parts, ttl: number) {
    const { prefix, ask, workspaces } = parts
    this.#parts = parts
    this.reportEvery = tellingEvery(ttl)
    this.#idle = new IdleWorkspaces(prefix, ask, ttl, this.reportEvery)
    this.#accessReports = new AccessReports(prefix, ask, workspaces)
  }

  /** Tells of the workspaces in use here, and forgets those that nobody used anywhere for as long as the ttl. Gives their names. */
  async forgetIdle(): Promise<string[]> {
    let forgotten: string[] = []
    try {
      const { workspaces, logs, follow } = this.#parts
      await follow([...workspaces.idleness.noteUsesOfCopies().elsewhere])
      workspaces.idleness.noteUsesOfCopies()
      const due = [...logs].filter(([, log]) => log.isAccessReportDue)
      await follow(due.map(([name]) => name))
      await this.#accessReports.send()
      forgotten = await this.#idle.forget()
      await this.#leave(forgotten)
      await this.#leave(await this.#goneElsewhere())
    } catch (error) {
      // The next round reports and evicts when the store is back.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
    return forgotten
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

  /** The longest idle one goes, and more of them where others were faster and took the room. */
  async openInPlaceOfAnother(open: () => Promise<Reply>): Promise<Reply> {
    const { workspaces, closing } = this.#parts
    const until = monotonicNow() + mostWaitMs
    for (;;) {
      await this.#accessReports.send()
      const forgotten = await this.#idle.forgetLongest(until, closing)
      if (forgotten === undefined) return 'full'
      workspaces.onMadeRoom?.(forgotten)
      // Its batches are its own: this one does not wait for them.
      this.#leave([forgotten]).catch(() => undefined)
      const answer = await open()
      if (answer !== 'full') return answer
    }
  }

  /** What this process has of workspaces that are gone goes, too. */
  async #leave(names: readonly string[]): Promise<void> {
    const { logs, follow } = this.#parts
    await follow(names.filter((name) => logs.has(name)))
  }

  /** Those that other replicas have forgotten, or deleted. */
  async #goneElsewhere(): Promise<string[]> {
    const names = new Set(await this.#parts.readNames())
    return [...this.#parts.logs.keys()].filter((name) => !names.has(name))
  }
}
