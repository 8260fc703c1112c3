// Validates query parameters and body fields against the declaration of the endpoint: 400 with every violation.
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

/** A call that breaks rules of its endpoint. The example lists violations that such a call can have. */
const invalid: Failure = {
  type: 'VALIDATION_ERROR',
  on: 'The call breaks a rule that its parameters or body declare.',
}

/**
 * Checks the parameters and the body against the declaration of the endpoint, and lists all violations in one answer
 * (contract: Errors, shape A). It runs before any lookup.
 */
export const validate: Stage = {
  failures(endpoint, values) {
    const details = endpoint ? exampleViolations(endpoint, values) : []
    if (!endpoint || details.length === 0) return []
    const ofBody = endpoint.body ? (['unknown_body_fields', 'null_request_fields'] as const) : []
    const ofRequired = Object.values(endpoint.query).flatMap(({ requiredWhen }) => requiredWhen?.[0] ?? [])
    return [{ ...invalid, details, restsOn: ['unknown_query_parameters', ...ofRequired, ...ofBody] }]
  },
  run(call) {
    const { endpoint } = call.request
    if (!endpoint) return
    const details = [...readQuery(call, endpoint), ...readFields(call, endpoint)]
    if (details.length > 0) throw errorOf(invalid, call, { details })
  },
}

/**
 * Reads the declared parameters. Unknown ones are ignored unless an assumption refuses them, as new ones ship to every
 * version (Versioning 6).
 */
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
    const found = readParameter(parameter, name, values)
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

/** The violation of omitting a parameter, if it is required. */
function violationOfMissing(name: string, { requiredWhen }: QueryParameter, assume: Assume): string[] {
  if (!requiredWhen) return []
  const [id, value] = requiredWhen
  return assume(id) === value ? [`${name}: is required`] : []
}

type ParameterResult = { value: unknown } | { violations: string[] }

/** Reads a parameter from the values that were sent under a name. */
function readParameter({ schema }: QueryParameter, name: string, values: readonly string[]): ParameterResult {
  // A repeated parameter would leave open which value counts (docs/endpoints.md).
  if (values.length > 1) return { violations: [sentTwice(name)] }
  const result = schema.safeParse(values[0])
  if (result.success) return { value: result.data }
  return { violations: result.error.issues.map((issue) => `${name}: ${ruleOf(issue)}`) }
}

/**
 * Reads the parameters whose names are assumptions under their alternative names. If an alternative name adds or
 * removes a violation, the answer rests on the assumption. If not, the handler decides by `otherwise` whether it does.
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
      readParameter(parameter, name, sent.getAll(name)),
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
    // Nulls matter only in a refused body: no request schema accepts null in a field that it declares.
    const rest = withoutNulls(schema, body)
    if (rest !== body && assume('null_request_fields') === 'absent') call.parsed = body = rest
    // `reportInput` triples the cost of parsing, so only a refused body is parsed again with it, for its issues.
    result = schema.safeParse(body, reportInput)
  }
  const violations = result.success ? [] : describeIssues(result.error.issues)
  if (result.success) call.body = result.data
  violations.push(...(endpoint.rules?.(body, assume, service.assumptions) ?? []))
  const unknown = unknownFields(schema, body)
  if (unknown.length > 0 && assume('unknown_body_fields') === 'refuse') {
    violations.push(...unknown.map((path) => `${fieldName(path, 'body')}: is not a known field`))
  }
  return violations
}

/** If unknown fields are refused, the answer rests on the assumption that decides whether a field is known. */
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

/** With their input, issues distinguish an absent field from a wrong one. The input is never shown. */
const reportInput: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true }

const noObject = 'body: must be a JSON object'

function sentTwice(name: string): string {
  return `${name}: must not be sent more than once`
}

function notKnown(name: string): string {
  return `${fieldName([name], 'query')}: is not a known parameter`
}

/** The violations of an empty input, as examples in the words of the endpoint's schemas and rules. */
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
  const found = parameters.flatMap(({ name, issues }) => issues.map((issue) => `${name}: ${ruleOf(issue)}`))
  if (found.length > 0) return found
  return parameters.slice(0, 1).map(({ name }) => sentTwice(name))
}
