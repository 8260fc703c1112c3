// What a call came to that nothing stood in the way of, or that failed for no reason that any part knows.
import type { Found } from '../exchange/found.ts'
import { outcomeOf, type Exchange } from '../exchange/index.ts'
import { omissions } from './explain-scope.ts'
import { listed } from './quoted-values.ts'

export function plainSummary(exchange: Exchange, idleRule: string | undefined): string {
  const { endpoint, method } = exchange.received
  const { status, failure } = exchange.became
  if (failure) return failure.message
  const who = endpoint?.id ?? method
  if (outcomeOf(exchange) !== 'success') return `${who} answered ${status}.`
  return `${who} answered ${status}${without(exchange)}${usedRules(exchange.found)}${idleRule === undefined ? '' : `; ${idleRule}`}.`
}

function without(exchange: Exchange): string {
  const fields = omissions(exchange)
  if (fields.length === 0) return ''
  const { endpoint } = exchange.received
  const { key } = exchange.found
  const whose = key?.scopes.some((scope) => scope === endpoint?.optionalScope)
    ? `a scenario took ${endpoint?.optionalScope} away`
    : `${key?.id} lacks ${endpoint?.optionalScope}`
  return ` without ${listed(fields)}, as ${whose}`
}

function usedRules({ plan }: Found): string {
  return plan && plan.rules.length > 0 ? `; scenario rule ${listed(plan.rules)} acted on it` : ''
}
