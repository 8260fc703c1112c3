import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { docs } from '../../src/contract/docs.ts'
import type { Endpoint } from '../../src/endpoints/define.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { answers } from '../../src/coverage/points/answers.ts'
import { pointOf, pointsOf } from '../../src/coverage/points/index.ts'
import type { Draft, Recipe, World } from '../../src/coverage/points/point.ts'
import { exercise } from '../../src/coverage/reports/exercise.ts'
import type { SampleRequest } from '../../src/coverage/reports/sample-request.ts'
import { loadSamples, type Samples } from '../../src/coverage/reports/samples.ts'

/**
 * The whole API as a file of requests that editors send: every operation, and every error that it declares. A request
 * is what exercises a contract point, so nothing about the API is written down here.
 */
export async function httpFile(): Promise<string> {
  const world: World = { values: resolveAssumptions(), environment: 'sandbox' }
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
# For the REST Client of Visual Studio Code and the HTTP Client of JetBrains. Written by npm run docs.
# Start the sandbox first: npm start. Some requests change what others read; the last one starts over.

@host = http://localhost:4010
@key = ${key}`

const reset = `### Start over
# Back to the state right after start. It answers 200.
POST {{host}}/_sandbox/reset`

/** What the stages before an operation refuse, each shown on the first operation that it can happen to. */
function refusalsOfAnyCall(world: World): (readonly [Endpoint, Draft])[] {
  const isShown = /^(auth\/(missing|unusable)|version\/unsupported|product\/unknown|scope\/.*\/missing)$/
  const shown = new Map<string, readonly [Endpoint, Draft]>()
  for (const endpoint of endpoints) {
    for (const draft of pointsOf(endpoint, world).drafts) {
      if (isShown.test(draft.name) && !shown.has(draft.name)) shown.set(draft.name, [endpoint, draft])
    }
  }
  return [...shown.values()]
}

/** A point as one request; none where it takes several, as what one answers cannot be named alike in all editors. */
function requestFor(endpoint: Endpoint, draft: Draft, samples: Samples, world: World): string[] {
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

/** Every parameter and field that the documentation has an example of. */
function inFull({ query, body }: Endpoint, { values }: World): Recipe {
  const examples = Object.entries(query).flatMap(([name, { example }]) => (example ? [[name, example]] : []))
  const [example] = (body && docs.get(body(values))?.examples) ?? []
  return { query: Object.fromEntries(examples), ...(example === undefined ? {} : { body: example }) }
}

function scopeOf({ scope, optionalScope }: Endpoint): string {
  if (scope) return `Scope: ${scope}.`
  return optionalScope ? `Scope: none; without ${optionalScope}, fields are left out.` : 'Scope: none.'
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
