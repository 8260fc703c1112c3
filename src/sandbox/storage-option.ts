// The storage of a sandbox: files (`--data`), a store (`--store`) or none. Their modules are loaded only if one is named.
import { resolve } from 'node:path'
import type { Assumptions } from '../contract/assumptions.ts'
import { inMemory } from '../input/store-address.ts'
import type { Settings } from '../options/index.ts'
import { isFolder, systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { OwnedWorkspaces } from '../storage/core/owned-workspaces.ts'
import type { StorageEvents } from '../workspaces/storage.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { SandboxEvents } from './events.ts'
import type { OpenedStorage, StorageTestHooks } from './opened-storage.ts'

/** The storage of a sandbox, from its opening to its end. */
export class SandboxStorage {
  readonly opened: OpenedStorage
  readonly #relay: Relay
  readonly #events: SandboxEvents

  private constructor(opened: OpenedStorage, relay: Relay, events: SandboxEvents) {
    this.opened = opened
    this.#relay = relay
    this.#events = events
  }

  /**
   * @returns undefined for a sandbox in memory.
   * @throws {DocumentError} for files that cannot be used. @throws {StoreError} for an engine that cannot be.
   */
  static async open(
    settings: Settings,
    assumptions: Assumptions,
    events: SandboxEvents & StorageTestHooks,
  ): Promise<SandboxStorage | undefined> {
    const { data, store, storePrefix, seed } = settings
    const relay = new Relay(events)
    const options = { events, listener: relay, testHooks: events.storage }
    if (data !== undefined) {
      const { openData } = await import('./open-files.ts')
      const opened = await openData(data, isDataFolder(data), { ...options, assumptions, seed })
      if (opened.home && (settings.fixtures.length > 0 || settings.generate)) {
        events.onNotice?.(
          `${opened.name} exists and is used; the fixtures are the state after a reset, and that of new workspaces`,
        )
      }
      return new SandboxStorage(opened, relay, events)
    }
    if (store === inMemory) return undefined
    const { openStore } = await import('./open-store.ts')
    return new SandboxStorage(await openStore(store, storePrefix, settings, options), relay, events)
  }

  /**
   * Persists the workspaces of a sandbox from now on.
   * @param onLost called when nothing can be persisted any more.
   */
  async persist(
    workspaces: Workspaces,
    library: ScenarioLibrary,
    {
      settings,
      assumptions,
      closing,
      onLost,
    }: { settings: Settings; assumptions: Assumptions; closing: AbortSignal; onLost: () => void },
  ): Promise<OwnedWorkspaces> {
    const { storage, home, explain, lost, isShared } = this.opened
    const events = this.#events
    const { OwnedWorkspaces: Owned } = await import('../storage/core/owned-workspaces.ts')
    if (isShared) {
      const { baselineIdOf } = await import('./open-store.ts')
      await storage.join(await baselineIdOf(settings, assumptions, library, workspaces.baseline))
    }
    let isLost = false
    const onEnd = (error: Error): void => {
      if (isLost) return
      isLost = true
      events.onLost?.(lost(error))
      onLost()
    }
    try {
      const owned = await Owned.start(storage, home, {
        ...this.opened,
        workspaces,
        assumptions,
        seed: workspaces.default.seed,
        base: isShared ? workspaces.baseline : undefined,
        clock: { now: systemHost().now, requested: settings },
        pause: (milliseconds) => wait(milliseconds, closing),
        onProblem: (line) => events.onProblem?.(line),
        onNotice: (line) => events.onNotice?.(line),
        onBug: (error) => events.onBug?.(error, 'none'),
        onEnd,
      })
      this.#relay.use(owned, onEnd)
      return owned
    } catch (error) {
      throw explain(error)
    }
  }

  /** Releases storage that no workspace uses. */
  async close(): Promise<void> {
    await this.opened.storage.close()
  }
}

/** Passes the events of storage, which is opened before the workspaces, on to these. */
class Relay implements StorageEvents {
  readonly #events: SandboxEvents
  #owned: OwnedWorkspaces | undefined
  #end: ((error: Error) => void) | undefined
  #ended: Error | undefined

  constructor(events: SandboxEvents) {
    this.#events = events
  }

  use(owned: OwnedWorkspaces, onEnd: (error: Error) => void): void {
    this.#owned = owned
    this.#end = onEnd
    if (this.#ended) onEnd(this.#ended)
  }

  onWanted(name: string): void {
    this.#owned?.want(name)
  }

  onLost(name: string): void {
    this.#owned?.forget(name)
  }

  onEnd(error: Error): void {
    this.#ended = error
    this.#end?.(error)
  }

  onProblem(line: string): void {
    this.#events.onProblem?.(line)
  }
}

/** Whether the path names a folder of data, which persists every workspace. A data file persists only `default`. */
function isDataFolder(data: string): boolean {
  return data.endsWith('/') || isFolder(resolve(systemHost().cwd, data))
}

/** Whether every workspace is persisted, in a folder of data or in a store. */
export function persistsAll({ data, store }: Pick<Settings, 'data' | 'store'>): boolean {
  return store !== inMemory || (data !== undefined && isDataFolder(data))
}
