import { resolveAssumptions, type AssumptionSettings } from '../../../src/input/resolve-assumptions.ts'
import { describeApi } from '../../../src/openapi/index.ts'
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
  Response,
  Schema,
} from '../../../src/openapi/document-types.ts'
import { createSandbox } from '../../../src/index.ts'
import { endpoints } from '../../../src/endpoints/index.ts'
import type { Endpoint } from '../../../src/endpoints/define.ts'
import { answers } from '../../../src/coverage/points/answers.ts'
import type { PointContext } from '../../../src/coverage/points/point.ts'
import { exercise } from '../../../src/coverage/reports/exercise.ts'
import { curlOf } from '../../../src/coverage/reports/sample-request.ts'
import { loadSamples } from '../../../src/coverage/reports/samples.ts'
import { testNow } from '../../../test/helpers/test-now.ts'
import { neededFor } from './needed-assumption.ts'
import { outsideContract } from './outside-contract.ts'
import { anchor, block, code, codeList, json, table } from '../markdown.ts'

const world: PointContext = { values: resolveAssumptions(), environment: 'sandbox' }
const origin = 'http://localhost:4010'

/** Generates the page of the operations: parameters, scopes and responses, with a request to paste and its response. */
export async function endpointsPage(): Promise<string> {
  const api = describedUnder({})
  const operations = await Promise.all(endpoints.map((endpoint) => section(endpoint, api)))
  return `# Endpoints

The ${endpoints.length} operations of the API, as the sandbox serves them by default. The id of an [assumption](assumptions.md) marks each point that the contract leaves open.

- Every call accepts the headers \`x-service-version\`, \`x-service-merchant-key\` and \`x-sandbox-scenario\`, and can have the errors
  [of any call](errors.md#errors-of-any-call).
- Null in an optional field of a body has the same effect as omitting it (\`null_request_fields\`).
- Programs read the same from \`/_sandbox/openapi.json\`; with \`?sandbox=true\`, it has the headers of the sandbox, too.

${endpoints.map(({ id, summary }) => `- [${id}](#${anchor(id)}): ${summary.toLowerCase()}`).join('\n')}
- [Outside the contract](#outside-the-contract): operations that the contract does not list

${operations.join('\n')}
${await outsideContract()}`
}

async function section(endpoint: Endpoint, api: OpenApiDocument): Promise<string> {
  const { id, method, path, summary, pagination } = endpoint
  const operation = api.paths[path]?.[method.toLowerCase() as 'get']
  if (!operation) throw new Error(`${id} is not in the document`)
  const own = operation.parameters
    .filter((parameter): parameter is Parameter => !('$ref' in parameter))
    .map((parameter) => parameterRow(parameter))
  const paging = {
    id: 'For the next page, set `starting_after` to the id of the last row. `has_more` and `total` describe the whole list.',
    token:
      'For the next page, set `starting_after` to the `next_page_token` of the previous page. The last page has none.',
  }
  return [
    `## ${id}\n`,
    `${summary}.\n`,
    `${code(`${method} ${path}`)} · ${operation.description}\n`,
    ...(own.length === 0 ? [] : [table(['parameter', 'in', 'value', 'what it is'], own)]),
    ...(operation.requestBody ? [bodyTable(operation, api)] : []),
    ...(pagination ? [`${paging[pagination]}\n`] : []),
    await example(endpoint),
    errorTable(endpoint),
  ].join('\n')
}

function parameterRow({ name, in: place, required, schema, description }: Parameter): string[] {
  return [code(name), `${place}${required ? ', required' : ''}`, valueOf(schema), description]
}

function valueOf(schema: Readonly<Record<string, unknown>>): string {
  const { enum: values, type, minimum, maximum, format, default: fallback } = schema
  const limits = [
    ...(minimum === undefined ? [] : [`at least ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${String(maximum)}`]),
    ...(fallback === undefined ? [] : [`default ${code(String(fallback))}`]),
  ]
  // The page says once, above, that any optional field may be null.
  const [only] = [type].flat().filter((one) => one !== 'null')
  const kind = Array.isArray(values)
    ? codeList(values.filter((value) => value !== null))
    : typeof only === 'string'
      ? format
        ? String(format)
        : only
      : 'any'
  return [kind, ...limits].join(', ')
}

function bodyTable({ requestBody }: Operation, api: OpenApiDocument): string {
  const rows = fieldRows(api, schemaOf(api, requestBody?.content['application/json'].schema ?? {}))
  const about = requestBody?.description ?? ''
  if (rows.length === 0) return `The body may be left out, as it has no fields. ${about}\n`
  const whole = requestBody?.required
    ? 'The body is a JSON object'
    : 'The body, which may be left out, is a JSON object'
  return `${whole}: ${about}\n\n${table(['field', '', 'value', 'what it is'], rows)}`
}

/** Returns a row for each field of an object and of its nested objects. */
function fieldRows(api: OpenApiDocument, schema: Schema, path = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const isRequired = schema.required?.includes(key) ?? false
    const value = schemaOf(api, field)
    const name = path + key
    return [
      [
        code(name),
        isRequired ? 'required' : '',
        valueOf(value),
        field.description ?? value.description ?? '',
      ],
      ...fieldRows(api, value, `${name}.`),
    ]
  })
}

/** Resolves a reference to a component, and removes the alternative null, which the page states once. */
function schemaOf(api: OpenApiDocument, schema: Schema): Schema {
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  if (only?.$ref !== undefined && others.length === 0) return schemaOf(api, only)
  return schema.$ref === undefined ? schema : (api.components.schemas[nameIn(schema.$ref)] ?? schema)
}

function responseOf(api: OpenApiDocument, answer: Response | Reference): Response | undefined {
  return '$ref' in answer ? api.components.responses[nameIn(answer.$ref)] : answer
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** Returns a successful call, and the response of a fresh sandbox. */
async function example(endpoint: Endpoint): Promise<string> {
  const samples = await loadSamples(world.environment)
  const [success] = answers.points(endpoint, world)
  const [request] = success ? exercise(endpoint, success, samples, world) : []
  if (!request) throw new Error(`${endpoint.id} has no example`)
  await using sandbox = await createSandbox({ clock: testNow, frozen: true, baseUrl: origin })
  const { method, path, headers, body } = request
  const answer = await sandbox.fetch(path, {
    method,
    headers: { ...headers, authorization: `Bearer ${samples.key.api_key}` },
    ...(body === undefined ? {} : { body }),
  })
  const text = await answer.text()
  return [
    block('sh', curlOf(request, origin)),
    `${code(answer.status)}${text === '' ? ', without a body.' : ':'}\n`,
    ...(text === '' ? [] : [json(shortened(JSON.parse(text)))]),
  ].join('\n')
}

/** Shortens a list to one item, which represents all others. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('data' in value) || !Array.isArray(value.data))
    return value
  return { ...value, data: value.data.slice(0, 1) }
}

function errorTable({ errors, path, method }: Endpoint): string {
  if (errors.length === 0) return ''
  const rows = errors.map((error) => {
    const { type, on } = error
    // An error that the default assumptions exclude is described with the value that it needs.
    const needed = neededFor(error)
    const api = describedUnder(needed ? { [needed[0]]: needed[1] } : {})
    const { responses = {} } = api.paths[path]?.[method.toLowerCase() as 'get'] ?? {}
    const statuses = Object.entries(responses).filter(([, answer]) => names(responseOf(api, answer), on))
    if (statuses.length === 0) throw new Error(`${type} of ${path} is answered under no status`)
    const only = needed ? ` Only with ${code(`--assume ${needed.join('=')}`)}.` : ''
    return [codeList(statuses.map(([status]) => status)), code(type), on + only]
  })
  return `Its own errors:\n\n${table(['status', 'type', 'when'], rows)}`
}

function describedUnder(settings: AssumptionSettings): OpenApiDocument {
  return describeApi({
    assumptions: resolveAssumptions(settings),
    serverUrl: origin,
    environment: world.environment,
    sandboxVersion: '',
  })
}

function names(answer: Response | undefined, on: string): boolean {
  const examples = Object.values(answer?.content?.['application/json'].examples ?? {})
  return examples.some((shown) => 'summary' in shown && shown.summary === on)
}
