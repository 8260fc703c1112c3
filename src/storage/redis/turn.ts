// What is done in a workspace on its state as now: a call of the API, or a verb. It may be done more than once.
import type { Workspace } from '../../workspaces/workspace.ts'

/** What the journal and coverage keep of a call. */
export interface Kept {
  /** The call as text. */
  journal?: string
  /** The ids of the contract points that it exercised. */
  coverage?: readonly string[]
}

/** Where it is done. */
export interface Place {
  readonly workspace: Workspace
  /** The number of its request there; undefined for what asked for none. */
  readonly number: number | undefined
}

/** One thing to do. Whoever waits for it hears of exactly one of `kept` and `fail`, unless it goes on elsewhere. */
export interface Task {
  /** Others do not share its turn: it may wait, or do what the journal is emptied by. */
  readonly alone: boolean
  /** Whether it wants a request number, and has none yet. */
  readonly isUnnumbered: boolean
  /** Whether the workspace is to come into being for it where it is not there. */
  opens(): boolean
  /** Does it, on the state as now. @param place undefined where the workspace is not there, and was not opened. */
  judge(place: Place | undefined): void | Promise<void>
  /** It is done, at a version. Gives what is to be kept beside what changed, or that it goes on elsewhere. */
  done(version: number): Kept | 'left'
  /** What it did is kept, and whoever waits may be told. */
  kept(): void
  /** Its number is none any more, as the workspace was reset or begun anew: it is given another one. */
  renumber(): void
  /** What it did was taken back; it is judged again. */
  undone(): void
  /** It cannot be done now. Nothing of it was done, unless the error says that this is not known. */
  fail(error: Error): void
}

/** Thrown where the state cannot be had, or what was done may not be kept: the message is for whoever called. */
export class StoreAwayError extends Error {
  override name = 'StoreAwayError'
}

/** Thrown where something stands in the store that no sandbox of this format wrote, or that another one began. */
export class ForeignError extends StoreAwayError {
  override name = 'ForeignError'
}

/** Thrown where the values of one workspace in the store cannot be read, while the other workspaces can be used. */
export class DamagedError extends ForeignError {
  override name = 'DamagedError'

  /** @param keys the key, or a pattern of keys such as `{sandbox:w1}:*`. */
  constructor(keys: string, options?: ErrorOptions) {
    super(
      `The store holds values under ${keys} that no sandbox of this format wrote: delete them, or take another --store-prefix.`,
      options,
    )
  }
}
