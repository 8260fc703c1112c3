// Answers a request: opens its workspace, runs its stages there, and waits until what it wrote or saw is persisted.
import type { Call } from '../call/index.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { isElsewhere } from '../workspaces/storage.ts'
import { TooManyWorkspacesError } from '../workspaces/workspaces.ts'
import { applyAfterEffects, complete } from './complete-call.ts'
import { addCorsHeaders } from './cors.ts'
import { errorOf } from './failure.ts'
import { httpDate } from './http-date.ts'
import { openWorkspaceOf } from './open-workspace.ts'
import { notifyAnswer, recordCall } from './record-call.ts'
import { renderError } from './render-error.ts'
import { answerFailure, runStages } from './run-stages.ts'
import type { ServedCall } from './served-call.ts'
import { notAvailable } from './stages/authenticate.ts'
import { stages } from './stages/index.ts'

/** How often a read runs again because its workspace was lost. */
const maxLosses = 3

/** An error that replaces the answer of the stages. */
interface Thrown {
  thrown: unknown
}

/**
 * Answers a request. Records it once its writes are persisted, just before the answer may leave.
 *
 * @returns the call itself if nothing waits; in all other cases a promise. It rejects for a bug of the sandbox only.
 */
export function answerCall(call: ServedCall): Call | Promise<Call> {
  const opening = openWorkspaceOf(call)
  if (!opening) return run(call, 0)
  return opening.then(
    () => run(call, 0),
    (error: unknown) => answerClosed(call, error),
  )
}

/** Answers a request that must not run with an error. It belongs to workspace `default`, whatever its key names. */
export function answerRefused(call: ServedCall, thrown: unknown): Call {
  answerFailure(thrown, call)
  complete(call)
  // Only its number is persisted, which the answer does not wait for.
  call.workspace.saver?.saved()?.catch(() => undefined)
  return record(call)
}

/**
 * Runs the stages from one of them. While a call waits, a reset, a restored snapshot or an upload may replace the rows,
 * its key may be changed or deleted, and this process may lose the workspace. The call then runs again, as if it had
 * come later: it never combines the rights of the old state with the rows of the new.
 */
function run(call: ServedCall, from: number, failed?: Thrown): Call | Promise<Call> {
  if (from > 0 && call.isOutdated) return answerCall(call.retry())
  if (failed) answerFailure(failed.thrown, call)
  const pause = failed ? undefined : runStages(call, stages, from)
  if (!pause) return finish(call)
  return pause.ready.then(
    () => run(call, pause.next),
    (thrown: unknown) => run(call, 0, { thrown }),
  )
}

/** Completes a call, and lets its answer leave once everything that it wrote or saw is persisted. */
function finish(call: ServedCall): Call | Promise<Call> {
  applyAfterEffects(call)
  complete(call)
  const saving = call.workspace.saver?.saved()
  if (!saving) return leave(call)
  return saving.then(
    () => leave(call),
    (error: unknown) => (call.wrote ? answerUnsaved(call, error) : answerCall(call.retry())),
  )
}

function leave(call: ServedCall): Call | Promise<Call> {
  const { workspaces } = call.service
  if (workspaces.ownership && call.resolution.key) {
    try {
      workspaces.requireCurrent(call.workspace)
    } catch (error) {
      // Its rows may be outdated, or its writes be lost.
      call.retryState.losses += 1
      const isOver = call.wrote || call.retryState.losses > maxLosses
      return isOver ? answerUnsaved(call, error) : answerCall(call.retry())
    }
  }
  const early = call.wrote ? call.workspace.outbox?.deliverEarly(call.outcome.id) : undefined
  return early ? early.then(() => record(call)) : record(call)
}

function record(call: ServedCall): Call {
  const recorded = recordCall(call)
  if (call.wrote) call.workspace.outbox?.schedule()
  return recorded
}

/** Answers a call whose writes are not persisted, or may not be. */
function answerUnsaved(call: ServedCall, error: unknown): Call {
  if (isElsewhere(error)) return refuse(call, error)
  return answerRefused(call, error)
}

/** Answers a call whose workspace could not be opened. */
function answerClosed(call: ServedCall, error: unknown): Call {
  if (error instanceof TooManyWorkspacesError && !call.client.workspace)
    return answerRefused(call, errorOf(notAvailable, call, { message: error.message }))
  if (isElsewhere(error) || error instanceof TooManyWorkspacesError) return refuse(call, error)
  if (error instanceof UnusableError) return answerRefused(call, error)
  throw error
}

/** Refuses the call as if its key was never looked up, and discards the results of the stages. */
function refuse(failed: ServedCall, { message }: Error): Call {
  failed.retryState.requestId = ''
  const call = failed.retry()
  const { service, outcome, resolution } = call
  renderError(errorOf(notAvailable, call, { message }), call)
  outcome.complete(undefined, resolution.restsOn.text, httpDate(service.workspaces.default.clock.now()))
  addCorsHeaders(call)
  call.end()
  service.recorder.metrics.count(call)
  notifyAnswer(call)
  return call
}
