// What a stage of the pipeline is: a step of a request, with the failures that it can answer with.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Answer } from '../call/outcome.ts'
import type { Failure } from './failure.ts'
import type { ServedCall } from './served-call.ts'

export interface Stage {
  /** What it can refuse calls of an endpoint for, or calls that are for none, in the order in which it looks. */
  failures?(endpoint: Endpoint | undefined, values: Assumptions): readonly Failure[]
  /** It answers, or it leaves what it found out in the call, or it throws an ApiError. */
  run(call: ServedCall): Answer | Wait | undefined | void | Promise<void>
}

/**
 * What a stage waits for, where a promise for it and those that follow from that would cost a call 2 µs: told what is
 * to be done when it is there, or failed.
 */
export type Wait = (there: (error?: unknown) => void) => void
