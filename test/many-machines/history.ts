/** What the clients of one object saw, in the terms of the checker. */

/** One call as its client saw it. */
export interface Operation<Request> {
  readonly started: number
  readonly ended: number
  readonly request: Request
  /** Undefined if its outcome is unknown: a process may have executed it, or may still do so. */
  readonly answer: string | undefined
}

/** A call with an answer. */
export type Answered<Request> = Operation<Request> & { readonly answer: string }

/** The semantics of the calls on one machine, one after the other. */
export interface Model<Request, State> {
  readonly beginning: State
  apply(state: State, request: Request): { readonly state: State; readonly answer: string }
}
