// An endpoint as an OpenAPI operation: parameters, request body, responses.
import type { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { docs } from '../contract/docs.ts'
import { scopes } from '../contract/scopes.ts'
import { isRequired, type Endpoint, type QueryParameter } from '../endpoints/define.ts'
import { failuresOf } from './failures.ts'
import { marks } from './marks.ts'
import { failuresByStatus, successOf, type ResponseDraft } from './responses.ts'
import { descriptionOf, mediaType, schemaOf } from './schemas.ts'
import type { Operation, Parameter, Reference, RequestBody, Response, Responses } from './document-types.ts'

/** Returns the part of the API of an endpoint: the first segment of its path. */
export function tagOf({ path }: Endpoint): string {
  return path.split('/')[2] ?? path
}

/** Returns an endpoint as an operation, from its declaration alone. */
export function operationOf(draft: ResponseDraft, endpoint: Endpoint): Operation {
  const parameters = parametersOf(draft, endpoint)
  const path = examplePath(endpoint.path, parameters)
  return {
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: describe(endpoint),
    tags: [tagOf(endpoint)],
    'x-contract-section': endpoint.section,
    'x-scope': endpoint.scope ?? null,
    'x-optional-scope': endpoint.optionalScope ?? null,
    ...(endpoint.listed ? {} : { 'x-outside-contract': true }),
    ...marks([
      ...(endpoint.scope === undefined ? (['scope_table'] as const) : []),
      ...(endpoint.listed ? [] : (['unlisted_operations'] as const)),
    ]),
    parameters: [
      ...parameters,
      // The headers that every operation takes.
      ...Object.keys(draft.components.parameters).map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    ],
    ...(endpoint.body ? { requestBody: requestBody(draft, endpoint, endpoint.body(draft.values)) } : {}),
    responses: {
      ...successOf(draft, endpoint),
      ...shared(draft, failuresByStatus(draft, failuresOf(endpoint, draft), path)),
    },
  }
}

function describe({ scope, optionalScope, pagination, method }: Endpoint): string {
  const paging = {
    id: 'While `has_more` is true, the id of the last row as `starting_after` gives the next page.',
    token: 'While `has_more` is true, `next_page_token` as `starting_after` gives the next page.',
  }
  return [
    scope === undefined
      ? 'A valid key is enough; no scope is needed.'
      : `Needs scope ${scope}: it lets a key ${scopes[scope].grants}.`,
    ...(optionalScope === undefined
      ? []
      : [`Without scope ${optionalScope}, the answer omits fields marked with it.`]),
    ...(pagination === undefined ? [] : [paging[pagination]]),
    ...(method === 'GET' ? ['HEAD answers alike, without the body.'] : []),
  ].join(' ')
}

function parametersOf(draft: ResponseDraft, endpoint: Endpoint): Parameter[] {
  const inPath = Object.entries(endpoint.params).map(([name, description]): Parameter => {
    const example = exampleOfParameter(endpoint, name, draft.values)
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
      ...(example === undefined ? {} : { example }),
    }
  })
  const inQuery = Object.entries(endpoint.query).map(([field, parameter]): Parameter => {
    const schema = schemaOf(draft, parameter.schema, 'input')
    const { nameFrom, requiredWhen } = parameter
    const example = exampleInQuery(draft, parameter)
    return {
      name: nameFrom ? draft.values[nameFrom] : field,
      in: 'query',
      required: isRequired(parameter, draft.values),
      // The description of the parameter is more specific than that of its type.
      description: parameter.description,
      schema,
      ...(example === undefined ? {} : { example: schema.type === 'integer' ? Number(example) : example }),
      ...marks([nameFrom, requiredWhen?.[0]]),
    }
  })
  return [...inPath, ...inQuery]
}

function exampleInQuery(
  { values, example: call }: ResponseDraft,
  { example }: QueryParameter,
): string | undefined {
  if (typeof example !== 'function') return example
  return call && example({ ...call, values, assume: (id) => values[id] })
}

/** Returns the value of a path parameter in the example of the answer. */
function exampleOfParameter(
  { result: resultOf, paramExamples }: Endpoint,
  name: string,
  values: Assumptions,
): unknown {
  if (paramExamples?.[name] !== undefined) return paramExamples[name]
  const result = resultOf?.(values)
  const whole: unknown = result && docs.get(result)?.examples?.[0]
  if (typeof whole !== 'object' || whole === null) return undefined
  const rows: unknown = 'data' in whole ? whole.data : [whole]
  const row = Array.isArray(rows) ? (rows[0] as Record<string, unknown> | undefined) : undefined
  return row?.[name] ?? row?.['id']
}

function examplePath(path: string, parameters: readonly Parameter[]): string {
  return parameters.reduce(
    (filled, { name, example }) =>
      example === undefined ? filled : filled.replace(`{${name}}`, String(example)),
    path,
  )
}

function requestBody(draft: ResponseDraft, endpoint: Endpoint, body: z.ZodType): RequestBody {
  const description = descriptionOf(body, draft.values)
  return {
    required: !endpoint.bodyOptional,
    ...(description === undefined ? {} : { description }),
    content: { 'application/json': mediaType(draft, body, 'input') },
    ...marks(['unknown_body_fields']),
  }
}

/** Adds components of responses, so that equal answers of many operations are in the document once. */
function shared({ components }: ResponseDraft, responses: Record<string, Response>): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [status, reference(response) ?? response]),
  )

  function reference(response: Response): Reference | undefined {
    const name = nameOf(response)
    const known = (components.responses[name] ??= response)
    const alike = JSON.stringify(known) === JSON.stringify(response)
    return alike ? { $ref: `#/components/responses/${name}` } : undefined
  }
}

/** Named after its possible errors, such as `BadRequestErrorOrValidationError`. */
function nameOf({ content }: Response): string {
  const schema = content?.['application/json'].schema
  const parts = schema?.oneOf ?? (schema ? [schema] : [])
  return parts.map(({ $ref }) => $ref?.split('/').at(-1)).join('Or')
}
