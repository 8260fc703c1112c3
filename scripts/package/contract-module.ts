// Generates the module `partner-rewards-sandbox/contract`, code and types, from the OpenAPI document.
import type { OpenApiDocument, Operation, Parameter, Schema } from '../../src/openapi/document-types.ts'
import { docComment, typeOf } from './schema-types.ts'

/**
 * Returns the code (CommonJS) and the types of the module `partner-rewards-sandbox/contract`.
 * @param serving the same document of a sandbox that serves webhook events with whole resources.
 */
export function contractModule(document: object, serving: object): { code: string; types: string } {
  const api = document as OpenApiDocument
  const withEvents = serving as OpenApiDocument
  const resources = resourcesIn(withEvents)
  // Some resources are those of events alone.
  const schemas = { ...api.components.schemas, ...withEvents.components.schemas }
  const listed = operationsOf(api)
  const values = {
    operations: {
      about:
        'The operations of the API by id: method, path, the required scope, and the optional scope that adds fields.',
      value: Object.fromEntries(
        listed.map(({ id, method, path, operation }) => [
          id,
          { method, path, scope: operation['x-scope'], optionalScope: operation['x-optional-scope'] },
        ]),
      ),
    },
    scopes: { about: 'The scopes that an API key can carry.', value: Object.keys(api['x-scopes']) },
    errorTypes: {
      about: 'Every `type` that an error can have; the validation shape has none.',
      value: errorTypesOf(api),
    },
    versions: {
      about: 'The values of `x-service-version`; `latest` only in the sandbox environment.',
      value: enumOf(api.components.parameters['ServiceVersion']?.schema),
    },
    eventTypes: {
      about: 'The types of webhook events, which the contract does not show: an assumption of the sandbox.',
      value: Object.keys(resources),
    },
  }
  const types = [
    ...Object.entries(schemas).map(([name, schema]) => interfaceOf(name, schema)),
    ...Object.entries(values).map(
      ([name, { about, value }]) => `${docComment(about)}export declare const ${name}: ${literal(value)}\n`,
    ),
    ...unions,
    docComment('The resource of each webhook event: an assumption of the sandbox.'),
    `export interface EventResources ${typeOf({
      type: 'object',
      properties: resources,
      required: Object.keys(resources),
    })}\n`,
    '/** The parameters, the body and the result of each operation. */\n',
    `export interface Operations {\n${listed.map((one) => operationType(one, api)).join('')}}\n`,
    '/** The body of a successful response of an operation. */\n',
    "export type ResultOf<Id extends OperationId> = Operations[Id]['result']\n",
    '/** The request body of an operation. */\n',
    "export type BodyOf<Id extends OperationId> = Operations[Id]['body']\n",
  ]
  const code = Object.entries(values).map(
    ([name, { value }]) => `exports.${name} = ${JSON.stringify(value)}\n`,
  )
  return { code: code.join(''), types: indented(types.join('')) }
}

/** Returns the schema of the resource of each event: the field `data` of its body. */
function resourcesIn({ webhooks = {} }: OpenApiDocument): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(webhooks).map(([type, { post }]) => {
      const { properties = {} } = post.requestBody.content['application/json'].schema
      return [type, properties['data'] ?? {}]
    }),
  )
}

function indented(text: string): string {
  let depth = 0
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1
    const shown = line === '' ? '' : '  '.repeat(depth) + line
    if (line.endsWith('{')) depth += 1
    return shown
  })
  return lines.join('\n')
}

const unions = [
  '/** The id of an operation, such as `updateReward`. */\nexport type OperationId = keyof typeof operations\n',
  '/** A scope that an API key can carry. */\nexport type Scope = (typeof scopes)[number]\n',
  '/** The `type` of an error. */\nexport type ErrorType = (typeof errorTypes)[number]\n',
  '/** A value of `x-service-version`. */\nexport type Version = (typeof versions)[number]\n',
  '/** The type of a webhook event. */\nexport type EventType = (typeof eventTypes)[number]\n',
]

interface Listed {
  id: string
  method: string
  path: string
  operation: Operation
}

function operationsOf({ paths }: OpenApiDocument): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

function interfaceOf(name: string, schema: Schema): string {
  const about = docComment(schema.description)
  const type = typeOf(schema)
  return type.startsWith('{') && !schema.oneOf
    ? `${about}export interface ${name} ${type}\n`
    : `${about}export type ${name} = ${type}\n`
}

function operationType({ id, operation }: Listed, api: OpenApiDocument): string {
  const { summary, requestBody, responses } = operation
  const parameters = operation.parameters.map((one) => resolved(one, api))
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const result = success && 'content' in success ? success.content?.['application/json'].schema : undefined
  const body = requestBody?.content['application/json'].schema
  const fields = [
    `params: ${parametersType(parameters, 'path')}`,
    `query: ${parametersType(parameters, 'query')}`,
    `body: ${body ? `${typeOf(body)}${requestBody.required ? '' : ' | undefined'}` : 'undefined'}`,
    `result: ${result ? typeOf(result) : 'undefined'}`,
  ]
  return `${docComment(`${summary}.`)}${id}: {\n${fields.join('\n')}\n}\n`
}

function parametersType(parameters: readonly Parameter[], place: 'path' | 'query'): string {
  const wanted = parameters.filter((one) => one.in === place)
  if (wanted.length === 0) return 'Record<never, never>'
  return typeOf({
    type: 'object',
    properties: Object.fromEntries(
      wanted.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: wanted.filter(({ required }) => required).map(({ name }) => name),
  })
}

function resolved(parameter: Parameter | { $ref: string }, api: OpenApiDocument): Parameter {
  if (!('$ref' in parameter)) return parameter
  const found = api.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`${parameter.$ref} is not there`)
  return found
}

/** Collects the types of all errors. Each error has its type as a constant, at the top of its body or in `error`. */
function errorTypesOf(api: OpenApiDocument): string[] {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { type } = value as { type?: Schema }
    if (typeof type === 'object' && typeof type.const === 'string' && type.const.endsWith('_ERROR')) {
      found.add(type.const)
    }
    for (const inner of Object.values(value)) visit(inner)
  }
  visit(api)
  return [...found].toSorted()
}

function enumOf(schema: Schema | undefined): readonly unknown[] {
  if (!schema?.enum) throw new Error('expected an enum')
  return schema.enum
}

/** Returns the type of exactly one value. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, inner]) => `readonly ${name}: ${literal(inner)}`)
  return `{ ${fields.join('; ')} }`
}
