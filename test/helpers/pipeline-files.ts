import type { Document } from 'yaml'
import { z } from 'zod'

/** A service that is the sandbox. */
interface Container {
  name: string
  image: string
  env: Record<string, string>
}

/** The contents of a pipeline file, without the words of its format. */
export interface Pipeline {
  sandboxes: Container[]
  /** `host:port` of the sandbox, as tests can call it. */
  reachable: ReadonlySet<string>
  /** Services that something waits for. */
  waitsFor: string[]
  /** The commands of its steps, and their variables. */
  commands: string[]
  env: Record<string, string>
}

// Only the keys that the snippets use: a mistyped one is refused.
const env = z.record(z.string(), z.string())
const condition = z.literal('always()').optional()
const command = z.union([
  z.strictObject({ run: z.string(), if: condition }),
  z.strictObject({ uses: z.string(), with: z.record(z.string(), z.unknown()).optional(), if: condition }),
])

const compose = z.strictObject({
  services: z.record(
    z.string(),
    z.strictObject({
      image: z.string(),
      environment: env.optional(),
      volumes: z.array(z.string().regex(/^\.[\w/]*:\/\w+(:ro)?$/)).optional(),
      ports: z.array(z.string().regex(/^(127\.0\.0\.1:)?\d+:\d+$/)).optional(),
      working_dir: z.string().optional(),
      command: z.string().optional(),
      depends_on: z
        .record(z.string(), z.strictObject({ condition: z.literal('service_healthy') }))
        .optional(),
    }),
  ),
})

const actions = z.strictObject({
  name: z.string(),
  on: z.string(),
  jobs: z.strictObject({
    test: z.strictObject({
      'runs-on': z.literal('ubuntu-latest'),
      services: z
        .record(z.string(), z.strictObject({ image: z.string(), env, ports: z.array(z.string()) }))
        .optional(),
      env,
      steps: z.array(command),
    }),
  }),
})

const gitlab = z.strictObject({
  test: z.strictObject({
    image: z.string(),
    services: z.array(z.strictObject({ name: z.string(), alias: z.string(), variables: env })),
    variables: env,
    script: z.array(z.string()),
  }),
})

/** Reads a file of Docker Compose, GitHub Actions or GitLab CI. @throws what is wrong with it. */
export function readPipeline(document: Document): Pipeline {
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw problem
  const value: unknown = document.toJS()
  if (document.has('services')) return ofCompose(compose.parse(value))
  if (document.has('jobs')) return ofActions(actions.parse(value).jobs.test)
  return ofGitlab(gitlab.parse(value).test)
}

const isSandbox = (image: string): boolean => image.includes('partner-rewards-sandbox')

function ofCompose({ services }: z.infer<typeof compose>): Pipeline {
  const sandboxes = Object.entries(services).filter(([, { image }]) => isSandbox(image))
  return {
    sandboxes: sandboxes.map(([name, { image, environment = {} }]) => ({ name, image, env: environment })),
    reachable: new Set(sandboxes.map(([name]) => `${name}:4010`)),
    waitsFor: Object.values(services).flatMap(({ depends_on: others = {} }) => Object.keys(others)),
    commands: [],
    env: {},
  }
}

function ofActions({
  services = {},
  steps,
  env: variables,
}: z.infer<typeof actions>['jobs']['test']): Pipeline {
  const published = Object.values(services).flatMap(({ ports }) => ports)
  const commands = steps.flatMap((step) => ('run' in step ? [step.run] : []))
  const isStarted = commands.some((text) => text.includes('partner-rewards-sandbox start'))
  return {
    sandboxes: Object.entries(services).map(([name, { image, env: own }]) => ({ name, image, env: own })),
    // The steps run on the host, where a service has the port that it is given.
    reachable: new Set([
      ...published
        .filter((ports) => ports.endsWith(':4010'))
        .map((ports) => `localhost:${ports.split(':')[0]}`),
      ...(isStarted ? ['localhost:4010'] : []),
    ]),
    waitsFor: [],
    commands,
    env: variables,
  }
}

function ofGitlab({ services, variables, script }: z.infer<typeof gitlab>['test']): Pipeline {
  return {
    sandboxes: services.map(({ name, alias, variables: own }) => ({ name: alias, image: name, env: own })),
    reachable: new Set(services.map(({ alias }) => `${alias}:4010`)),
    waitsFor: [],
    commands: script,
    env: variables,
  }
}
