// Ownership: which workspaces this process has, and that they are persisted. Without storage it owns all of them.
import type { StorageHealth } from './storage.ts'
import type { Workspace } from './workspace.ts'

export interface Ownership {
  /** Whether other processes use the same storage. */
  readonly isShared: boolean
  readonly health: StorageHealth

  /** Whether the rows of a workspace in memory are current, so that it may be used now. */
  isCurrent(name: string): boolean

  /**
   * Makes this process the owner of a workspace, with its rows in memory.
   * @param creates whether to create one that storage does not have (default: true); if not, it is removed from memory.
   * @throws by rejecting {OwnedElsewhereError} {StorageUnavailableError} {UnusableError} {TooManyWorkspacesError}
   */
  open(name: string, creates?: boolean): Promise<void>

  /** Persists a workspace that was just created in memory. @returns false if another process was faster. */
  persist(workspace: Workspace): Promise<boolean>

  /** The program has a reference to the workspace, so it stays open. */
  hold(name: string): void

  /** Begins to remove a workspace that was deleted from memory; `dropped` says when it is done. */
  drop(name: string): void

  /** Settles once deleted workspaces are gone from storage: the one of this name, or all. Rejects if one is not. */
  dropped(name?: string): Promise<void>

  /**
   * Removes a workspace that this process has not open, from memory and from storage.
   * @param asks whether another owner is asked to release it.
   * @throws {OwnedElsewhereError} by rejecting: only its owner removes it.
   */
  dropClosed(name: string, asks: boolean): Promise<void>

  /** Reads which workspaces other processes have created and deleted. */
  refreshNames(): Promise<void>
}
