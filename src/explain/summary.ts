import { outcomeOf } from '../journal/outcome.ts'
import type { ExchangeRecord } from '../journal/record.ts'
import { omissions } from './explain-scope.ts'
import { listed } from './quoted-values.ts'

/** What a call came to that nothing stood in the way of, or that failed for no reason that any part knows. */
export function plainSummary(record: ExchangeRecord, idleRule: string | undefined): string {
  const { endpoint, method, status, failure } = record
  if (failure) return failure.message
  const who = endpoint?.id ?? method
  if (outcomeOf(record) !== 'success') return `${who} answered ${status}.`
  return `${who} answered ${status}${without(record)}${usedRules(record)}${idleRule === undefined ? '' : `; ${idleRule}`}.`
}

function without(record: ExchangeRecord): string {
  const fields = omissions(record)
  if (fields.length === 0) return ''
  const { key, endpoint } = record
  const whose = key?.scopes.some((scope) => scope === endpoint?.optionalScope)
    ? `a scenario took ${endpoint?.optionalScope} away`
    : `${key?.id} lacks ${endpoint?.optionalScope}`
  return ` without ${listed(fields)}, as ${whose}`
}

function usedRules({ plan }: ExchangeRecord): string {
  return plan && plan.rules.length > 0 ? `; scenario rule ${listed(plan.rules)} acted on it` : ''
}
