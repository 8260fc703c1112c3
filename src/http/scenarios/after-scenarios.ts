// The effects of scenarios after the handler's writes are committed: they change rows, rewrite the body, and set the
// transport fault. Retrying clients must survive a committed call whose answer was lost.
import { stringify } from '../../json/stringify.ts'
import { parseExact } from '../../json/parse-exact.ts'
import type { Plan } from '../../scenarios/plan.ts'
import { changeState } from './change-state.ts'
import type { ServedCall } from '../served-call.ts'

export function afterScenarios(call: ServedCall): void {
  const { resolution, outcome, handled } = call
  const { plan } = resolution
  if (!plan) return
  if (handled) changeState(call, 'after')
  if (plan.rewritings.length > 0) rewriteAnswer(call, plan)
  const { ending } = plan
  // A loss before the commit has set the fault already.
  if (ending?.kind === 'fault') outcome.fault ??= ending.fault
}

function rewriteAnswer(call: ServedCall, plan: Plan): void {
  const { request, resolution, outcome, handled, service } = call
  const type = outcome.headers['content-type'] ?? ''
  if (typeof outcome.body !== 'string' || !type.startsWith('application/json')) {
    plan.undone.push(`${plan.rewritings[0]?.effect}: the answer has no JSON body`)
    return
  }
  const made = {
    schema: handled ? request.endpoint?.result?.(service.assumptions) : undefined,
    version: resolution.version,
    scopes: resolution.scopes,
  }
  let body: unknown = parseExact(outcome.body, true)
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
  if (text !== outcome.body) plan.rewritten = true
  outcome.body = text
}
