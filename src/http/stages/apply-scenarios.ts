// What scenarios do to a call before its handler: matching rules, latency (delay), and endings in place of an answer.
import { ApiError } from '../../contract/errors.ts'
import { wait } from '../../runtime/wait.ts'
import { stringify } from '../../json/stringify.ts'
import { UnknownScenarioError, UnusableScenarioError } from '../../scenarios/catalogue.ts'
import { isLoss } from '../../scenarios/consequences.ts'
import type { MatchedCall } from '../../scenarios/match.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { rulesFor, scenarioHeader, type Scenario } from '../../scenarios/scenario.ts'
import type { Answer } from '../../exchange/became.ts'
import { changeState } from '../scenarios/change-state.ts'
import type { OpenExchange } from '../open-exchange.ts'
import { injectedError } from '../scenarios/injected-error.ts'
import { parseJson } from '../body/parse-json.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'
import { refusalOf } from './check-headers.ts'
import { lateRefusal, takeBody, takeEarlyBody } from './receive-body.ts'

const unknownScenario: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'unknown_scenario',
  on: `${scenarioHeader} names a scenario that nobody knows, or that needs a version which is not served.`,
  example: () => refusalOfName(new UnknownScenarioError('rate-limit', ['rate-limited'])),
}

function refusalOfName({ message }: Error): string {
  return `${scenarioHeader}: ${message}`
}

/**
 * Gets ready what scenarios need to decide: their files, which are read when a call first asks for one, and the body,
 * where a rule looks at it. A call without active scenarios leaves at the first lines. Decides nothing itself, as the
 * scenarios may be others by the time that the body is there.
 */
export const prepareScenarios: Stage = {
  run(exchange) {
    if (!isForScenarios(exchange)) return undefined
    const { scenarioLibrary: library } = exchange.service
    if (!library.catalogue) return library.load().then(() => receiveForRules(exchange))
    return receiveForRules(exchange)
  },
}

/**
 * Finds out what the active scenarios do to this call. Stands after the product, so that faults can be for one
 * product, and before the scope, so that a fault looks like the service failing.
 *
 * Matching, counting and noting are one synchronous step: calls at the same time use up exactly what they should.
 */
export const planScenarios: Stage = {
  failures: () => [unknownScenario],
  run(exchange) {
    const { round } = exchange.workspace.scenarios
    // A call that is judged again was counted before, unless a reset has forgotten that: then it counts from the start.
    if (exchange.counted?.round !== round) {
      const plan = matchAndCount(exchange)
      exchange.counted = plan && { round, plan }
    }
    if (!exchange.counted) return
    const { plan } = exchange.counted
    const { found } = exchange
    found.plan = plan
    found.scopes = found.scopes.filter((scope) => !plan.missingScopes.includes(scope))
  },
}

function matchAndCount(exchange: OpenExchange): Plan | undefined {
  const { found, service, workspace } = exchange
  const { endpoint } = exchange.received
  const { version } = found
  if (!endpoint || version === undefined || !isForScenarios(exchange)) return undefined
  found.scenarios = scenariosFor(exchange)
  const rules = rulesFor(found.scenarios, endpoint)
  if (rules.length === 0) return undefined
  const { environment } = service
  return workspace.scenarios.plan(rules, matchedCall(exchange), { endpoint, version, environment })
}

/** Waits as long as scenarios say, once; ends early when the client or the sandbox is gone. */
export const delayAsPlanned: Stage = {
  run(exchange) {
    const latency = exchange.found.plan?.latency ?? 0
    if (latency === 0 || exchange.delayed) return undefined
    exchange.delayed = true
    return wait(latency, exchange.caller.gone(), exchange.service.closing).then(() => undefined)
  },
}

export const endAsPlanned: Stage = {
  run(exchange) {
    const { plan } = exchange.found
    return plan && endingOf(exchange, plan)
  },
}

function isForScenarios({ headers, found, workspace }: OpenExchange): boolean {
  return (
    headers[scenarioHeader] !== undefined ||
    found.key?.scenarios !== undefined ||
    workspace.scenarios.active.length > 0
  )
}

/** @throws {ApiError} for a name in the header that nobody knows or this environment cannot use. */
function scenariosFor(exchange: OpenExchange): Scenario[] {
  const { headers, found, workspace } = exchange
  try {
    return workspace.scenarios.scenariosFor(namesOf(headers[scenarioHeader]), found.key?.scenarios ?? [])
  } catch (error) {
    if (error instanceof UnknownScenarioError || error instanceof UnusableScenarioError) {
      throw errorOf(unknownScenario, exchange, { message: refusalOfName(error) })
    }
    throw error
  }
}

function namesOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** A rule that looks at the body needs it early; what is wrong with it is still answered in its own place. */
function receiveForRules(exchange: OpenExchange): Promise<void> | undefined {
  const { endpoint } = exchange.received
  if (!endpoint?.body || (exchange.bodyTaken && !exchange.early)) return undefined
  if (rulesFor(scenariosFor(exchange), endpoint).every((rule) => rule.when.body === undefined))
    return undefined
  if (refusalOf(exchange, (id) => exchange.service.assumptions[id])) return undefined
  if (takeEarlyBody(exchange)) return undefined
  return new Promise((resolve) => {
    takeBody(exchange, (error) => {
      exchange.bodyFailure = error
      resolve()
    })
  })
}

function matchedCall(exchange: OpenExchange): MatchedCall {
  const { caller, found, service } = exchange
  const { endpoint, params, query: sent } = exchange.received
  const { key, product } = found
  const query = new URLSearchParams(sent)
  return {
    operation: endpoint?.id ?? '',
    params,
    query: (name) => {
      // Rules name parameters as they are declared; an assumption may have clients call them otherwise.
      const nameFrom = endpoint?.query[name]?.nameFrom
      return query.getAll(nameFrom ? service.assumptions[nameFrom] : name)
    },
    header: (name) => caller.header(name),
    body: readableBody(exchange),
    key: { id: key?.id ?? '', api_key: key?.api_key ?? '' },
    product: product?.merchant_key ?? '',
  }
}

/** The body as the service will read it; one that it cannot read fits no rule. */
function readableBody(exchange: OpenExchange): unknown {
  const { received, service } = exchange
  const { body } = received
  if (body === undefined || lateRefusal(exchange, (id) => service.assumptions[id])) return undefined
  try {
    return parseJson(body, (id) => service.assumptions[id], service.assumptions)
  } catch {
    return undefined
  }
}

/** Answers at once where the plan ends the call here. */
function endingOf(exchange: OpenExchange, plan: Plan): Answer | undefined {
  const { found, became } = exchange
  const { ending } = plan
  if (ending === undefined) return undefined
  const error = ending.kind === 'error' ? injectedError(exchange, ending) : undefined
  // Where the handler answers after all, what is to change before it changes there.
  if (ending.kind === 'error' && !error) return undefined
  if (ending.kind !== 'fault') changeState(exchange, 'before')
  switch (ending.kind) {
    case 'error':
      throw error
    case 'refusal':
      found.version = undefined
      throw new ApiError(ending.type, ending.about)
    case 'answer': {
      // Whoever answers in place of the service, such as a gateway, knows nothing of its versions.
      found.version = undefined
      const { status, headers, body } = ending
      const text = body === undefined ? null : typeof body === 'string' ? body : stringify(body)
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      const asked = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
      const sent = Object.fromEntries(text === null ? asked : [['content-type', type] as const, ...asked])
      return became.answer(status, sent, status === 204 || status === 304 ? null : text)
    }
    case 'fault': {
      if (ending.at === 'after' || !isLoss(ending.fault)) return undefined
      changeState(exchange, 'before')
      return became.answer(200, {}, null, ending.fault)
    }
  }
}
