/** The observations of the clients of one workspace, in the terms of the checker; times count the earlier events. */

/** One call as its client saw it. */
export interface Operation<Request> {
  readonly client: number
  readonly replica: number
  readonly started: number
  /** Infinity while its outcome is unknown: a replica may still carry it out. */
  readonly ended: number
  readonly request: Request
  /** The answer without variable parts; undefined if its outcome is unknown. */
  readonly answer: string | undefined
  /** The version that the answer says it was made from, or made. */
  readonly version: number | undefined
  /** The number of the request, as the answer tells it; not for all is there one. */
  readonly id?: string
}

/**
 * Between two instants the log became another one, which has only the first versions of the one before: a failover to an
 * engine that lacked writes, a flush, a deleted key, a deleted workspace.
 */
export interface Cut {
  readonly from: number
  readonly to: number
  /** The last version that both have; 0 for a log that was recreated. */
  readonly head: number
}

/** The history of one workspace. */
export interface History<Request> {
  readonly operations: readonly Operation<Request>[]
  /** In the order in which they happened. */
  readonly cuts: readonly Cut[]
}

/** The effect of a call on an immutable state. */
export interface Step<State> {
  readonly state: State
  readonly answer: string
  /** Whether a caller sees another state. */
  readonly changed: boolean
}

/** The semantics of the calls on one machine, one after the other. */
export interface Model<Request, State> {
  readonly beginning: State
  /** The first version, which comes into being by itself; before it there is nothing to write to. */
  readonly firstVersion: number
  apply(state: State, request: Request): Promise<Step<State>> | Step<State>
  /** Whether it may make a version although nothing changes, such as a change to what was there already. */
  mayWrite(request: Request, answer: string | undefined): boolean
  show(request: Request): string
}
