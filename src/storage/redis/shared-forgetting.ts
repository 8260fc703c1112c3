// Forgetting in a shared store (--workspace-ttl): uses are told to all replicas, and what nobody used anywhere goes for all.
import { monotonicNow } from '../../runtime/host.ts'
import { tellingEvery } from '../../workspaces/forgetting.ts'
import type { Workspaces } from '../../workspaces/workspaces.ts'
import type { ReplicaLog } from './replica-log.ts'
import { IdleWorkspaces, mostWaitMs } from './idle-workspaces.ts'
import type { Reply } from './store-engine.ts'
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { tellSoonMs, UsesTold, type Ask } from './uses-told.ts'

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
  readonly #usesTold: UsesTold
  /** How often a batch tells of the use of its workspace, where it has nothing else to tell (ms). */
  readonly toldEvery: number
  /** How often to ask it to tell of uses (ms); here, as nothing of a store is loaded without one. */
  readonly tellsEvery = tellSoonMs

  /** @param ttl for how long nobody used a workspace that is forgotten (ms). */
  constructor(parts: Parts, ttl: number) {
    const { prefix, ask, workspaces } = parts
    this.#parts = parts
    this.toldEvery = tellingEvery(ttl)
    this.#idle = new IdleWorkspaces(prefix, ask, ttl, this.toldEvery)
    this.#usesTold = new UsesTold(prefix, ask, workspaces)
  }

  /** Tells of the workspaces in use here, and forgets those that nobody used anywhere for as long as the ttl. Gives their names. */
  async forgetIdle(): Promise<string[]> {
    let forgotten: string[] = []
    try {
      const { workspaces, logs, follow } = this.#parts
      await follow([...workspaces.idleness.noteUsesOfCopies().elsewhere])
      workspaces.idleness.noteUsesOfCopies()
      const toTell = [...logs].filter(([, log]) => log.isUseToTell)
      await follow(toTell.map(([name]) => name))
      await this.#usesTold.tell()
      forgotten = await this.#idle.forget()
      await this.#leave(forgotten)
      await this.#leave(await this.#goneElsewhere())
    } catch (error) {
      // Uses are told, and looked for, when it is back.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
    return forgotten
  }

  /** Tells all replicas which workspaces were used here, and what is open: asked again and again. */
  async tellUses(): Promise<void> {
    try {
      await this.#usesTold.tell()
    } catch (error) {
      // It is told when the store is back.
      if (!(error instanceof StorageUnavailableError)) throw error
    }
  }

  /** The longest idle one goes, and more of them where others were faster and took the room. */
  async openInPlaceOfAnother(open: () => Promise<Reply>): Promise<Reply> {
    const { workspaces, closing } = this.#parts
    const until = monotonicNow() + mostWaitMs
    for (;;) {
      await this.#usesTold.tell()
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
