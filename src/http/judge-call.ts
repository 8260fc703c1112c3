// Judges a call: the stages in their order, and what becomes of a failure. Waits only where a stage does.
import { ApiError } from '../contract/errors.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { httpDate } from './http-date.ts'
import { errorOf } from './failure.ts'
import { ElsewhereError, type OpenExchange } from './open-exchange.ts'
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
  goOn(next: number, exchange: OpenExchange): void
  fail(error: unknown, exchange: OpenExchange): void
}

/** Takes a call through the stages from one on; false for one that waits, which goes on by itself. */
export function judge(first: number, exchange: OpenExchange, waits: Waits): boolean {
  try {
    return isAnswered(first, exchange, waits)
  } catch (error) {
    answerWith(error, exchange)
    return true
  }
}

function isAnswered(first: number, exchange: OpenExchange, waits: Waits): boolean {
  for (let place = first; place < stages.length; place++) {
    const outcome = stages[place]?.run(exchange)
    if (outcome === undefined) continue
    if (outcome instanceof Promise) {
      outcome.then(
        () => waits.goOn(place + 1, exchange),
        (error: unknown) => waits.fail(error, exchange),
      )
      return false
    }
    if (typeof outcome !== 'function') return true
    outcome((error) => (error === undefined ? waits.goOn(place + 1, exchange) : waits.fail(error, exchange)))
    return false
  }
  throw new Error('no stage answered')
}

/** @throws {ElsewhereError} which is no failure of the call. */
export function answerWith(error: unknown, exchange: OpenExchange): void {
  if (error instanceof ElsewhereError) throw error
  if (error instanceof ApiError) return renderError(error, exchange)
  if (error instanceof NotSavedError) {
    const { publicMessage: message, outcome } = error
    const failure = outcome === 'taken back' ? notSaved : notAvailable
    return renderError(errorOf(failure, exchange, { message }), exchange)
  }
  if (error instanceof UnusableError) {
    return renderError(errorOf(notAvailable, exchange, { message: error.brief }), exchange)
  }
  exchange.service.onBug(error, requestIdOf(exchange))
  renderError(new ApiError('INTERNAL_ERROR'), exchange)
}

/** A request is numbered where it is known whose it is; one without a usable key is numbered here, in `default`. */
function requestIdOf(exchange: OpenExchange): string {
  if (exchange.became.id === '') exchange.enter(exchange.workspace)
  return exchange.became.id
}

/** What scenarios do once the call is judged. */
export function afterJudging(exchange: OpenExchange): void {
  try {
    if (exchange.found.plan) afterScenarios(exchange)
  } catch (error) {
    answerWith(error, exchange)
  }
}

/** Adds the headers that every answer has. */
export function complete(exchange: OpenExchange): void {
  const { became, found, workspace } = exchange
  requestIdOf(exchange)
  became.complete(found.version, found.restsOn.text, httpDate(workspace.clock.now()))
  addCorsHeaders(exchange)
}
