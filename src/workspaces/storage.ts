// The interface of storage: where workspaces are persisted. Drivers implement it for memory, files and Redis.
import type { InFlightCall } from '../call/index.ts'
import type { StoreFigures } from '../metrics/store-figures.ts'
import type { Workspace } from './workspace.ts'

/** Where a task runs. */
export interface Place {
  readonly workspace: Workspace
  /** The number of its request there; undefined for a task that needs none. */
  readonly number: number | undefined
}

/** Work on the current rows of a workspace: a call of the API. It may run more than once. */
export interface Task {
  /** The name of the workspace that it probably runs in. */
  readonly workspace: string
  /** Whether it needs a request number, and has none yet. */
  readonly isUnnumbered: boolean
  /** Whether the workspace is created for it where there is none. */
  creates(): boolean
  /** Whether its key may open the workspace; false for a call that has its workspace, by that workspace's own `fetch`. */
  mayOpen(): boolean
  /**
   * Runs it. @param place undefined if the workspace does not exist and was not created; `any` if the task itself finds
   * its workspace, as no other process has it.
   */
  run(place: Place | 'any' | undefined): void
  /** Called after each run. @param version that of the workspace, where several processes share it. */
  done(version?: number): Done
  /** Its writes are persisted, so that its answer may leave. */
  persisted(): void
  /** The workspace was reset or created again: the task needs another number. */
  renumber(): void
  /** Its writes were rolled back, and it runs again. */
  rolledBack(): void
  /** It cannot run now. None of its writes are persisted, unless the error says that this is unknown. */
  fail(error: Error): void
}

/**
 * The state of a task after a run: it waits and continues as another task, or its answer leaves once it is persisted.
 */
export type Done =
  | 'waiting'
  | {
      /** The workspace whose rows it changed. */
      wrote: Workspace | undefined
      /** Recorded in the journal and in coverage; undefined for a request that is not recorded. */
      call: InFlightCall | undefined
    }

/** Deletes idle workspaces, where several processes share them (--workspace-ttl). */
export interface SharedEviction {
  /** Interval of `evictIdle` (ms). */
  readonly reportEvery: number
  /** Interval of `reportAccess` (ms). */
  readonly reportOpenEvery: number
  /** @returns the names of the workspaces that it deleted. */
  forgetIdle(): Promise<string[]>
  /** Reports the last access of the workspaces that this process uses. */
  reportAccess(): Promise<void>
}

/**
 * Where workspaces are persisted. Methods that return undefined have nothing to wait for: workspaces in memory are always
 * current, and those in files are once they are open.
 */
export interface Storage {
  /** Several processes write to the workspaces, so that each run of a task takes a round trip. */
  readonly isShared: boolean
  /** Whether writes can be persisted. */
  readonly isWell: boolean
  /** The names of workspaces that cannot be read, or not be written. */
  readonly damaged: readonly string[]
  /** Whether the engine answers, where one is used. */
  readonly status:
    { readonly status: 'ok' } | { readonly status: 'away'; readonly reason: string } | undefined
  /** Why the workspaces are not current yet, in a sentence. */
  readonly notCaughtUp: string | undefined
  readonly figures: StoreFigures
  readonly eviction: SharedEviction | undefined

  /** Runs a call. */
  enter(task: Task): void
  /**
   * Runs an operation exclusively in a workspace, and persists its changes. It is re-run if another process wrote
   * first. The workspace is created if a request may do so.
   * @param hasOnlyRead whether it changed nothing that is persisted, so that its result waits for no writes.
   * @throws the error of the operation; then nothing is persisted.
   */
  run<T>(
    name: string,
    operation: (workspace: Workspace) => T | Promise<T>,
    hasOnlyRead?: (result: T) => boolean,
  ): Promise<{ result: T; version?: number }>
  /** Whether a workspace cannot be read. */
  isDamaged(name: string): boolean

  /** Reads the rows of a workspace into memory. @param creates whether to create it if it does not exist. */
  open(name: string, creates?: boolean): Promise<void> | undefined
  /** The workspace stays in memory from now on, as the program has a reference to it. */
  hold(name: string): void
  /** Applies the writes of other processes to a workspace, and to the original of a copy. */
  refresh(name: string): Promise<void> | undefined
  /** As `refresh`, for a workspace and all copies of it. */
  refreshCopies(of: string): Promise<void> | undefined
  /** As `refresh`, for the original of a copy. */
  refreshOriginal(name: string): Promise<void> | undefined
  /** As `refresh`, for all workspaces. */
  refreshAll(): Promise<unknown> | undefined
  /** Reads the names of all workspaces, where other processes create some. */
  readNames(): Promise<readonly string[]> | undefined
  /** Reads which names are taken. @param name a workspace to refresh as well. */
  refreshNames(name?: string): Promise<unknown> | undefined

  /** Persists a workspace that this process created. @returns false if another process was faster. */
  created(workspace: Workspace): Promise<boolean>
  /** Settles once deleted workspaces are gone from storage: the one of this name with its copies, or all. */
  dropped(name?: string): Promise<void>
  /** Replaces the initial state of new workspaces. @throws {ConflictError} if other processes would not notice. */
  rebase(replace: () => Promise<void>): Promise<void>

  /** Reads the journal of a workspace, with the calls that other processes answered. */
  readJournal(workspace: Workspace): Promise<void> | undefined
  /** Reads the coverage of a workspace, or of all, like `readJournal`. */
  readCoverage(name?: string): Promise<void> | undefined
  /** Clears the coverage of all workspaces, including deleted ones. */
  clearCoverage(): Promise<void> | undefined

  /** Persists all changes, and releases the files or the connection. @throws {NotSavedError} */
  close(): Promise<void>
}

/** Thrown if storage cannot be reached, or if it is unknown whether a write is persisted. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
}

/** Thrown at the start for a store that cannot be used. Its message is one line for the user. */
export class StoreError extends Error {
  override name = 'StoreError'
  /** 4: it does not answer, refuses the password or is too old; 3: its contents or its policy do not fit. */
  readonly exit: 3 | 4

  constructor(message: string, exit: 3 | 4) {
    super(message)
    this.exit = exit
  }
}
