// The pipeline: the stages of a request in their order, judging a call again, and the headers of every answer.
import { ApiError } from '../contract/errors.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { addCorsHeaders, preflight } from './cors.ts'
import { deliver } from './deliver.ts'
import { httpDate } from './http-date.ts'
import { errorOf } from './failure.ts'
import type { OpenExchange } from './open-exchange.ts'
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
const judging = stages.indexOf(authenticate)

/**
 * Takes a request through the stages, and delivers its answer. Waits only where a stage does, such as where a body is
 * received; one that need not wait is answered before this returns, which spares every read a turn of the event loop.
 *
 * A reset, a restored snapshot or an upload may put another state in place meanwhile, and a key may be changed or
 * deleted. The call is then judged again, as if it had come later: it sees all of the old state or all of the new,
 * never the rights of one and the rows of the other. From the last wait to the commit nothing waits, so there is no
 * gap left.
 */
export function answer(exchange: OpenExchange): void {
  runFrom(0, exchange)
}

function runFrom(first: number, exchange: OpenExchange): void {
  try {
    if (!isAnswered(first, exchange)) return
  } catch (error) {
    answerWith(error, exchange)
  }
  finish(exchange)
}

/** False for a call that waits: it goes on by itself. */
function isAnswered(first: number, exchange: OpenExchange): boolean {
  for (let place = first; place < stages.length; place++) {
    const outcome = stages[place]?.run(exchange)
    if (outcome === undefined) continue
    if (outcome instanceof Promise) {
      outcome.then(
        () => goOn(place + 1, exchange),
        (error: unknown) => fail(error, exchange),
      )
      return false
    }
    if (typeof outcome !== 'function') return true
    outcome((error) => (error === undefined ? goOn(place + 1, exchange) : fail(error, exchange)))
    return false
  }
  throw new Error('no stage answered')
}

function goOn(next: number, exchange: OpenExchange): void {
  if (!exchange.isOutdated) return runFrom(next, exchange)
  exchange.startOver()
  runFrom(judging, exchange)
}

function fail(error: unknown, exchange: OpenExchange): void {
  answerWith(error, exchange)
  finish(exchange)
}

function answerWith(error: unknown, exchange: OpenExchange): void {
  if (error instanceof ApiError) return renderError(error, exchange)
  if (error instanceof NotSavedError) {
    const { message, outcome } = error
    const failure = outcome === 'taken back' ? notSaved : notAvailable
    return renderError(errorOf(failure, exchange, { message }), exchange)
  }
  exchange.service.onBug(error, requestIdOf(exchange))
  renderError(new ApiError('INTERNAL_ERROR'), exchange)
}

/** A request is numbered where it is known whose it is; one without a usable key is numbered here, in `default`. */
function requestIdOf(exchange: OpenExchange): string {
  if (exchange.became.id === '') exchange.enter(exchange.workspace)
  return exchange.became.id
}

/** Ends a call, once what it wrote is kept; also when its answer is then lost on purpose. */
function finish(exchange: OpenExchange): void {
  try {
    if (exchange.found.plan) afterScenarios(exchange)
  } catch (error) {
    answerWith(error, exchange)
  }
  const saving = exchange.wrote ? exchange.workspace.keeper?.saved() : undefined
  if (saving === undefined) return complete(exchange)
  saving.then(
    () => complete(exchange),
    (error: unknown) => {
      answerWith(error, exchange)
      complete(exchange)
    },
  )
}

/** Adds the headers that every answer has, and lets it go. */
function complete(exchange: OpenExchange): void {
  const { became, found, workspace } = exchange
  requestIdOf(exchange)
  became.complete(found.version, found.restsOn.text, httpDate(workspace.clock.now()))
  addCorsHeaders(exchange)
  deliver(exchange)
}
