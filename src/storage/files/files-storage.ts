// The file driver of storage: workspaces in files under one lock, which this process owns all the time.
import { onceAborted } from '../../runtime/wait.ts'
import {
  DamagedError,
  type ListedWorkspace,
  type OpenedWorkspace,
  type Storage,
  type StorageEvents,
  type StorageHealth,
} from '../../workspaces/storage.ts'
import { whyNotSaved } from './files.ts'
import type { LockTimes } from './lock.ts'
import { endsPersistence, type FileContext } from './file-context.ts'
import type { WorkspaceFiles } from './file-layout.ts'
import { FileWorkspace } from './file-workspace.ts'
import { Limit } from './limit.ts'
import { listFiles } from './list-files.ts'

/** Maximum number of workspaces that are read, written or synced concurrently. */
const maxConcurrent = 32

/** Time in ms after a heartbeat in which no other process takes the lock over; `stale` of a lock is longer. */
const ownedFor = 8000

/** The environment of the driver. */
export interface DriverContext {
  events: Pick<StorageEvents, 'onEnd'>
  times: Pick<LockTimes, 'now'>
  /** The time of the machine in ms since 1970. */
  now(): number
}

/** Appends of several workspaces are written and synced concurrently, each to its own file. */
export class FilesStorage implements Storage {
  readonly #context: FileContext
  readonly #driver: DriverContext
  readonly #limit = new Limit(maxConcurrent)
  /** The workspaces that are owned. */
  readonly #workspaces = new Map<string, FileWorkspace>()
  /** The generations of the logs of each workspace, as scanned at the start and changed since. */
  readonly #generations = new Map<string, number[]>()
  readonly #damaged = new Map<string, string>()
  readonly #stopWatching: () => void
  /** Why nothing can be read or written any more. */
  #ended: Error | undefined

  constructor(context: FileContext, found: ReadonlyMap<string, WorkspaceFiles>, driver: DriverContext) {
    this.#context = context
    this.#driver = driver
    for (const [name, { generations }] of found) this.#generations.set(name, generations)
    const { lost } = context.lock
    this.#stopWatching = onceAborted(lost, () => this.#end(lost.reason))
  }

  /** Files fit every baseline: each document has all rows. */
  async join(): Promise<void> {}

  async list(): Promise<readonly ListedWorkspace[]> {
    const found = await this.#context.layout.scan(this.#context.files)
    const listed = await Promise.all(
      Array.from(found, ([name, files]) =>
        this.#run(() => listFiles(this.#context, name, files, this.#workspaces.get(name)?.about)),
      ),
    )
    const workspaces = listed.filter((one) => one !== undefined)
    for (const { name, damage } of workspaces) if (damage !== undefined) this.#damaged.set(name, damage)
    return workspaces
  }

  async open(name: string, about: string): Promise<OpenedWorkspace> {
    return this.#runFor(name, async () => {
      // A person may have put files back since the damage was found.
      const scanned = this.#damaged.has(name)
        ? await this.#context.layout.scan(this.#context.files)
        : undefined
      const generations = (scanned ? scanned.get(name)?.generations : this.#generations.get(name)) ?? []
      this.#generations.set(name, generations)
      const { workspace, opened } = await FileWorkspace.open(this.#context, { name, generations, about })
      this.#workspaces.set(name, workspace)
      return opened
    })
  }

  async append(name: string, delta: string | undefined, about?: string): Promise<void> {
    const workspace = this.#owned(name)
    return this.#runFor(name, () =>
      delta === undefined
        ? workspace.touch(new Date(this.#driver.now()), about)
        : workspace.append(delta, about),
    )
  }

  async checkpoint(name: string, document: Iterable<string>, about: string): Promise<void> {
    const workspace = this.#owned(name)
    await this.#runFor(name, () => workspace.checkpoint(document, about))
  }

  async release(name: string): Promise<void> {
    const workspace = this.#workspaces.get(name)
    this.#workspaces.delete(name)
    await workspace?.release()
  }

  async drop(name: string): Promise<void> {
    const isRefused = this.#damaged.has(name) && !this.#workspaces.has(name)
    const workspace = isRefused ? this.#damagedWorkspace(name) : this.#owned(name)
    await this.#runFor(name, () => workspace.drop())
    this.#workspaces.delete(name)
  }

  owns(name: string): boolean {
    if (this.#ended || !this.#workspaces.has(name)) return false
    const { lock } = this.#context
    if (this.#driver.times.now() - lock.renewedAt < ownedFor) return true
    try {
      lock.requireOurs()
      return true
    } catch {
      return false
    }
  }

  get health(): StorageHealth {
    const open = [...this.#workspaces.values()]
    return {
      away: this.#ended && (whyNotSaved(this.#ended) ?? this.#ended.message),
      damaged: this.#damaged,
      figures: {
        open_workspaces: open.length,
        log_bytes: open.reduce((sum, { logSize }) => sum + logSize, 0),
      },
    }
  }

  async close(): Promise<void> {
    this.#stopWatching()
    const open = [...this.#workspaces.keys()]
    await Promise.allSettled(open.map((name) => this.release(name)))
    this.#ended ??= new Error('the data is closed')
    await this.#context.close()
  }

  #damagedWorkspace(name: string): FileWorkspace {
    return FileWorkspace.damaged(this.#context, name, this.#generations.get(name) ?? [])
  }

  /** @throws if this process has not opened it. */
  #owned(name: string): FileWorkspace {
    const workspace = this.#workspaces.get(name)
    if (!workspace) throw new Error(`workspace '${name}' is not open`)
    return workspace
  }

  /** Runs an operation on a workspace, and notes whether it can be read and written. */
  async #runFor<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await this.#run(work)
      this.#damaged.delete(name)
      return result
    } catch (error) {
      const reason = error instanceof DamagedError ? error.message : whyNotSaved(error)
      if (reason !== undefined) this.#damaged.set(name, reason)
      throw error
    }
  }

  /** Runs an operation unless persistence has ended before or meanwhile. */
  async #run<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit.run(async () => {
      if (this.#ended) throw this.#ended
      let result: T
      try {
        result = await work()
      } catch (error) {
        if (error instanceof Error && endsPersistence(error)) this.#end(error)
        throw error
      }
      if (this.#ended) throw this.#ended
      return result
    })
  }

  #end(error: Error): void {
    if (this.#ended) return
    this.#ended = error
    this.#driver.events.onEnd(error)
  }
}
