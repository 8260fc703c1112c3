// Explains the scope that the endpoint required, whether the call had it, and which fields the answer omitted.
import type { Assumptions } from '../contract/assumptions.ts'
import { scopes as scopeTable } from '../contract/scopes.ts'
import { readBody } from '../journal/entry.ts'
import { outcomeOf, type Call } from '../call/index.ts'
import type { ExplanationContext } from './explanation-context.ts'
import { fact, type ExplanationFact, type Part } from './explanation.ts'
import { omittedFields } from './omitted-fields.ts'
import { listed } from './quoted-values.ts'

export function explainScope(call: Call, { assumptions }: ExplanationContext): Part {
  const { endpoint } = call.request
  const { key, product, plan, scopes } = call.resolution
  // If a scenario answers in place of the service, the scopes are not reached.
  if (!key || !endpoint || !product || (plan?.ending && plan.ending.kind !== 'fault')) return {}
  const needed = [endpoint.scope, endpoint.optionalScope].filter((scope) => scope !== undefined)
  if (needed.length === 0) {
    return {
      section: { about: 'scope', facts: [fact('asked', null, `${endpoint.id} needs a key and no scope`)] },
    }
  }
  const facts: ExplanationFact[] = needed.map((scope) => {
    const refuses = scopeTable[scope].lacking === 'refuses'
    return fact('asked', scope, `without it: ${refuses ? '403' : 'fields are omitted'}`)
  })
  facts.push(fact('held', [...scopes], `by ${key.id} for this call`))
  const taken = key.scopes.filter((scope) => !scopes.includes(scope))
  if (taken.length > 0) facts.push(fact('taken_away', taken, 'by a scenario'))
  const missing = needed.filter((scope) => !scopes.includes(scope))
  const refused = missing.find((scope) => scope === endpoint.scope)
  if (refused !== undefined) {
    return { section: { about: 'scope', facts }, reason: refusal(call, refused) }
  }
  const omitted = missing.length === 0 || outcomeOf(call) !== 'success' ? [] : omissions(call, assumptions)
  if (omitted.length > 0) facts.push(fact('left_out', omitted, 'of rows that have them'))
  return { section: { about: 'scope', facts } }
}

function refusal({ request: { endpoint }, resolution: { key } }: Call, scope: string): string {
  const id = key?.id ?? ''
  if (key?.scopes.some((held) => held === scope)) {
    return `A scenario took the scope ${scope} away, which ${endpoint?.id} requires and ${id} holds.`
  }
  return `${endpoint?.id} requires the scope ${scope}, and ${id} holds ${listed(key?.scopes ?? [])}.`
}

/** The fields that a success omits for lack of a scope. */
export function omissions(call: Call, values: Assumptions): string[] {
  const { request, resolution, outcome } = call
  const schema = request.endpoint?.result?.(values)
  if (!schema) return []
  return omittedFields(schema, readBody(outcome.body), resolution.scopes)
}
