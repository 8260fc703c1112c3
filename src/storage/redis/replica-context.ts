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
  /** The id of what all workspaces begin with. */
  readonly baseline: string
  /** How often the last access is reported (ms); undefined where workspaces are not evicted. */
  readonly reportAccessEvery: number | undefined
  /** What all workspaces begin with. */
  origin(): Beginning
  /** The workspace in this process, if there is one. */
  find(): Workspace | undefined
  /** Makes it in this process. */
  make(): Workspace
  /** Drops it from this process, as it is gone. */
  drop(): void
  /** Told when nothing is being done any more. */
  ended(): void
  /** Reports why the workspace cannot be used; undefined once it can. */
  setDamage(reason: string | undefined): void
  /** Another baseline was found in the store, and this replica is not ready any more. Gives what to throw. */
  foreignBaseline(): ForeignError
  /** Takes its name. @throws what there is to say when there are too many. */
  register(): Promise<void>
}
