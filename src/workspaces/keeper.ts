import type { Change } from '../store/transaction.ts'

/** Keeps the state of a workspace elsewhere too, such as in a file. It is told of every write as it happens. */
export interface Keeper {
  /** The changes of one transaction stand in memory, or the clock was moved (then there are none). */
  committed(changes: readonly Change[]): void
  /** The whole state is another one: a reset, a restored snapshot, an upload. */
  replaced(): void
  /** Settles once all it was told so far is kept as safely as was asked for; undefined when nothing is left to do. */
  saved(): Promise<void> | undefined
}
