// A stage: one step of a call, with the failures that it can answer with.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Answer } from '../call/outcome.ts'
import type { Failure } from './failure.ts'
import type { ServedCall } from './served-call.ts'

export interface Stage {
  /** What it can refuse calls of an endpoint for, or calls that are for none, in the order in which it looks. */
  failures?(endpoint: Endpoint | undefined, values: Assumptions): readonly Failure[]
  /** Answers, or notes what it found out in the call, or throws an ApiError. The next stage waits for its promise. */
  run(call: ServedCall): Answer | undefined | void | Promise<unknown>
}
