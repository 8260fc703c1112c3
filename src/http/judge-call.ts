// Judges a call: the stages in their order, and what becomes of a failure. Waits only where a stage does.
import { ApiError } from '../contract/errors.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { httpDate } from './http-date.ts'
import { errorOf } from './failure.ts'
import { ElsewhereError, type ServedCall } from './served-call.ts'
import { renderError } from './render-error.ts'
import type { Stage } from './stage.ts'
import { afterScenarios } from './scenarios/after-scenarios.ts'
import { delayAsPlanned, endAsPlanned, planScenarios, prepareScenarios } from './stages/apply-scenarios.ts'
import { authenticate, notAvailable } from './stages/authenticate.ts'
import { checkHeaders } from './stages/check-headers.ts'
import { handle, notSaved } from './stages/handle.ts'
import { matchRoute } from './stages/match-route.ts'
import { negotiateVersion } from './stages/negotiate-version.ts'
import { parseBody, receiveBody } from './stages/receive-body.ts'
import { refuseIdempotency } from './stages/refuse-idempotency.ts'
import { requireScope } from './stages/require-scope.ts'
import { selectProduct } from './stages/select-product.ts'
import { validate } from './stages/validate.ts'

/**
 * The stages in the order they run. The order decides much of the contract's behaviour:
 * what comes before `negotiateVersion` answers without `x-service-version` and everything after it with the version
 * (Versioning 4); `requireScope` stands before `validate` and `handle`, so that ids cannot be probed without the
 * scope (Authentication 4); and `validate` stands before the lookups in `handle`, so that a bad request to an
 * unknown id is a bad request.
 */
export const stages: readonly Stage[] = [
  preflight,
  authenticate,
  negotiateVersion,
  matchRoute,
  selectProduct,
  prepareScenarios,
  planScenarios,
  delayAsPlanned,
  endAsPlanned,
  requireScope,
  refuseIdempotency,
  checkHeaders,
  receiveBody,
  parseBody,
  validate,
  handle,
]

/** Where a call is judged from, and judged again when what it was judged by is gone while it waited. */
export const judging = stages.indexOf(authenticate)

/** Where a call that waited goes on, and where it goes when that failed. */
export interface Waits {
  goOn(next: number, call: ServedCall): void
  fail(error: unknown, call: ServedCall): void
}

/** Takes a call through the stages from one on; false for one that waits, which goes on by itself. */
export function judge(first: number, call: ServedCall, waits: Waits): boolean {
  try {
    return isAnswered(first, call, waits)
  } catch (error) {
    answerWith(error, call)
    return true
  }
}

function isAnswered(first: number, call: ServedCall, waits: Waits): boolean {
  for (let place = first; place < stages.length; place++) {
    const outcome = stages[place]?.run(call)
    if (outcome === undefined) continue
    if (outcome instanceof Promise) {
      outcome.then(
        () => waits.goOn(place + 1, call),
        (error: unknown) => waits.fail(error, call),
      )
      return false
    }
    if (typeof outcome !== 'function') return true
    outcome((error) => (error === undefined ? waits.goOn(place + 1, call) : waits.fail(error, call)))
    return false
  }
  throw new Error('no stage answered')
}

/** @throws {ElsewhereError} which is no failure of the call. */
export function answerWith(error: unknown, call: ServedCall): void {
  if (error instanceof ElsewhereError) throw error
  if (error instanceof ApiError) return renderError(error, call)
  if (error instanceof NotSavedError) {
    const { publicMessage: message, outcome } = error
    const failure = outcome === 'taken back' ? notSaved : notAvailable
    return renderError(errorOf(failure, call, { message }), call)
  }
  if (error instanceof UnusableError) {
    return renderError(errorOf(notAvailable, call, { message: error.brief }), call)
  }
  call.service.onBug(error, requestIdOf(call))
  renderError(new ApiError('INTERNAL_ERROR'), call)
}

/** A request is numbered where it is known whose it is; one without a usable key is numbered here, in `default`. */
function requestIdOf(call: ServedCall): string {
  if (call.outcome.id === '') call.enter(call.workspace)
  return call.outcome.id
}

/** What scenarios do once the call is judged. */
export function afterJudging(call: ServedCall): void {
  try {
    if (call.resolution.plan) afterScenarios(call)
  } catch (error) {
    answerWith(error, call)
  }
}

/** Adds the headers that every answer has. */
export function complete(call: ServedCall): void {
  const { outcome, resolution, workspace } = call
  requestIdOf(call)
  outcome.complete(resolution.version, resolution.restsOn.text, httpDate(workspace.clock.now()))
  addCorsHeaders(call)
}
