import { challenge, unusableKey } from '../../contract/credentials.ts'
import { ApiError } from '../../contract/errors.ts'
import { unsupportedVersion } from '../../contract/versions.ts'
import { wait } from '../../runtime/wait.ts'
import { UnknownScenarioError } from '../../scenarios/catalogue.ts'
import type { MatchedCall } from '../../scenarios/match.ts'
import type { Plan } from '../../scenarios/plan.ts'
import type { Rule } from '../../scenarios/scenario.ts'
import type { Answer } from '../answer.ts'
import { isLoss } from '../transport-faults.ts'
import { changeState } from '../change-state.ts'
import type { Exchange } from '../exchange.ts'
import { injectedError } from '../injected-error.ts'
import { parseJson } from '../parse-json.ts'
import { refusalOf } from './check-headers.ts'
import { takeBody } from './receive-body.ts'

export const scenarioHeader = 'x-sandbox-scenario'

/**
 * Finds out what the active scenarios do to this call, and does what comes before the handler. Stands after the
 * product, so that faults can be for one product, and before the scope, so that a fault looks like the service
 * failing. A call without active scenarios leaves at the first line.
 */
export function applyScenarios(exchange: Exchange): Answer | undefined | Promise<Answer | undefined> {
  const { endpoint, key, workspace, incoming } = exchange
  const header = incoming.headers[scenarioHeader]
  const engine = workspace.scenarios
  if (header === undefined && key?.scenarios === undefined && engine.active.length === 0) return undefined
  const { scenarioLibrary: library } = exchange.service
  // The files are read when a call first asks for one of them.
  if (!library.catalogue) return library.load().then(() => applyScenarios(exchange))
  if (!endpoint || !key) return undefined
  const rules = rulesOrRefusal(() => engine.rulesFor(endpoint, namesOf(header), key.scenarios ?? []))
  if (rules.length === 0) return undefined
  if (endpoint.body && rules.some((rule) => rule.when.body !== undefined)) return afterBody(exchange, rules)
  return decide(exchange, rules)
}

function namesOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function rulesOrRefusal(find: () => Rule[]): Rule[] {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof UnknownScenarioError)) throw error
    throw new ApiError('BAD_REQUEST_ERROR', { message: unknownScenario(error) })
  }
}

/** What a call is told whose header names a scenario that nobody knows. */
export function unknownScenario({ message }: UnknownScenarioError): string {
  return `${scenarioHeader}: ${message}`
}

/** A rule that looks at the body needs it early; what is wrong with it is still answered in its own place. */
async function afterBody(exchange: Exchange, rules: readonly Rule[]): Promise<Answer | undefined> {
  try {
    if (!refusalOf(exchange, (id) => exchange.service.assumptions[id])) await takeBody(exchange)
  } catch (error) {
    exchange.bodyFailure = error
  }
  return decide(exchange, rules)
}

/** Matching, counting and noting are one synchronous step: calls at the same time use up exactly what they should. */
function decide(
  exchange: Exchange,
  rules: readonly Rule[],
): Answer | undefined | Promise<Answer | undefined> {
  const { endpoint, version, service, workspace } = exchange
  if (!endpoint || version === undefined) return undefined
  const plan = workspace.scenarios.plan(rules, matchedCall(exchange), {
    endpoint,
    version,
    environment: service.environment,
  })
  exchange.plan = plan
  exchange.scopes = exchange.scopes.filter((scope) => !plan.missingScopes.includes(scope))
  if (plan.latency === 0) return endingOf(exchange, plan)
  return wait(plan.latency, exchange.incoming.gone(), service.closing).then(() => endingOf(exchange, plan))
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
function readableBody({ bytes, service }: Exchange): unknown {
  if (bytes === undefined) return undefined
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
  if (ending.kind !== 'transport') changeState(exchange, 'before')
  switch (ending.kind) {
    case 'error':
      throw error
    case 'unauthenticated':
      exchange.version = undefined
      throw new ApiError('UNAUTHORIZED_ERROR', {
        message: unusableKey,
        headers: { 'www-authenticate': challenge },
      })
    case 'unsupported_version': {
      const message = unsupportedVersion(exchange.version ?? '', ending.supported)
      exchange.version = undefined
      throw new ApiError('BAD_REQUEST_ERROR', { message })
    }
    case 'respond': {
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
    case 'transport': {
      if (ending.at === 'after' || !isLoss(ending.fault)) return undefined
      changeState(exchange, 'before')
      return { status: 200, headers: {}, body: null, fault: ending.fault }
    }
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
