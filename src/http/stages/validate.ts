// Validation of query parameters and body fields against what the endpoint declares: 400 with every violation.
import type { z } from 'zod'
import { valuesOf, type Assume, type Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { describeIssues, fieldName, ruleOf } from '../../contract/violations.ts'
import { withoutNulls } from '../../endpoints/absent-nulls.ts'
import type { Endpoint, QueryParameter } from '../../endpoints/define.ts'
import { unknownParameters } from '../../endpoints/unknown-parameters.ts'
import { errorOf, type Failure } from '../failure.ts'
import type { ServedCall } from '../served-call.ts'
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
    const ofBody = endpoint.body ? (['unknown_body_fields', 'null_request_fields'] as const) : []
    const ofRequired = Object.values(endpoint.query).flatMap(({ requiredWhen }) => requiredWhen?.[0] ?? [])
    return [
      { ...invalid, details, restsOn: ['unknown_query_parameters', ...ofQuery, ...ofRequired, ...ofBody] },
    ]
  },
  run(call) {
    const { endpoint } = call.request
    if (!endpoint) return
    const details = [...readQuery(call, endpoint), ...readFields(call, endpoint)]
    if (details.length > 0) throw errorOf(invalid, call, { details })
  },
}

/** Reads the declared parameters; others are ignored, as new ones ship to every version (Versioning 6). */
function readQuery(call: ServedCall, endpoint: Endpoint): string[] {
  const { assume, service, request } = call
  if (request.query === '') {
    return Object.entries(endpoint.query).flatMap(([field, parameter]) =>
      violationOfMissing(field, parameter, assume),
    )
  }
  const sent = new URLSearchParams(request.query)
  const violations: string[] = []
  const read: Record<string, unknown> = {}
  call.parameters = read
  let known = 0
  for (const [field, parameter] of Object.entries(endpoint.query)) {
    const name = nameOf(field, parameter, service.assumptions)
    const values = sent.getAll(name)
    if (values.length === 0) {
      violations.push(...violationOfMissing(name, parameter, assume))
      continue
    }
    known += values.length
    if (values.length > 1) assume('repeated_query_parameter')
    const found = readParameter(parameter, name, values, service.assumptions)
    if ('value' in found) read[field] = found.value
    else violations.push(...found.violations)
  }
  const unknown = known === sent.size ? [] : unknownParameters(request.query, endpoint, service.assumptions)
  if (unknown.length > 0 && assume('unknown_query_parameters') === 'refuse') {
    violations.push(...unknown.map(notKnown))
  }
  readUnderOtherNames(call, endpoint, sent)
  return violations
}

/** What is wrong with leaving a parameter out. */
function violationOfMissing(name: string, { requiredWhen }: QueryParameter, assume: Assume): string[] {
  if (!requiredWhen) return []
  const [id, value] = requiredWhen
  return assume(id) === value ? [`${name} is required`] : []
}

type Found = { value: unknown } | { violations: string[] }

/** The value of a parameter out of those that were sent under a name. */
function readParameter(
  { schema }: QueryParameter,
  name: string,
  values: readonly string[],
  { repeated_query_parameter: choice }: Assumptions,
): Found {
  if (values.length > 1 && choice === 'refuse') return { violations: [sentTwice(name)] }
  const result = schema.safeParse(choice === 'last' ? values.at(-1) : values[0])
  if (result.success) return { value: result.data }
  return { violations: result.error.issues.map((issue) => `${name} ${ruleOf(issue)}`) }
}

/**
 * What the parameters would be whose names are assumptions, had they another name. Where that breaks a rule, or mends
 * what is broken, the answer rests on the name; else the handler knows whether it does.
 */
function readUnderOtherNames(call: ServedCall, endpoint: Endpoint, sent: URLSearchParams): void {
  const { assume, service } = call
  for (const [field, parameter] of Object.entries(endpoint.query)) {
    const { nameFrom } = parameter
    if (!nameFrom) continue
    const own = service.assumptions[nameFrom]
    const names = valuesOf(nameFrom)
    if (names.every((name) => sent.getAll(name).length === 0)) continue
    const [found, ...others] = [own, ...names.filter((name) => name !== own)].map((name) =>
      readParameter(parameter, name, sent.getAll(name), service.assumptions),
    )
    const values = others.flatMap((other) => ('value' in other ? [other.value] : []))
    const isRule = service.assumptions.unknown_query_parameters === 'refuse'
    if (isRule || !found || 'violations' in found || values.length < others.length) assume(nameFrom)
    else call.otherwise = { ...call.otherwise, [field]: values }
  }
}

function nameOf(field: string, { nameFrom }: QueryParameter, values: Assumptions): string {
  return nameFrom ? values[nameFrom] : field
}

function readFields(call: ServedCall, endpoint: Endpoint): string[] {
  const { request, service, assume } = call
  if (!endpoint.body || request.body === undefined) return []
  if (!isJsonObject(call.parsed)) return [noObject]
  const schema = endpoint.body(service.assumptions)
  noteFieldsFrom(call, endpoint, call.parsed)
  let body: Readonly<Record<string, unknown>> = call.parsed
  let result = schema.safeParse(body)
  if (!result.success) {
    // No schema of a request takes null, so a body that it took has none where they mean anything.
    const rest = withoutNulls(schema, body)
    if (rest !== body && assume('null_request_fields') === 'absent') call.parsed = body = rest
    // Keeping the input triples the cost of reading a body, so only one that is refused is read again for its issues.
    result = schema.safeParse(body, reportInput)
  }
  const violations = result.success ? [] : describeIssues(result.error.issues)
  if (result.success) call.body = result.data
  violations.push(...(endpoint.rules?.(body, assume, service.assumptions) ?? []))
  const unknown = unknownFields(schema, body)
  if (unknown.length > 0 && assume('unknown_body_fields') === 'refuse') {
    violations.push(...unknown.map((path) => `${fieldName(path, 'body')} is not a known field`))
  }
  return violations
}

/** Where unknown fields are refused, an answer rests on the assumption that decides whether a field is known. */
function noteFieldsFrom(
  { assume, service: { assumptions } }: ServedCall,
  { body, bodyFrom }: Endpoint,
  sent: Readonly<Record<string, unknown>>,
): void {
  if (!body || !bodyFrom || assumptions.unknown_body_fields === 'ignore') return
  const counts = valuesOf(bodyFrom).map(
    (value) => unknownFields(body({ ...assumptions, [bodyFrom]: value }), sent).length,
  )
  if (new Set(counts).size > 1) assume(bodyFrom)
}

/** Issues need their input to tell an absent field from a wrong one; it is never shown to anybody. */
const reportInput: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true }

const noObject = 'body must be a JSON object'

function sentTwice(name: string): string {
  return `${name} must not be sent more than once`
}

function notKnown(name: string): string {
  return `${fieldName([name], 'query')} is not a known parameter`
}

/** What an endpoint finds wrong with empty input; the schemas and rules that refuse it word it. */
function exampleViolations(endpoint: Endpoint, values: Assumptions): string[] {
  const found = endpoint.body ? ofEmptyBody(endpoint, values) : ofEmptyQuery(endpoint, values)
  if (found.length > 0 || values.unknown_query_parameters === 'ignore') return found
  return [notKnown('unknown')]
}

function ofEmptyBody({ body, rules }: Endpoint, values: Assumptions): string[] {
  const refused = body?.(values).safeParse({}, reportInput).error?.issues ?? []
  const found = [...describeIssues(refused), ...(rules?.({}, (id) => values[id], values) ?? [])]
  return found.length > 0 ? found : [noObject]
}

function ofEmptyQuery({ query }: Endpoint, values: Assumptions): string[] {
  const parameters = Object.entries(query).map(([field, parameter]) => ({
    name: nameOf(field, parameter, values),
    issues: parameter.schema.safeParse('').error?.issues ?? [],
  }))
  const found = parameters.flatMap(({ name, issues }) => issues.map((issue) => `${name} ${ruleOf(issue)}`))
  if (found.length > 0 || values.repeated_query_parameter !== 'refuse') return found
  return parameters.slice(0, 1).map(({ name }) => sentTwice(name))
}
