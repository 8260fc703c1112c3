import { rewriteBody } from '../../scenarios/rewrite-body.ts'
import type { Answer } from '../../exchange/became.ts'
import { changeState } from './change-state.ts'
import type { OpenExchange } from '../open-exchange.ts'

/**
 * What scenarios do once the handler's writes are committed: others change the state, the body is rewritten, and the
 * answer is lost or spoilt on its way. "Committed but the answer was lost" is what retrying clients must survive.
 */
export function afterScenarios(answer: Answer, exchange: OpenExchange): Answer {
  const { endpoint } = exchange.received
  const { plan, version } = exchange.found
  if (!plan) return answer
  if (exchange.handled) changeState(exchange, 'after')
  const made = plan.rewrites.length > 0 ? rewritten() : answer
  const { ending } = plan
  // What was to be lost before the commit is lost already, where there is an answer to lose.
  return ending?.kind === 'transport' && made.fault === undefined ? { ...made, fault: ending.fault } : made

  function rewritten(): Answer {
    const type = answer.headers['content-type'] ?? ''
    if (typeof answer.body !== 'string' || !type.startsWith('application/json')) {
      plan?.undone.push('rewrite: the answer has no JSON body')
      return answer
    }
    const schema = exchange.handled ? endpoint?.result : undefined
    let body: unknown = JSON.parse(answer.body)
    for (const rewrite of plan?.rewrites ?? []) {
      if (typeof rewrite === 'string' && !exchange.handled) continue
      const result = rewriteBody(rewrite, body, schema, version)
      body = result.body
      if (result.skipped !== undefined) plan?.undone.push(`rewrite: ${result.skipped}`)
      if (plan && result.offContract) plan.offContract = true
    }
    const text = JSON.stringify(body)
    if (plan && text !== answer.body) plan.rewritten = true
    return { ...answer, body: text }
  }
}
