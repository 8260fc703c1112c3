// The context of a replica log: the engine, the keys of its workspace, and its workspace in this process.
import type { InFlightCall } from '../../call/index.ts'
import type { StoreFigures } from '../../metrics/store-figures.ts'
import type { Beginning, Workspace } from '../../workspaces/workspace.ts'
import type { SnapshotEvery } from './log-snapshot.ts'
import type { Engine } from './store-engine.ts'
import type { ForeignError } from './tasks.ts'

/** A call, as journal and coverage persist it. */
export interface CallRecord {
  /** The call as text. */
  journal: string
  /** The ids of the contract points that it exercised. */
  coverage: readonly string[]
}

/** The context of a replica log. */
export interface ReplicaContext {
  readonly engine: Engine
  readonly keys: readonly string[]
  readonly journal: { readonly entries: number; readonly bytes: number }
  readonly figures: StoreFigures
  recordOf(call: InFlightCall): CallRecord
  readonly snapshotEvery: SnapshotEvery
  /** The id of the initial state of all workspaces. */
  readonly baseline: string
  /** Interval of access reports (ms); undefined if workspaces are not evicted. */
  readonly reportAccessEvery: number | undefined
  /** The initial state of all workspaces. */
  origin(): Beginning
  /** The workspace in this process, if there is one. */
  find(): Workspace | undefined
  /** Creates it in this process. */
  create(): Workspace
  /** Drops it from this process after its deletion. */
  drop(): void
  /** Called when no task is running any more. */
  onIdle(): void
  /** Reports why the workspace cannot be used; undefined once it can. */
  setDamage(reason: string | undefined): void
  /** Called if the store has another baseline: this replica is no longer ready. Returns the error to throw. */
  foreignBaseline(): ForeignError
  /** Reserves its name. @throws the error to report if there are too many workspaces. */
  register(): Promise<void>
}
