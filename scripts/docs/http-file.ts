import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { docs } from '../../src/contract/docs.ts'
import type { Endpoint } from '../../src/endpoints/define.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { answers } from '../../src/coverage/points/answers.ts'
import { pointOf, pointsOf } from '../../src/coverage/points/index.ts'
import type { Draft, Recipe, PointContext } from '../../src/coverage/points/point.ts'
import { exercise } from '../../src/coverage/reports/exercise.ts'
import type { SampleRequest } from '../../src/coverage/reports/sample-request.ts'
import { loadSamples, type Samples } from '../../src/coverage/reports/samples.ts'

/**
 * Generates a .http file for editors with the whole API: every operation, and every error that it declares. The
 * requests are those that exercise the contract points, so this module needs no data about the API.
 */
export async function httpFile(): Promise<string> {
  const world: PointContext = { values: resolveAssumptions(), environment: 'sandbox' }
  const samples = await loadSamples(world.environment)
  const usualKey = samples.key.api_key
  const shown = [
    ...endpoints.flatMap((endpoint) =>
      answers.points(endpoint, world).map((draft) => [endpoint, draft] as const),
    ),
    ...refusalsOfAnyCall(world),
  ]
  const requests = shown.flatMap(([endpoint, draft]) => requestFor(endpoint, draft, samples, world))
  const text = [header(usualKey), ...requests, reset].join('\n\n')
  return `${text.replaceAll(new RegExp(`Bearer ${usualKey}$`, 'gm'), 'Bearer {{key}}')}\n`
}

const header = (
  key: string,
): string => `# Every operation of the partner rewards API, and every error that it declares, on the built-in fixtures.
# For the REST Client of Visual Studio Code and the HTTP Client of JetBrains. Written by npm run generate.
# Start the sandbox first: npm start. Some requests change rows that others read; the last request resets the sandbox.

@host = http://localhost:4010
@key = ${key}`

const reset = `### Start over
# Back to the state right after start. It answers 200.
POST {{host}}/_sandbox/reset`

/** The refusals of the stages before an operation, each with the first operation to which it applies. */
function refusalsOfAnyCall(world: PointContext): (readonly [Endpoint, Draft])[] {
  const isShown = /^(auth\/(missing|unusable)|version\/unsupported|product\/unknown|scope\/.*\/missing)$/
  const shown = new Map<string, readonly [Endpoint, Draft]>()
  for (const endpoint of endpoints) {
    for (const draft of pointsOf(endpoint, world).drafts) {
      if (isShown.test(draft.name) && !shown.has(draft.name)) shown.set(draft.name, [endpoint, draft])
    }
  }
  return [...shown.values()]
}

/**
 * Returns the request for a point. It returns none if the point needs several requests, as not all editors have a
 * common syntax to refer to an earlier response.
 */
function requestFor(endpoint: Endpoint, draft: Draft, samples: Samples, world: PointContext): string[] {
  const recipe = {
    credential: 'bearer',
    ...(draft.name === 'success' ? inFull(endpoint, world) : {}),
  } as const
  const requests = exercise(endpoint, { ...draft, recipe: { ...recipe, ...draft.recipe } }, samples, world)
  const [request] = requests
  if (!request || requests.length > 1) return []
  const about = [
    `### ${pointOf(endpoint, draft).id}`,
    ...(draft.name === 'success' ? [`# ${endpoint.summary}. ${scopeOf(endpoint)}`] : []),
    `# ${draft.sentence}`,
  ]
  return [[...about, ...linesOf(request)].join('\n')]
}

/** Returns every parameter and field for which the documentation has an example. */
function inFull({ query, body }: Endpoint, { values }: PointContext): Recipe {
  // An example that is a function belongs to one sandbox, such as a page token.
  const examples = Object.entries(query).flatMap(([name, { example }]) =>
    typeof example === 'string' ? [[name, example]] : [],
  )
  const [example] = (body && docs.get(body(values))?.examples) ?? []
  return { query: Object.fromEntries(examples), ...(example === undefined ? {} : { body: example }) }
}

function scopeOf({ scope, optionalScope }: Endpoint): string {
  if (scope) return `Scope: ${scope}.`
  return optionalScope ? `Scope: none; without ${optionalScope}, fields are omitted.` : 'Scope: none.'
}

function linesOf({ method, path, user, headers, body }: SampleRequest): string[] {
  const sent = {
    ...(user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    ...headers,
  }
  return [
    `${method} {{host}}${path}`,
    ...Object.entries(sent).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(JSON.parse(body), null, 2)]),
  ]
}
