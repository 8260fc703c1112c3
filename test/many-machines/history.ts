/** What clients of one workspace saw, in the words of the checker; times are counts of what happened before. */

/** One call as its client saw it. */
export interface Operation<Request> {
  readonly client: number
  readonly replica: number
  readonly started: number
  /** Infinity while its outcome is unknown: a replica may still carry it out. */
  readonly ended: number
  readonly request: Request
  /** What was answered, without what may differ; undefined when its outcome is unknown. */
  readonly answer: string | undefined
  /** The version that the answer says it was made from, or made. */
  readonly version: number | undefined
}

/**
 * Between two instants the log became another one, which has only the first versions of the one before: a failover to an
 * engine that lacked writes, a flush, a deleted key, a deleted workspace.
 */
export interface Cut {
  readonly from: number
  readonly to: number
  /** The last version that both have; 0 for a log that began anew. */
  readonly head: number
}

/** The history of one workspace. */
export interface History<Request> {
  readonly operations: readonly Operation<Request>[]
  /** In the order in which they happened. */
  readonly cuts: readonly Cut[]
}

/** What a call does to a state that never changes in place. */
export interface Step<State> {
  readonly state: State
  readonly answer: string
  /** Whether the state is another one for whoever asks. */
  readonly changed: boolean
}

/** What the calls mean when one machine carries them out, one after the other. */
export interface Model<Request, State> {
  readonly beginning: State
  /** The first version, which comes into being by itself; before it there is nothing to write to. */
  readonly firstVersion: number
  apply(state: State, request: Request): Promise<Step<State>> | Step<State>
  /** Whether it may make a version although nothing changes, such as a change to what was there already. */
  mayWrite(request: Request, answer: string | undefined): boolean
  show(request: Request): string
}
