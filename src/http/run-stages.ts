// Runs the stages of a call in order, and renders the errors that they throw. Returns a pause if a stage waits.
import { ApiError } from '../contract/errors.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { NotSavedError } from '../workspaces/saver.ts'
import { errorOf } from './failure.ts'
import { renderError } from './render-error.ts'
import type { ServedCall } from './served-call.ts'
import type { Stage } from './stage.ts'
import { notAvailable } from './stages/authenticate.ts'
import { notSaved } from './stages/handle.ts'

/** A stage waits: its promise, and the index of the next stage. */
export interface Pause {
  ready: Promise<unknown>
  next: number
}

/**
 * Runs the stages on a call in order, until one answers or waits. An error that a stage throws becomes the answer.
 *
 * @param from the index of the first stage to run.
 * @returns undefined for a call that is answered; a pause for a call that continues at `next` once `ready` settles.
 * @example const pause = runStages(call, [authenticate, negotiateVersion, matchRoute])
 */
export function runStages(call: ServedCall, stages: readonly Stage[], from = 0): Pause | undefined {
  try {
    for (let index = from; index < stages.length; index++) {
      const result = stages[index]?.run(call)
      if (result instanceof Promise) return { ready: result, next: index + 1 }
      if (result !== undefined) return undefined
    }
    throw new Error('no stage answered')
  } catch (error) {
    answerFailure(error, call)
    return undefined
  }
}

/** Answers a call with an error. */
export function answerFailure(error: unknown, call: ServedCall): void {
  if (error instanceof ApiError) return renderError(error, call)
  if (error instanceof NotSavedError) {
    const { publicMessage: message, outcome } = error
    const failure = outcome === 'rolled back' ? notSaved : notAvailable
    return renderError(errorOf(failure, call, { message }), call)
  }
  if (error instanceof UnusableError) {
    return renderError(errorOf(notAvailable, call, { message: error.brief }), call)
  }
  call.service.onBug(error, requestIdOf(call))
  renderError(new ApiError('INTERNAL_ERROR'), call)
}

/** The request id of a call. A call without a usable key gets it only here, in `default`. */
export function requestIdOf(call: ServedCall): string {
  if (call.outcome.id === '') call.enter(call.workspace)
  return call.outcome.id
}
