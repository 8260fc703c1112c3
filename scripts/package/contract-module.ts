// Generates the module `partner-rewards-sandbox/contract`, code and types, from the OpenAPI document.
import type { OpenApiDocument, Operation, Parameter, Schema } from '../../src/openapi/document-types.ts'
import { docComment, typeOf } from './schema-types.ts'

/**
 * The module `partner-rewards-sandbox/contract`, as CommonJS: what it holds and its types, both made from the OpenAPI
 * document.
 */
export function contractModule(document: object): { code: string; types: string } {
  const api = document as OpenApiDocument
  const listed = operationsOf(api)
  const values = {
    operations: {
      about:
        'The operations of the API by id: method, path, the scope that is required, and the one that shows more.',
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
      about: 'What `x-service-version` may be; `latest` in the sandbox environment only.',
      value: enumOf(api.components.parameters['ServiceVersion']?.schema),
    },
  }
  const types = [
    ...Object.entries(api.components.schemas).map(([name, schema]) => interfaceOf(name, schema)),
    ...Object.entries(values).map(
      ([name, { about, value }]) => `${docComment(about)}export declare const ${name}: ${literal(value)}\n`,
    ),
    ...unions,
    '/** What each operation takes and answers with. */\n',
    `export interface Operations {\n${listed.map((one) => operationType(one, api)).join('')}}\n`,
    '/** What an operation answers with when it succeeds. */\n',
    "export type ResultOf<Id extends OperationId> = Operations[Id]['result']\n",
    '/** The body that an operation takes. */\n',
    "export type BodyOf<Id extends OperationId> = Operations[Id]['body']\n",
  ]
  const code = Object.entries(values).map(
    ([name, { value }]) => `exports.${name} = ${JSON.stringify(value)}\n`,
  )
  return { code: code.join(''), types: indented(types.join('')) }
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

/** Every error says its type as a constant, on top of its body or inside of `error`. */
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

/** A value as a type of exactly this value. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `readonly [${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, inner]) => `readonly ${name}: ${literal(inner)}`)
  return `{ ${fields.join('; ')} }`
}
