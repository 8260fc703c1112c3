// The interface of storage: where workspaces are persisted. One process owns a workspace at a time; a driver for a
// medium keeps texts, and knows nothing of what is in them.

/** Identifies the rows that every workspace begins with; a store keeps it once. */
export interface BaselineId {
  /** Equal for equal inputs: fixtures, seed, scenarios, assumptions and so on. */
  readonly digest: string
  /** The same as JSON, by which people see what differs. */
  readonly inputs: string
}

/** A workspace in the list of names. */
export interface ListedWorkspace {
  readonly name: string
  /** Its last description: JSON that is read without opening it. Undefined while it is being created or dropped. */
  readonly about: string | undefined
  /** When it was last used, in ms since 1970. */
  readonly usedAt: number
  /** Why it cannot be opened, in words that follow the name of the file. */
  readonly damage?: string
}

/** The texts of a workspace that this process owns from now on; without both parts it is new. */
export interface OpenedWorkspace {
  /** A state document. */
  readonly checkpoint: Buffer | undefined
  /** The deltas since, in order: one JSON text each. */
  readonly deltas: readonly string[]
}

/** Whether workspaces can be read and written. */
export interface StorageHealth {
  /** Why nothing can be read or written at present, in one sentence without the full stop; undefined if it can. */
  readonly away: string | undefined
  /** Workspaces that cannot be read or written, with the reason. */
  readonly damaged: ReadonlyMap<string, string>
  /** Figures for metrics, by their names. */
  readonly figures: Readonly<Record<string, number>>
}

/** Events of a driver. */
export interface StorageEvents {
  /** Another process asks for a workspace of this one. */
  onWanted(name: string): void
  /** This process owns a workspace no more, although it did not release it: what is in memory may be stale. */
  onLost(name: string): void
  /** Nothing can be persisted by this process any more: it must end (exit code 74). */
  onEnd(error: Error): void
  /** A line for the log of the operator. */
  onProblem(line: string): void
}

/**
 * Where workspaces are persisted: in memory, in files or in an engine. A call for a name comes only after the one before
 * it has settled, except for `owns`. A text that `append` or `checkpoint` has acknowledged survives the end of the process
 * and of the machine.
 */
export interface Storage {
  /** Keeps the baseline, or compares it with the kept one. @throws {StoreError} with exit 3 if they differ. */
  join(baseline: BaselineId): Promise<void>

  /** The workspaces that are persisted, of all processes. */
  list(): Promise<readonly ListedWorkspace[]>

  /**
   * Makes this process the owner of a workspace, and reads it; of an unknown name, which then exists.
   * @param asks whether another owner is asked to release it.
   * @throws {OwnedElsewhereError} @throws {DamagedError} @throws {StorageUnavailableError}
   */
  open(name: string, about: string, asks?: boolean): Promise<OpenedWorkspace>

  /**
   * Persists a delta, or without one what is known about the workspace. Undefined if there is nothing to wait for.
   * @throws {OwnedElsewhereError} by rejecting, if another process owns it now; then nothing is persisted.
   * @throws {StorageUnavailableError} by rejecting, if it is unknown whether it is persisted.
   * @throws the failure of the file system, by rejecting; then nothing is persisted.
   */
  append(name: string, delta: string | undefined, about?: string): Promise<void> | undefined

  /**
   * Replaces the checkpoint and all deltas by a state document, whose last member is the object `sandbox`.
   * @throws like `append`; then the checkpoint before and its deltas stay.
   */
  checkpoint(name: string, document: Iterable<string>, about: string): Promise<void>

  /** Ends the ownership, so that another process opens the workspace at once. */
  release(name: string): Promise<void>

  /** Removes a workspace that this process owns, or that `open` refused as damaged. */
  drop(name: string): Promise<void>

  /** Whether this process surely owns a workspace at this moment: only then its rows are current. */
  owns(name: string): boolean

  readonly health: StorageHealth

  /** Releases every workspace, and the files or the connection. */
  close(): Promise<void>
}

/** Thrown if this process does not own a workspace. */
export class OwnedElsewhereError extends Error {
  override name = 'OwnedElsewhereError'
  readonly workspace: string
  /** The owner, such as `process 4711 on build-7`; undefined if there is none at present. */
  readonly owner: string | undefined

  constructor(workspace: string, owner: string | undefined) {
    super(
      owner === undefined
        ? `This process lost workspace '${workspace}', which has no owner at present: send the request again.`
        : `Workspace '${workspace}' is owned by ${owner}, which releases it when it is idle: send the request again, and let the balancer route by workspace (docs/many-machines.md).`,
    )
    this.workspace = workspace
    this.owner = owner
  }
}

/** Thrown if storage cannot be reached, or if it is unknown whether a write is persisted. */
export class StorageUnavailableError extends Error {
  override name = 'StorageUnavailableError'
}

/** Whether a workspace cannot be used by this process now, and may be by another one, or later. */
export function isElsewhere(error: unknown): error is OwnedElsewhereError | StorageUnavailableError {
  return error instanceof OwnedElsewhereError || error instanceof StorageUnavailableError
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

/** Thrown for a workspace whose texts are damaged: the message names the file or key, the position and what to do. */
export class DamagedError extends Error {
  override name = 'DamagedError'
}
