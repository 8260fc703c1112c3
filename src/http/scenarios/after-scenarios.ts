// What scenarios do once the handler's writes are committed: others change the state, the body is rewritten, and the
// answer is lost or spoilt on its way. "Committed but the answer was lost" is what retrying clients must survive.
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../reading/parse-exact.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { changeState } from './change-state.ts'
import type { OpenExchange } from '../open-exchange.ts'

export function afterScenarios(exchange: OpenExchange): void {
  const { found, became, handled } = exchange
  const { plan } = found
  if (!plan) return
  if (handled) changeState(exchange, 'after')
  if (plan.rewritings.length > 0) rewriteAnswer(exchange, plan)
  const { ending } = plan
  // What was to be lost before the commit is lost already, where there is an answer to lose.
  if (ending?.kind === 'fault') became.fault ??= ending.fault
}

function rewriteAnswer(exchange: OpenExchange, plan: Plan): void {
  const { received, found, became, handled, service } = exchange
  const type = became.headers['content-type'] ?? ''
  if (typeof became.body !== 'string' || !type.startsWith('application/json')) {
    plan.undone.push(`${plan.rewritings[0]?.effect}: the answer has no JSON body`)
    return
  }
  const made = {
    schema: handled ? received.endpoint?.result : undefined,
    version: found.version,
    scopes: found.scopes,
    nulls: service.assumptions.empty_optional_fields === 'null',
  }
  let body: unknown = parseExact(became.body, true)
  let isOffContract = false
  for (const { effect, rewrite } of plan.rewritings) {
    const result = rewrite(body, made)
    body = result.body
    if (result.skipped !== undefined) plan.undone.push(`${effect}: ${result.skipped}`)
    if (result.isTooLarge) return
    isOffContract ||= result.offContract
  }
  plan.offContract ||= isOffContract
  const text = stringify(body)
  if (text !== became.body) plan.rewritten = true
  became.body = text
}
