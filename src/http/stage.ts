// A stage: one step of a call, with the failures that it can answer with.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Answer } from '../call/outcome.ts'
import type { Failure } from './failure.ts'
import type { ServedCall } from './served-call.ts'

export interface Stage {
  /** The failures for calls of an endpoint, in the order of the checks. Undefined stands for calls of no endpoint. */
  failures?(endpoint: Endpoint | undefined, values: Assumptions): readonly Failure[]
  /** Answers, or saves its result in the call, or throws an ApiError. The next stage waits for its promise. */
  run(call: ServedCall): Answer | undefined | void | Promise<unknown>
}
