// Validation of query parameters and body fields against what the endpoint declares: 400 with every violation.
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { describeIssues, fieldName, ruleOf } from '../../contract/violations.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { OpenExchange } from '../open-exchange.ts'
import { queryValues } from '../query-values.ts'
import type { Stage } from '../stage.ts'
import { unknownFields } from '../../endpoints/unknown-fields.ts'

/** A call that breaks rules of its endpoint; what it lists is what calls of it can break. */
const invalid: Failure = {
  type: 'VALIDATION_ERROR',
  on: 'The call breaks a rule that its parameters or body declare.',
}

/**
 * Checks everything the caller sent against the declaration of the endpoint, and lists every violation at once
 * (contract: Errors, shape A). Comes before any lookup.
 */
export const validate: Stage = {
  failures(endpoint, values) {
    const details = endpoint ? exampleViolations(endpoint, values) : []
    if (!endpoint || details.length === 0) return []
    const ofQuery = Object.keys(endpoint.query).length > 0 ? (['repeated_query_parameter'] as const) : []
    const ofBody = endpoint.body ? (['unknown_body_fields'] as const) : []
    return [{ ...invalid, details, restsOn: [...ofQuery, ...ofBody] }]
  },
  run(exchange) {
    const { endpoint } = exchange.received
    if (!endpoint) return
    const details = [...readQuery(exchange, endpoint), ...readFields(exchange, endpoint)]
    if (details.length > 0) throw errorOf(invalid, exchange, { details })
  },
}

/** Reads the declared parameters; others are ignored, as new ones ship to every version (Versioning 6). */
function readQuery(exchange: OpenExchange, endpoint: Endpoint): string[] {
  const declared = Object.entries(endpoint.query)
  if (declared.length === 0) return []
  const valuesOf = queryValues(exchange.received.query)
  const violations: string[] = []
  const read: Record<string, unknown> = {}
  exchange.parameters = read
  for (const [field, { schema, nameFrom }] of declared) {
    const name = nameFrom ? exchange.service.assumptions[nameFrom] : field
    const values = valuesOf(name)
    if (values.length === 0) continue
    if (nameFrom) exchange.assume(nameFrom)
    let value = values[0]
    if (values.length > 1) {
      const choice = exchange.assume('repeated_query_parameter')
      if (choice === 'refuse') {
        violations.push(sentTwice(name))
        continue
      }
      if (choice === 'last') value = values.at(-1)
    }
    const result = schema.safeParse(value)
    if (result.success) read[field] = result.data
    else violations.push(...result.error.issues.map((issue) => `${name} ${ruleOf(issue)}`))
  }
  return violations
}

function readFields(exchange: OpenExchange, endpoint: Endpoint): string[] {
  const { parsed, received, service, assume } = exchange
  if (!endpoint.body || received.body === undefined) return []
  if (!isJsonObject(parsed)) return [noObject]
  const schema = endpoint.body(service.assumptions)
  // Keeping the input triples the cost of reading a body, so only one that is refused is read again for its issues.
  const first = schema.safeParse(parsed)
  const result = first.success ? first : schema.safeParse(parsed, reportInput)
  const violations = result.success ? [] : describeIssues(result.error.issues)
  if (result.success) exchange.body = result.data
  violations.push(...(endpoint.rules?.(parsed, assume, service.assumptions) ?? []))
  const unknown = unknownFields(schema, parsed)
  if (unknown.length > 0 && assume('unknown_body_fields') === 'refuse') {
    violations.push(...unknown.map((path) => `${fieldName(path, 'body')} is not a known field`))
  }
  return violations
}

/** Issues need their input to tell an absent field from a wrong one; it is never shown to anybody. */
const reportInput: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true }

const noObject = 'body must be a JSON object'

function sentTwice(name: string): string {
  return `${name} must not be sent more than once`
}

/** What an endpoint finds wrong with empty input; the schemas and rules that refuse it word it. */
function exampleViolations({ query, body, rules }: Endpoint, values: Assumptions): string[] {
  if (body) {
    const refused = body(values).safeParse({}, reportInput).error?.issues ?? []
    const found = [...describeIssues(refused), ...(rules?.({}, (id) => values[id], values) ?? [])]
    return found.length > 0 ? found : [noObject]
  }
  const parameters = Object.entries(query).map(([field, { nameFrom, schema }]) => ({
    name: nameFrom ? values[nameFrom] : field,
    issues: schema.safeParse('').error?.issues ?? [],
  }))
  const found = parameters.flatMap(({ name, issues }) => issues.map((issue) => `${name} ${ruleOf(issue)}`))
  if (found.length > 0 || values.repeated_query_parameter !== 'refuse') return found
  return parameters.slice(0, 1).map(({ name }) => sentTwice(name))
}
