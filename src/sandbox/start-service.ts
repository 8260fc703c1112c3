// The service behind a sandbox: everything that all its requests share, loaded and put together.
import type { AssumptionsInForce, Provenance } from '../input/resolve-assumptions.ts'
import type { LoadDocuments } from '../operations/workspace-state.ts'
import type { Service } from '../http/service.ts'
import { StatementLinks } from '../http/statements/statement-links.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { ttlMs } from '../options/option-values.ts'
import { OptionsError } from '../options/read-options.ts'
import { Coverage } from '../coverage/counting.ts'
import { Journal } from '../journal/journal.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { PointCatalogue } from '../coverage/points/catalogue.ts'
import { UnmatchedCalls } from '../explain/unmatched-calls.ts'
import { RequestMetrics } from '../metrics/request-metrics.ts'
import { monotonicNow, randomSecret, systemHost } from '../runtime/host.ts'
import { derived, signingKey } from '../runtime/random.ts'
import { DocumentError } from '../input/problems.ts'
import { UnknownScenarioError, whyUnusable } from '../scenarios/catalogue.ts'
import { ScenarioEngine, type ScenarioStart } from '../scenarios/engine.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import { RuleTotals } from '../scenarios/rule-totals.ts'
import { loadSources, type Baseline } from '../fixtures/load.ts'
import { loadBaseline, type BaselineOptions } from '../generate/baseline.ts'
import { Cursors } from '../store/cursors.ts'
import { reloader } from '../operations/reload.ts'
import { partnerIsolation, testIsolation, type IsolationPolicy } from '../workspaces/isolation-policy.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { Workspaces } from '../workspaces/workspaces.ts'
import type { OpenData } from '../storage/file/open-data.ts'
import type { OpenFolder } from '../storage/file/open-folder.ts'
import { MemoryStorage } from '../storage/memory/index.ts'
import type { OpenStore } from '../storage/redis/open-store.ts'
import type { Storage } from '../workspaces/storage.ts'
import { keepsAll } from './data-option.ts'
import { persist } from './persist.ts'
import { Clock } from '../runtime/clock.ts'
import type { Beginning, Origin } from '../workspaces/workspace.ts'
import type { SandboxEvents } from './events.ts'
import { ingredientsOf } from './store-option.ts'
import { baselineOptions, libraryOf, scenarioRuleOf, startClock } from './inputs.ts'

/** What a sandbox is put together from. */
export interface Started extends Counted {
  service: Service
  provenance: Provenance
  /** Reads documents into a state. */
  loadDocuments: LoadDocuments
  reload: () => Promise<void>
  /** Where the rows of the baseline come from. */
  rowsFrom: () => readonly string[]
}

/** How much memory the journal of one workspace may hold on to. */
const journalBytes = 8 * 1024 * 1024

/** What a service is started with. */
export interface StartOptions {
  settings: Settings
  assumed: AssumptionsInForce
  events: SandboxEvents
  /** Aborted when the sandbox closes. */
  closing: AbortSignal
  data: OpenData | OpenFolder | undefined
  openStore: OpenStore | undefined
  /** Called when nothing can be saved any more. */
  onLost: () => void
}

/** @throws {DocumentError} @throws {OptionsError} see `createSandbox`. */
export async function startService(options: StartOptions): Promise<Started> {
  const { settings, assumed, closing, data, openStore } = options
  const library = libraryOf(settings, systemHost().cwd)
  const source = new BaselineSource(options, library)
  const shared = await openStore?.baseline({
    ingredients: await ingredientsOf(settings, assumed.values, library),
    assumptions: assumed.values,
    load: () => source.load(),
    clock: (start) => new Clock(systemHost().now, start),
    now: systemHost().now,
  })
  const baseline = shared ?? (await source.load())
  if (settings.scenarios.length + settings.scenarioLibrary.length > 0) await requireUsable(library)
  const counted = countedBy(options)
  const secrets = secretsOf(settings, baseline)
  const workspaces = workspacesOf(options, baseline, library, { ...counted, ...secrets })
  let storage: Storage = new MemoryStorage(workspaces)
  if (data) storage = await persist(data, workspaces, options)
  if (openStore && shared) {
    const { journalSize, maxWorkspaces, workspaceTtl } = settings
    const ttl = ttlMs(workspaceTtl)
    const replica = { workspaces, maxWorkspaces, ttl, closing, journalSize, library }
    storage = await openStore.follow({ ...replica, points: counted.points, total: counted.total }, shared)
  }
  const service = serviceOf(options, {
    workspaces,
    storage,
    library,
    secrets: secrets.ofOperator,
    seed: baseline.seed,
  })
  const loading = baselineOptions({ ...settings, seed: baseline.seed }, assumed.values, systemHost().cwd)
  return {
    service,
    ...counted,
    provenance: assumed.provenance,
    loadDocuments: (given, isKnown) =>
      loadSources(given, { ...loading, scenarioRule: () => scenarioRuleOf(library, isKnown) }),
    reload: reloader({ library, workspaces, readBaseline: (rule) => source.read(rule, closing) }),
    rowsFrom: () => source.names,
  }
}

type LoadedBaseline = Beginning & { seed: number }

/** Reads the fixtures that every workspace begins with, at the start and for each reload. */
class BaselineSource {
  /** Where the rows come from, as of the last read. */
  names: readonly string[] = ['the store']
  readonly #options: StartOptions
  readonly #library: ScenarioLibrary

  constructor(options: StartOptions, library: ScenarioLibrary) {
    this.#options = options
    this.#library = library
  }

  async load(): Promise<LoadedBaseline> {
    const { settings, data, events } = this.#options
    const read = await this.#read(() => scenarioRuleOf(this.#library), events.signal)
    return {
      state: read.state,
      firstProduct: read.firstProduct,
      seed: settings.seed ?? data?.kept?.sandbox.seed ?? read.seed ?? defaultSeed,
      clock: startClock(systemHost().now, settings, read.clock),
    }
  }

  read(scenarioRule: (name: string) => string | undefined, signal: AbortSignal): Promise<Baseline> {
    return this.#read(async () => scenarioRule, signal)
  }

  async #read(
    scenarioRule: NonNullable<BaselineOptions['scenarioRule']>,
    signal: AbortSignal | undefined,
  ): Promise<Baseline> {
    const { settings, assumed, data, events } = this.#options
    const began = monotonicNow()
    const read = await loadBaseline({
      ...baselineOptions(
        { ...settings, seed: settings.seed ?? data?.kept?.sandbox.seed },
        assumed.values,
        systemHost().cwd,
      ),
      ...(settings.generate === undefined ? {} : { generate: settings.generate }),
      ...(events.onProgress ? { progress: events.onProgress } : {}),
      ...(events.onWarning ? { onWarning: events.onWarning } : {}),
      ...(signal ? { signal } : {}),
      scenarioRule,
      elapsed: () => monotonicNow() - began,
    })
    this.names = read.sources
    return read
  }
}

interface Counted {
  /** Every contract point. */
  points: PointCatalogue
  /** What the calls of all workspaces exercised. */
  total: Coverage
  /** How often the rules of scenarios were used, in all workspaces. */
  rules: RuleTotals
}

function countedBy({ settings, assumed }: StartOptions): Counted {
  const points = new PointCatalogue({ values: assumed.values, environment: settings.environment })
  return { points, total: new Coverage(points), rules: new RuleTotals() }
}

interface Secrets {
  secrets: KnownSecrets
  /** What a partner's journal hides reveals to the partner that it is a secret: this is hidden from others. */
  ofOperator: KnownSecrets
}

function secretsOf({ isolation, adminToken }: Settings, { state }: Beginning): Secrets {
  const secrets = new KnownSecrets()
  secrets.note(state.all('api_keys'))
  const ofOperator = isolation === 'partner' ? new KnownSecrets(secrets) : secrets
  if (adminToken !== undefined) ofOperator.add(adminToken)
  return { secrets, ofOperator }
}

function workspacesOf(
  { settings, openStore }: StartOptions,
  { state, clock, firstProduct, seed }: LoadedBaseline,
  library: ScenarioLibrary,
  { points, total, rules, secrets, ofOperator }: Counted & Secrets,
): Workspaces {
  const limits = { entries: settings.journalSize, bytes: journalBytes }
  const origin: Origin = {
    seed,
    policy: policyOf(settings),
    state,
    clock,
    firstProduct,
    // No partner may learn that a text is a key of `default`, by not being shown it.
    journal: (name: string) =>
      new Journal(limits, name === defaultWorkspace ? ofOperator : secrets, systemHost().now() * 1000),
    coverage: () => new Coverage(points, total),
    scenarios: (start?: ScenarioStart) => new ScenarioEngine(library, seed, start, rules),
  }
  // A shared store itself knows how many there are, and which may be evicted.
  const limit = openStore ? Infinity : settings.maxWorkspaces
  return new Workspaces(origin, limit, ttlMs(settings.workspaceTtl) !== undefined)
}

function serviceOf(
  { settings, assumed: { values: assumptions }, events, closing }: StartOptions,
  parts: {
    workspaces: Workspaces
    storage: Storage
    library: ScenarioLibrary
    secrets: KnownSecrets
    seed: number
  },
): Service {
  const { workspaces, storage, library, secrets, seed } = parts
  const { allowAnyPan, environment, corsOrigin } = settings
  const baseUrl = settings.baseUrl === undefined ? undefined : new URL(settings.baseUrl)
  // All partners know the seed, so that with them nothing is signed by it.
  const root = settings.isolationSecret ?? randomSecret(32)
  const signedBy = (purpose: string): Buffer =>
    settings.isolation === 'partner' ? derived(root, purpose) : signingKey(seed, purpose)
  const { pdf_url_lifetime_seconds: lifetime } = assumptions
  return {
    workspaces,
    storage,
    assumptions,
    environment,
    cursors: new Cursors(signedBy('cursors')),
    statementLinks: new StatementLinks(signedBy('statement-links'), lifetime, baseUrl),
    baseUrl,
    corsOrigins: corsOrigin,
    scenarioLibrary: library,
    rowRules: { seed, assumptions, allowAnyPan },
    recorder: {
      secrets,
      unmatched: new UnmatchedCalls(secrets, baseUrl?.pathname.replace(/\/$/, '') ?? ''),
      metrics: new RequestMetrics(),
      ...(events.onAnswer ? { onAnswer: events.onAnswer } : {}),
    },
    closing,
    onBug: events.onBug ?? (() => undefined),
  }
}

/**
 * Without persistence the same names give the same keys after a restart, and in each process with the secret. A
 * persisted workspace has a lineage that no other has.
 */
function policyOf(settings: Settings): IsolationPolicy {
  const { isolation, isolationSecret: secret } = settings
  if (isolation === 'test') return testIsolation
  const isPersisted = keepsAll(settings)
  return partnerIsolation(secret, (earlier) => {
    if (secret === undefined) return randomSecret(32)
    return isPersisted ? randomSecret(16) : String(earlier + 1)
  })
}

/** @throws {OptionsError} for a name that nobody knows. @throws {DocumentError} for a scenario that cannot act here. */
async function requireUsable(library: ScenarioLibrary): Promise<void> {
  const catalogue = await library.load()
  const problems = library.activeNames.flatMap((name) => {
    const scenario = catalogue.get(name)
    if (!scenario) throw new OptionsError(new UnknownScenarioError(name, [...catalogue.keys()]).message)
    const why = whyUnusable(scenario, library.environment)
    return why ? [{ source: scenario.source, path: '', message: why.message }] : []
  })
  if (problems.length > 0) throw new DocumentError(problems)
}
