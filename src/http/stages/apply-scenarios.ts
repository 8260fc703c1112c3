import { ApiError } from '../../contract/errors.ts'
import { wait } from '../../runtime/wait.ts'
import { UnknownScenarioError } from '../../scenarios/catalogue.ts'
import type { MatchedCall } from '../../scenarios/match.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { rulesFor, scenarioHeader, type Scenario } from '../../scenarios/scenario.ts'
import type { Answer } from '../answer.ts'
import { isLoss } from '../scenarios/transport-faults.ts'
import { changeState } from '../scenarios/change-state.ts'
import type { Exchange } from '../exchange.ts'
import { injectedError } from '../scenarios/injected-error.ts'
import { parseJson } from '../body/parse-json.ts'
import { refusalOf } from './check-headers.ts'
import { lateRefusal, takeBody } from './receive-body.ts'

/**
 * Gets ready what scenarios need to decide: their files, which are read when a call first asks for one, and the body,
 * where a rule looks at it. A call without active scenarios leaves at the first lines. Decides nothing itself, as the
 * scenarios may be others by the time that the body is there.
 */
export function prepareScenarios(exchange: Exchange): Promise<void> | undefined {
  if (!isForScenarios(exchange)) return undefined
  const { scenarioLibrary: library } = exchange.service
  if (!library.catalogue) return library.load().then(() => receiveForRules(exchange))
  return receiveForRules(exchange)
}

/**
 * Finds out what the active scenarios do to this call. Stands after the product, so that faults can be for one
 * product, and before the scope, so that a fault looks like the service failing.
 *
 * Matching, counting and noting are one synchronous step: calls at the same time use up exactly what they should.
 */
export function planScenarios(exchange: Exchange): void {
  const { round } = exchange.workspace.scenarios
  // A call that is judged again was counted before, unless a reset has forgotten that: then it counts from the start.
  if (exchange.counted?.round !== round) {
    const plan = matchAndCount(exchange)
    exchange.counted = plan && { round, plan }
  }
  if (!exchange.counted) return
  const { plan } = exchange.counted
  exchange.plan = plan
  exchange.scopes = exchange.scopes.filter((scope) => !plan.missingScopes.includes(scope))
}

function matchAndCount(exchange: Exchange): Plan | undefined {
  const { endpoint, version, service, workspace } = exchange
  if (!endpoint || version === undefined || !isForScenarios(exchange)) return undefined
  exchange.scenarios = scenariosFor(exchange)
  const rules = rulesFor(exchange.scenarios, endpoint)
  if (rules.length === 0) return undefined
  const { environment } = service
  return workspace.scenarios.plan(rules, matchedCall(exchange), { endpoint, version, environment })
}

/** Waits as long as scenarios say, once; ends early when the client or the sandbox is gone. */
export function delayAsPlanned(exchange: Exchange): Promise<void> | undefined {
  const latency = exchange.plan?.latency ?? 0
  if (latency === 0 || exchange.delayed) return undefined
  exchange.delayed = true
  return wait(latency, exchange.incoming.gone(), exchange.service.closing).then(() => undefined)
}

/** Answers here where the plan ends the call before its handler. */
export function endAsPlanned(exchange: Exchange): Answer | undefined {
  return exchange.plan && endingOf(exchange, exchange.plan)
}

function isForScenarios({ incoming, key, workspace }: Exchange): boolean {
  return (
    incoming.headers[scenarioHeader] !== undefined ||
    key?.scenarios !== undefined ||
    workspace.scenarios.active.length > 0
  )
}

/** @throws {ApiError} for a name in the header that nobody knows. */
function scenariosFor({ key, workspace, incoming }: Exchange): Scenario[] {
  try {
    return workspace.scenarios.scenariosFor(namesOf(incoming.headers[scenarioHeader]), key?.scenarios ?? [])
  } catch (error) {
    if (!(error instanceof UnknownScenarioError)) throw error
    throw new ApiError('BAD_REQUEST_ERROR', { message: unknownScenario(error) })
  }
}

function namesOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** What a call is told whose header names a scenario that nobody knows. */
export function unknownScenario({ message }: UnknownScenarioError): string {
  return `${scenarioHeader}: ${message}`
}

/** A rule that looks at the body needs it early; what is wrong with it is still answered in its own place. */
function receiveForRules(exchange: Exchange): Promise<void> | undefined {
  const { endpoint } = exchange
  if (!endpoint?.body || exchange.bodyTaken) return undefined
  if (rulesFor(scenariosFor(exchange), endpoint).every((rule) => rule.when.body === undefined))
    return undefined
  if (refusalOf(exchange, (id) => exchange.service.assumptions[id])) return undefined
  return takeBody(exchange).catch((error: unknown) => {
    exchange.bodyFailure = error
  })
}

function matchedCall(exchange: Exchange): MatchedCall {
  const { incoming, endpoint, key, product, service } = exchange
  const query = new URLSearchParams(incoming.query)
  return {
    operation: endpoint?.id ?? '',
    params: incoming.params,
    query: (name) => {
      // Rules name parameters as they are declared; an assumption may have clients call them otherwise.
      const nameFrom = endpoint?.query[name]?.nameFrom
      return query.getAll(nameFrom ? service.assumptions[nameFrom] : name)
    },
    header: (name) => incoming.header(name),
    body: readableBody(exchange),
    key: { id: key?.id ?? '', api_key: key?.api_key ?? '' },
    product: product?.merchant_key ?? '',
  }
}

/** The body as the service will read it; one that it cannot read fits no rule. */
function readableBody(exchange: Exchange): unknown {
  const { bytes, service } = exchange
  if (bytes === undefined || lateRefusal(exchange, (id) => service.assumptions[id])) return undefined
  try {
    return parseJson(bytes, (id) => service.assumptions[id], service.assumptions)
  } catch {
    return undefined
  }
}

/** Answers at once where the plan ends the call here. */
function endingOf(exchange: Exchange, plan: Plan): Answer | undefined {
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
      exchange.version = undefined
      throw new ApiError(ending.type, ending.about)
    case 'answer': {
      // Whoever answers in place of the service, such as a gateway, knows nothing of its versions.
      exchange.version = undefined
      const { status, headers, body } = ending
      const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      return {
        status,
        headers: { ...(text === null ? {} : { 'content-type': type }), ...lowerCase(headers) },
        body: status === 204 || status === 304 ? null : text,
      }
    }
    case 'fault': {
      if (ending.at === 'after' || !isLoss(ending.fault)) return undefined
      changeState(exchange, 'before')
      return { status: 200, headers: {}, body: null, fault: ending.fault }
    }
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
