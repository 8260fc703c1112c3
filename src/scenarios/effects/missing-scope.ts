// The effect `missing_scope`: a key without a permission.
import { z } from 'zod'
import { scopeNames, type Scope } from '../../contract/scopes.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { effect } from '../effect.ts'

export const missingScope = effect({
  name: 'missing_scope',
  noun: 'scope',
  help: 'The key lacks the scope for this call: 403, or omitted fields, depending on the scope.',
  schema: z.union([z.literal(true), z.enum(scopeNames)], {
    error: `must be one of ${scopeNames.join(', ')}`,
  }),
  bare: true,
  misfit(scope, endpoint) {
    const own = scopesOf(endpoint)
    if (own.length === 0) return `${endpoint.id} needs no scope`
    return scope === true || own.includes(scope)
      ? undefined
      : `${endpoint.id} does not depend on ${scope}, but on ${own.join(', ')}`
  },
  apply(scope, call, { endpoint }) {
    call.missingScopes.push(...(scope === true ? scopesOf(endpoint) : [scope]))
  },
})

/** Returns the scopes that matter to an endpoint. */
function scopesOf(endpoint: Endpoint): Scope[] {
  return [endpoint.scope, endpoint.optionalScope].filter((scope) => scope !== undefined)
}
