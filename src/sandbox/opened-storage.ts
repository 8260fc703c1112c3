// Storage that a sandbox has opened, whatever its medium.
import type { OwnedWorkspacesOptions } from '../storage/core/owned-workspaces.ts'
import type { PersistedWorkspace } from '../storage/core/read-document.ts'
import type { FilesOptions } from '../storage/files/index.ts'
import type { EngineOptions } from '../storage/redis/index.ts'
import type { NotSavedError } from '../workspaces/saver.ts'
import type { Storage, StorageEvents } from '../workspaces/storage.ts'
import type { SandboxEvents } from './events.ts'

/** Replaces parts of the machine in tests. */
export interface StorageTestHooks {
  storage?: Partial<Pick<FilesOptions, 'files' | 'times' | 'processes'>> & {
    engine?: EngineOptions['testHooks']
    minLogBytes?: number
  }
}

/** Storage that was opened, and what only it knows. */
export interface OpenedStorage extends Pick<
  OwnedWorkspacesOptions,
  'isShared' | 'persists' | 'shown' | 'minLogBytes' | 'reasonOf' | 'isFinal'
> {
  storage: Storage
  /** Its name in messages. */
  name: string
  /** Workspace `default` as it was persisted; undefined for a new one, and with a store. */
  home: PersistedWorkspace | undefined
  /** Returns an error of its start for the user who named it. */
  explain(error: unknown): unknown
  /** Returns the error when nothing can be persisted any more. */
  lost(error: Error): NotSavedError
}

/** How storage is opened. */
export interface StorageOptions {
  events: SandboxEvents
  listener: StorageEvents
  testHooks: StorageTestHooks['storage']
}
