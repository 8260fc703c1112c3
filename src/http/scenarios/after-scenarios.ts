import type { Plan } from '../../scenarios/plan.ts'
import type { Answer } from '../answer.ts'
import { changeState } from './change-state.ts'
import type { Exchange } from '../exchange.ts'

/**
 * What scenarios do once the handler's writes are committed: others change the state, the body is rewritten, and the
 * answer is lost or spoilt on its way. "Committed but the answer was lost" is what retrying clients must survive.
 */
export function afterScenarios(answer: Answer, exchange: Exchange): Answer {
  const { plan, endpoint, version } = exchange
  if (!plan) return answer
  if (exchange.handled) changeState(exchange, 'after')
  const made = plan.rewritings.length > 0 ? rewritten(plan) : answer
  const { ending } = plan
  // What was to be lost before the commit is lost already, where there is an answer to lose.
  return ending?.kind === 'fault' && made.fault === undefined ? { ...made, fault: ending.fault } : made

  function rewritten({ rewritings, undone }: Plan): Answer {
    const type = answer.headers['content-type'] ?? ''
    if (typeof answer.body !== 'string' || !type.startsWith('application/json')) {
      undone.push(`${rewritings[0]?.effect}: the answer has no JSON body`)
      return answer
    }
    const schema = exchange.handled ? endpoint?.result : undefined
    let body: unknown = JSON.parse(answer.body)
    for (const { effect, rewrite } of rewritings) {
      const result = rewrite(body, schema, version)
      body = result.body
      if (result.skipped !== undefined) undone.push(`${effect}: ${result.skipped}`)
      if (plan && result.offContract) plan.offContract = true
    }
    const text = JSON.stringify(body)
    if (plan && text !== answer.body) plan.rewritten = true
    return { ...answer, body: text }
  }
}
