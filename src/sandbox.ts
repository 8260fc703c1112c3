import { join, resolve } from 'node:path'
import {
  describeAssumptions,
  resolveAssumptions,
  type Assumptions,
  type AssumptionView,
} from './contract/assumptions.ts'
import type { Environment } from './contract/versions.ts'
import { createControl } from './control/index.ts'
import type { Health, SchemaName, Verbs } from './control/verbs.ts'
import { createApp } from './http/app.ts'
import { listen, type Listening } from './http/listen.ts'
import { isLoopback } from './http/cors.ts'
import { pathReader } from './http/path.ts'
import type { AnsweredCall, Service } from './http/service.ts'
import { lostConnection, type Loss } from './http/transport-faults.ts'
import { StatementLinks } from './http/statement-links.ts'
import { libraryDefaults, OptionsError, type SandboxOptions, type Settings } from './options.ts'
import { Clock } from './runtime/clock.ts'
import { untilAborted } from './runtime/wait.ts'
import { monotonicNow, packageRoot, packageVersion, shownPath, systemHost } from './runtime/host.ts'
import { documentText } from './seed/dump.ts'
import { loadBaseline, type BaselineOptions } from './seed/load.ts'
import { unknownTo } from './scenarios/catalogue.ts'
import { ScenarioEngine } from './scenarios/engine.ts'
import { isScenarioPath, ScenarioLibrary } from './scenarios/library.ts'
import { Cursors } from './store/cursors.ts'
import { WorkspaceClock, type SandboxClock } from './workspaces/workspace-clock.ts'
import { WorkspaceState, type RowRules, type SandboxState } from './workspaces/workspace-state.ts'
import { WorkspaceScenarios, type SandboxScenarios } from './workspaces/workspace-scenarios.ts'
import { readyKey } from './workspaces/ready-key.ts'
import { reloader } from './workspaces/reload.ts'
import { defaultWorkspace, type Workspace } from './workspaces/workspace.ts'
import { Workspaces, isWorkspaceName } from './workspaces/workspaces.ts'

/** What a test does with one workspace; the sandbox itself offers the same for `default`. */
export interface SandboxWorkspace {
  readonly name: string
  /** A ready API key of this workspace: the first one of the environment with one product. */
  readonly apiKey: string
  readonly clock: SandboxClock
  readonly state: SandboxState
  readonly scenarios: SandboxScenarios
  /** Back to the state right after start: rows, ids, clock and request numbers. */
  reset(): void
  /** Calls the API in this workspace, without a port; adds the workspace's key when the request has none. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** A sandbox inside this process. */
export interface Sandbox extends SandboxWorkspace {
  readonly environment: Environment
  /** Decides everything that looks random. */
  readonly seed: number
  /** The version of this package. */
  readonly version: string
  /** Calls the API as any client does, without a port: nothing is added to the request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Serves on a port; port 0, the default, takes any free one. Rejects when it cannot bind. */
  listen(options?: { port?: number; host?: string }): Promise<SandboxServer>
  /** The workspace of this name, forked from the baseline on first use. */
  workspace(name: string): SandboxWorkspace
  /** What the contract leaves open, with the values in force. */
  assumptions(): AssumptionView[]
  health(): Health
  /**
   * Reads fixtures and scenarios again, and starts over with them: every workspace is reset to what they give now;
   * seed and clock are those of the start. Objects are taken as they are by then. What holds the sandbox goes on with
   * it: servers, open connections, workspaces.
   *
   * @throws {DocumentError} for documents that cannot be used, with every problem in them; then nothing has changed.
   * @example
   * await writeFile('rows.yaml', edited)
   * await sandbox.reload()
   */
  reload(): Promise<void>
  openapi(serverUrl?: string): Promise<object>
  schema(name: SchemaName): Promise<object>
  /** Stops every server of this sandbox. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A port that a sandbox serves on. */
export interface SandboxServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Told of what happens while a sandbox serves; the command line prints it. */
export interface SandboxEvents {
  onAnswer?: (call: AnsweredCall) => void
  onBug?: (error: unknown, requestId: string) => void
  /** Progress of work that takes longer than a second. */
  onProgress?: (line: string) => void
  /** Ends the loading of fixtures early: the sandbox then rejects. */
  signal?: AbortSignal
}

/** The seed where nobody chose one and no fixture is a dump. */
const defaultSeed = 1

const inProcessOrigin = 'http://localhost'

/**
 * Creates a sandbox: loads the fixtures, fills their gaps, and serves the API in process. Opens no port and touches
 * no global.
 *
 * @throws {DocumentError} for fixtures that are no state document, with every problem in them.
 * @throws {OptionsError} for an option that is unknown or has a bad value.
 * @example
 * const sandbox = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
 * const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer ${sandbox.apiKey}` } })
 */
export async function createSandbox(
  options: SandboxOptions = {},
  events: SandboxEvents = {},
): Promise<Sandbox> {
  const host = systemHost()
  const started = monotonicNow()
  const settings = libraryDefaults(options)
  const assumptions = resolveAssumptions(settings.assume)
  const library = libraryOf(settings, host.cwd)
  const startOptions: BaselineOptions = {
    ...baselineOptions(settings, assumptions, host.cwd),
    ...(settings.generate === undefined ? {} : { generate: settings.generate }),
    ...(events.onProgress ? { progress: events.onProgress } : {}),
    scenarioRule: () => scenarioRuleOf(library),
    ...(events.signal ? { signal: events.signal } : {}),
    elapsed: () => monotonicNow() - started,
  }
  const baseline = await loadBaseline(startOptions)
  const seed = settings.seed ?? baseline.seed ?? defaultSeed
  if (settings.scenarios.length > 0) await requireActive(library)
  const clock = startClock(host.now, settings, baseline.clock)
  const workspaces = new Workspaces(
    { seed, state: baseline.state, clock, scenarios: () => new ScenarioEngine(library, seed) },
    settings.maxWorkspaces,
  )
  const rowRules: RowRules = {
    seed,
    assumptions,
    allowAnyPan: settings.allowAnyPan,
    firstProduct: baseline.firstProduct,
  }
  const closing = new AbortController()
  const baseUrl = settings.baseUrl === undefined ? undefined : new URL(settings.baseUrl)
  const service: Service = {
    workspaces,
    assumptions,
    environment: settings.environment,
    cursors: new Cursors(seed),
    statementLinks: new StatementLinks(seed, assumptions.pdf_url_lifetime_seconds, baseUrl),
    baseUrl,
    corsOrigins: settings.corsOrigin,
    scenarioLibrary: library,
    rowRules,
    closing: closing.signal,
    onBug: events.onBug ?? (() => undefined),
    ...(events.onAnswer ? { onAnswer: events.onAnswer } : {}),
  }
  const servers = new Set<Listening>()
  const verbs: Verbs = {
    health: () => ({
      status: 'ok',
      version: packageVersion(),
      uptime_seconds: Math.floor((monotonicNow() - started) / 1000),
    }),
    assumptions: () => describeAssumptions(assumptions),
    openapi: async (serverUrl) => {
      const { describeApi } = await import('./http/openapi.ts')
      const url = baseUrl?.href.replace(/\/$/, '') ?? serverUrl
      return describeApi({
        assumptions,
        serverUrl: url,
        environment: settings.environment,
        sandboxVersion: packageVersion(),
      })
    },
    schema: async (name) => {
      if (name === 'scenario') return (await import('./scenarios/scenario-schema.ts')).scenarioSchema()
      return (await import('./seed/fixtures-schema.ts')).fixturesSchema()
    },
    workspace: (name) => (isWorkspaceName(name) ? membersOf(opened(name)) : undefined),
  }
  const guard = {
    admin: settings.admin,
    token: settings.adminToken,
    allowedHosts: settings.allowedHosts,
    onLoopback: () => [...servers].every((server) => isLoopback(server.host) || server.host === '::1'),
  }
  const app = createApp(service, createControl(verbs, guard, pathReader(service)))
  const call = async (
    input: string | URL | Request,
    init: RequestInit | undefined,
    workspace?: Workspace,
  ): Promise<Response> => {
    const request = requestOf(input, init)
    let loss: Loss | undefined
    const lost = (how: Loss): void => void (loss = how)
    const response = await app.fetch(request, workspace ? { workspace, lost } : { lost })
    if (loss === undefined) return response
    // A call that hangs ends when its caller gives up, or when the sandbox closes.
    if (loss === 'hang') await untilAborted(request.signal, closing.signal)
    request.signal.throwIfAborted()
    throw lostConnection(loss === 'reset' ? 'reset' : 'closed')
  }

  const opened = (name: string): Workspace =>
    name === defaultWorkspace ? workspaces.default : workspaces.open(name)

  const membersOf = (workspace: Workspace): SandboxWorkspace => ({
    name: workspace.name,
    get apiKey() {
      return readyKey(workspace, settings.environment)
    },
    clock: new WorkspaceClock(workspace),
    state: new WorkspaceState(workspace, rowRules),
    scenarios: new WorkspaceScenarios(workspace, library),
    reset: () => workspaces.reset(workspace),
    fetch: async (input, init) => {
      const request = requestOf(input, init)
      if (request.headers.has('authorization')) return call(request, undefined, workspace)
      // The caller's own Request stays as it is: it may be sent to another workspace next.
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${readyKey(workspace, settings.environment)}`)
      return call(request, { headers }, workspace)
    },
  })

  const close = async (): Promise<void> => {
    closing.abort()
    await Promise.all([...servers].map((server) => server.close()))
    servers.clear()
  }

  return Object.assign(membersOf(workspaces.default), {
    environment: settings.environment,
    seed,
    version: packageVersion(),
    fetch: (input: string | URL | Request, init?: RequestInit) => call(input, init),
    listen: async ({ port = 0, host: address = '127.0.0.1' } = {}) => {
      const server = await listen(app, { port, host: address }, () => workspaces.default.nextRequestId())
      servers.add(server)
      return {
        url: server.url,
        port: server.port,
        close: async () => {
          servers.delete(server)
          await server.close()
        },
      }
    },
    workspace: (name: string) => {
      if (!isWorkspaceName(name)) {
        throw new RangeError(`workspace '${name}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`)
      }
      return membersOf(opened(name))
    },
    assumptions: verbs.assumptions,
    health: verbs.health,
    reload: reloader({
      library,
      workspaces,
      rowRules,
      readBaseline: (scenarioRule) => {
        const began = monotonicNow()
        return loadBaseline({
          ...startOptions,
          scenarioRule: async () => scenarioRule,
          signal: closing.signal,
          elapsed: () => monotonicNow() - began,
        })
      },
    }),
    openapi: (serverUrl: string = inProcessOrigin) => verbs.openapi(serverUrl),
    schema: verbs.schema,
    close,
    [Symbol.asyncDispose]: close,
  })
}

/**
 * A state document with a generated population, as pieces of text: the same bytes for the same seed and products.
 * Pieces, because a large population is longer than the longest text there can be.
 *
 * @throws {OptionsError} without `generate`. @throws {DocumentError} for fixtures that cannot be used.
 * @example
 * for (const piece of await generatePopulation({ generate: { customers: 1000 } })) file.write(piece)
 */
export async function generatePopulation(
  options: SandboxOptions,
  events: SandboxEvents = {},
): Promise<Iterable<string>> {
  const settings = libraryDefaults(options)
  if (!settings.generate) throw new OptionsError('generate: say how many, as in { customers: 1000 }')
  const assumptions = resolveAssumptions(settings.assume)
  const { state } = await loadBaseline(baselineOptions(settings, assumptions, systemHost().cwd))
  const { generateDocument } = await import('./seed/generate.ts')
  const document = await generateDocument({
    ...settings.generate,
    seed: settings.seed ?? defaultSeed,
    products: [...state.all('products')],
    rounding: assumptions.reward_rounding,
    ...(events.onProgress ? { progress: events.onProgress } : {}),
    elapsed: monotonicNow,
  })
  return documentText(document)
}

/** Nothing is read before somebody asks for a scenario: reading YAML would take longer than all the rest. */
function libraryOf(settings: Settings, cwd: string): ScenarioLibrary {
  const given = settings.scenarios.map((input) =>
    typeof input === 'string' && isScenarioPath(input) ? resolve(cwd, input) : input,
  )
  return new ScenarioLibrary(join(packageRoot(), 'scenarios'), given, (path) => shownPath(path, cwd))
}

/** What is active from the start must be known. */
async function requireActive(library: ScenarioLibrary): Promise<void> {
  const ruleOf = await scenarioRuleOf(library)
  for (const name of library.activeNames) {
    const unknown = ruleOf(name)
    if (unknown !== undefined) throw new OptionsError(unknown)
  }
}

/** Why a name is no scenario that every workspace knows, or undefined when it is one. */
async function scenarioRuleOf(library: ScenarioLibrary): Promise<(name: string) => string | undefined> {
  return unknownTo(await library.load())
}

function baselineOptions(settings: Settings, assumptions: Assumptions, cwd: string): BaselineOptions {
  return {
    fixtures: settings.fixtures.map((given) => (typeof given === 'string' ? resolve(cwd, given) : given)),
    defaultFixture: join(packageRoot(), 'fixtures', 'default.json'),
    seed: settings.seed ?? defaultSeed,
    assumptions,
    allowAnyPan: settings.allowAnyPan,
    displayPath: (path) => shownPath(path, cwd),
  }
}

function requestOf(input: string | URL | Request, init: RequestInit | undefined): Request {
  if (input instanceof Request) return init ? new Request(input, init) : input
  return new Request(new URL(input, inProcessOrigin), init)
}

/** The clock of the options, else that of the fixtures, else the machine's. */
function startClock(
  now: () => number,
  settings: { clock: string | undefined; frozen: boolean },
  fromFixtures: { now: string; frozen: boolean } | undefined,
): Clock {
  const at = settings.clock ?? fromFixtures?.now
  return new Clock(now, {
    ...(at === undefined ? {} : { at: Date.parse(at) }),
    frozen: settings.frozen || (settings.clock === undefined && fromFixtures?.frozen === true),
  })
}
