// Applies scenarios to a call before its handler: matches rules, delays (latency), and ends the call with an error, a
// fault or an answer.
import { ApiError } from '../../contract/errors.ts'
import { wait } from '../../runtime/wait.ts'
import { stringify } from '../../json/stringify.ts'
import { UnknownScenarioError, UnusableScenarioError } from '../../scenarios/catalogue.ts'
import { isLoss } from '../../scenarios/consequences.ts'
import type { MatchedCall } from '../../scenarios/match.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { rulesFor, type ActiveScenarios } from '../../scenarios/engine.ts'
import { scenarioHeader } from '../../scenarios/scenario.ts'
import type { Answer } from '../../call/outcome.ts'
import { changeState } from '../scenarios/change-state.ts'
import type { ServedCall } from '../served-call.ts'
import { injectedError } from '../scenarios/injected-error.ts'
import { parseJson } from '../body/parse-json.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { Stage } from '../stage.ts'
import { refusalOf } from './check-headers.ts'
import { lateRefusal, readReceived, receive } from './receive-body.ts'

const unknownScenario: Failure = {
  type: 'BAD_REQUEST_ERROR',
  name: 'unknown_scenario',
  ofSandbox: true,
  on: `${scenarioHeader} names an unknown scenario, or one that needs an unavailable version.`,
  example: () => refusalOfName(new UnknownScenarioError('rate-limit', ['rate-limited'])),
}

function refusalOfName({ message }: Error): string {
  return `${scenarioHeader}: ${message}`
}

/**
 * Loads the scenario files when a call first requests a scenario, and the body if a rule matches bodies. Calls without
 * active scenarios return at the first line. This stage matches no rules, as the active scenarios may change before the
 * body arrives.
 */
export const prepareScenarios: Stage = {
  run(call) {
    if (!isForScenarios(call)) return undefined
    const { scenarioLibrary: library } = call.service
    if (!library.catalogue) return library.load().then(() => receiveForRules(call))
    return receiveForRules(call)
  },
}

/**
 * Plans the effects of the active scenarios on this call. It runs after the product is selected, so that faults can be
 * for one product, and before the scope check, so that a fault looks like a failure of the service.
 *
 * Matching and counting are one synchronous step, so that concurrent calls use up the counts exactly.
 */
export const planScenarios: Stage = {
  failures: () => [unknownScenario],
  run(call) {
    const { round } = call.workspace.scenarios
    const { resolution, retryState } = call
    // A retry does not count again, unless the counts were reset meanwhile.
    if (retryState.counted?.round !== round) {
      const counted = matchAndCount(call)
      retryState.counted = counted && { round, ...counted }
    }
    if (!retryState.counted) return
    const { active, plan } = retryState.counted
    resolution.scenarios = [...active.keys()]
    if (!plan) return
    resolution.plan = plan
    resolution.scopes = resolution.scopes.filter((scope) => !plan.missingScopes.includes(scope))
  },
}

/** Returns undefined if no scenario is active. */
function matchAndCount(call: ServedCall): { active: ActiveScenarios; plan: Plan | undefined } | undefined {
  const { resolution, service, workspace } = call
  const { endpoint } = call.request
  const { version } = resolution
  if (!endpoint || version === undefined || !isForScenarios(call)) return undefined
  const active = scenariosFor(call)
  const rules = rulesFor(active, endpoint)
  if (rules.length === 0) return { active, plan: undefined }
  const { environment } = service
  const plan = workspace.scenarios.plan(rules, matchedCall(call), { endpoint, version, environment })
  return { active, plan }
}

/** Waits for the latency of the plan, once. The wait ends early when the client or the sandbox is gone. */
export const delayAsPlanned: Stage = {
  run(call) {
    const latency = call.resolution.plan?.latency ?? 0
    if (latency === 0 || call.retryState.isDelayed) return undefined
    call.retryState.isDelayed = true
    return wait(latency, call.client.gone(), call.service.closing)
  },
}

export const endAsPlanned: Stage = {
  run(call) {
    const { plan } = call.resolution
    return plan && endingOf(call, plan)
  },
}

function isForScenarios({ headers, resolution, workspace }: ServedCall): boolean {
  return (
    headers[scenarioHeader] !== undefined ||
    resolution.key?.scenarios !== undefined ||
    workspace.scenarios.active.length > 0
  )
}

/** @throws {ApiError} for a name in the header that is unknown or that this environment cannot use. */
function scenariosFor(call: ServedCall): ActiveScenarios {
  const { headers, resolution, workspace } = call
  try {
    return workspace.scenarios.scenariosFor(namesOf(headers[scenarioHeader]), resolution.key?.scenarios ?? [])
  } catch (error) {
    if (error instanceof UnknownScenarioError || error instanceof UnusableScenarioError) {
      throw errorOf(unknownScenario, call, { message: refusalOfName(error) })
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

/** Receives the body early if a rule matches bodies. The stages of the body still answer its failures. */
function receiveForRules(call: ServedCall): Promise<void> | void {
  const { endpoint } = call.request
  if (!endpoint?.body) return undefined
  if (rulesFor(scenariosFor(call), endpoint).every(([{ when }]) => when.body === undefined)) return undefined
  if (refusalOf(call, (id) => call.service.assumptions[id])) return undefined
  return receive(call)?.then(() => readReceived(call)) ?? readReceived(call)
}

function matchedCall(call: ServedCall): MatchedCall {
  const { client, resolution, service } = call
  const { endpoint, params, query: sent } = call.request
  const { key, product } = resolution
  const query = new URLSearchParams(sent)
  return {
    operation: endpoint?.id ?? '',
    params,
    query: (name) => {
      // Rules use the declared names of parameters. An assumption may decide the names that clients send.
      const nameFrom = endpoint?.query[name]?.nameFrom
      return query.getAll(nameFrom ? service.assumptions[nameFrom] : name)
    },
    header: (name) => client.header(name),
    body: readableBody(call),
    key: { id: key?.id ?? '', api_key: key?.api_key ?? '' },
    product: product?.merchant_key ?? '',
  }
}

/** The body as the service reads it. A body that it cannot read is undefined, and matches no rule. */
function readableBody(call: ServedCall): unknown {
  const { request, service } = call
  const { body } = request
  if (body === undefined || lateRefusal(call, (id) => service.assumptions[id])) return undefined
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

/** Answers the call if its plan ends it before the handler. */
function endingOf(call: ServedCall, plan: Plan): Answer | undefined {
  const { resolution, outcome } = call
  const { ending } = plan
  if (ending === undefined) return undefined
  const error = ending.kind === 'error' ? injectedError(call, ending) : undefined
  // The handler answers after all: the stage `handle` then changes the state.
  if (ending.kind === 'error' && !error) return undefined
  if (ending.kind !== 'fault') changeState(call, 'before')
  switch (ending.kind) {
    case 'error':
      throw error
    case 'refusal':
      resolution.version = undefined
      throw new ApiError(ending.type, ending.about)
    case 'answer': {
      // A gateway that answers instead of the service does not know the service's versions.
      resolution.version = undefined
      const { status, headers, body } = ending
      const text = body === undefined ? null : typeof body === 'string' ? body : stringify(body)
      const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
      const declared = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
      const sent = Object.fromEntries(
        text === null ? declared : [['content-type', type] as const, ...declared],
      )
      return outcome.answer(status, sent, [204, 205, 304].includes(status) ? null : text)
    }
    case 'fault': {
      if (ending.at === 'after' || !isLoss(ending.fault)) return undefined
      changeState(call, 'before')
      return outcome.answer(200, {}, null, ending.fault)
    }
  }
}
