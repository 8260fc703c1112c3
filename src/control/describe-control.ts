// The OpenAPI 3.1 document of the control plane, from the declarations of its operations.
import { z } from 'zod'
import { aboutField, aboutOf, fieldsIn } from '../contract/schema-shape.ts'
import { isOmissible, parametersOf } from '../operations/declare.ts'
import { controlErrors } from '../http/control-error.ts'
import { packageVersion } from '../runtime/host.ts'
import { methodOf, pathOf, type Handled } from './resource.ts'

type Json = Readonly<Record<string, unknown>>

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return written
}

/** The name of a method in a generated client: `clockAdvance`; what has no member in the library is named by its route. */
function operationIds(operations: readonly Handled[]): string[] {
  const names = operations.map(({ id, route }) => camel(id === '' ? wordsOf(route) : id.split('.')))
  return operations.map(({ route }, at) => {
    const name = names[at] ?? ''
    // Some members of the library have more than one path.
    return names.indexOf(name) === at ? name : camel([name, ...wordsOf(route).slice(1)])
  })
}

const wordsOf = (route: string): string[] => {
  const words = pathOf(route).split(/[^A-Za-z]+/)
  return [methodOf(route).toLowerCase(), ...words.filter((word) => word !== '' && word !== 'sandbox')]
}

const camel = ([first = '', ...others]: readonly string[]): string =>
  first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

const error = z.object({
  error: z.object({
    type: z.string(),
    message: z.string(),
    details: z.array(z.looseObject({ source: z.string(), path: z.string(), message: z.string() })).optional(),
    more: z.number().optional(),
  }),
})

const content = (schema: Json, media = 'application/json'): Json => ({ content: { [media]: { schema } } })

function inputOf({ route, path, query, of }: Handled): Json[] {
  const inPath = parametersOf(route).map((name) => {
    const about = aboutField(path, name)
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string', ...(about && { description: about }) },
    }
  })
  const inQuery = (query ? fieldsIn(query) : []).map(({ name, schema }) => ({
    name,
    in: 'query',
    required: !isOmissible(schema),
    ...(aboutOf(schema) !== undefined && { description: aboutOf(schema) }),
    schema: schemaOf(schema, 'input'),
  }))
  const workspace = { $ref: '#/components/parameters/Workspace' }
  return [...inPath, ...inQuery, ...(of === 'sandbox' ? [] : [workspace])]
}

function responsesOf({ result, status = 200, media, others = {} }: Handled): Json {
  const ok = result ? status : 204
  const type = typeof media === 'string' ? media : 'application/json'
  const bodies = Object.entries({ ...(result && { [ok]: result }), ...others })
  return {
    ...(ok === 204 && { 204: { description: 'Done.' } }),
    ...Object.fromEntries(
      bodies.map(([code, schema]) => [
        code,
        {
          description: Number(code) < 400 ? 'Done.' : 'Not so.',
          ...content(schemaOf(schema, 'output'), type),
        },
      ]),
    ),
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Refused' },
  }
}

/**
 * Returns the control plane as an OpenAPI 3.1 document.
 * @example describeControl(operations, 'http://127.0.0.1:4010').paths['/_sandbox/reset']
 */
export function describeControl(operations: readonly Handled[], serverUrl: string): Json {
  const ids = operationIds(operations)
  const paths: Record<string, Record<string, Json>> = {}
  for (const [at, operation] of operations.entries()) {
    const { route, about, body, guard } = operation
    const path = pathOf(route).replaceAll(/:(\w+)/g, '{$1}')
    const methods = (paths[path] ??= {})
    methods[methodOf(route).toLowerCase()] = {
      operationId: ids[at],
      summary: about.charAt(0).toUpperCase() + about.slice(1),
      tags: [pathOf(route).split('/')[2] ?? 'index'],
      parameters: inputOf(operation),
      ...(body && { requestBody: { required: !isOmissible(body), ...content(schemaOf(body, 'input')) } }),
      responses: responsesOf(operation),
      ...(guard === 'none' && { security: [] }),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control plane of partner-rewards-sandbox',
      version: packageVersion(),
      description:
        'Prepares, inspects and resets a running sandbox. It is no part of the API that the sandbox stands in for.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      securitySchemes: {
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of --admin-token, or with --isolation partner that of a workspace.',
        },
      },
      parameters: {
        Workspace: {
          name: 'workspace',
          in: 'query',
          required: false,
          description: 'The workspace; `default` without it, and created on first use.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
        },
      },
      responses: {
        Refused: {
          description: `A refusal: ${Object.entries(controlErrors)
            .map(([type, status]) => `${status} ${type}`)
            .join(', ')}.`,
          ...content(schemaOf(error, 'output')),
        },
      },
    },
  }
}
