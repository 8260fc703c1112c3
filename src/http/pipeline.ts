// The pipeline: the stages of a request in their order, judging a call again, and the headers of every answer.
import { ApiError } from '../contract/errors.ts'
import { versionHeader } from '../contract/versions.ts'
import { NotSavedError } from '../workspaces/keeper.ts'
import { addCorsHeaders, preflight } from './cors.ts'
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
 * Takes a request through the stages. Waits only where a stage does, such as where a body is received.
 *
 * A reset, a restored snapshot or an upload may put another state in place meanwhile, and a key may be changed or
 * deleted. The call is then judged again, as if it had come later: it sees all of the old state or all of the new,
 * never the rights of one and the rows of the other. From the last wait to the commit nothing waits, so there is no
 * gap left.
 */
export function answer(exchange: OpenExchange): Promise<void> | undefined {
  return runFrom(0, exchange)
}

function runFrom(first: number, exchange: OpenExchange): Promise<void> | undefined {
  try {
    for (let place = first; place < stages.length; place++) {
      const outcome = stages[place]?.run(exchange)
      if (outcome === undefined) continue
      if (outcome instanceof Promise) {
        return outcome.then(
          () => goOn(place + 1, exchange),
          (error: unknown) => fail(error, exchange),
        )
      }
      return finish(exchange)
    }
    throw new Error('no stage answered')
  } catch (error) {
    return fail(error, exchange)
  }
}

function goOn(next: number, exchange: OpenExchange): Promise<void> | undefined {
  if (!exchange.isOutdated) return runFrom(next, exchange)
  exchange.startOver()
  return runFrom(judging, exchange)
}

function fail(error: unknown, exchange: OpenExchange): Promise<void> | undefined {
  answerWith(error, exchange)
  return finish(exchange)
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
function finish(exchange: OpenExchange): Promise<void> | undefined {
  try {
    if (exchange.found.plan) afterScenarios(exchange)
  } catch (error) {
    answerWith(error, exchange)
  }
  const saving = exchange.wrote ? exchange.workspace.keeper?.saved() : undefined
  if (saving === undefined) return complete(exchange)
  return saving.then(
    () => complete(exchange),
    (error: unknown) => {
      answerWith(error, exchange)
      complete(exchange)
    },
  )
}

/** Adds the headers that every answer has. */
function complete(exchange: OpenExchange): undefined {
  const { headers } = exchange.became
  const { version, restsOn } = exchange.found
  if (version !== undefined) headers[versionHeader] = version
  headers['x-sandbox-request-id'] = requestIdOf(exchange)
  if (restsOn.text !== '') headers['x-sandbox-assumptions'] = restsOn.text
  headers['date'] = httpDate(exchange.workspace.clock.now())
  addCorsHeaders(exchange)
}
