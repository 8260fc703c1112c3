// Starts the service behind a sandbox: loads and builds everything that its requests share.
import { servedEndpoints } from '../endpoints/index.ts'
import type { AssumptionsInForce, Provenance } from '../input/resolve-assumptions.ts'
import type { LoadDocuments } from '../operations/state.ts'
import type { Service } from '../http/service.ts'
import { StatementLinks } from '../http/statements/statement-links.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { durationMs } from '../runtime/duration.ts'
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
import type { State } from '../store/state.ts'
import type { WebhookDescription } from '../events/description-type.ts'
import { skipWaiting } from '../events/waiting-attempts.ts'
import type { WebhookTestHooks } from './outboxes.ts'
import { webhooksOf } from './webhooks-option.ts'
import type { OwnedWorkspaces } from '../storage/core/owned-workspaces.ts'
import { persistsAll, type SandboxStorage } from './storage-option.ts'
import type { Beginning, Origin } from '../workspaces/workspace.ts'
import type { SandboxEvents } from './events.ts'
import { baselineOptions, libraryOf, scenarioRuleOf, startClock } from './inputs.ts'

/** The parts of a started sandbox. */
export interface StartedService extends Counters {
  service: Service
  /** The workspaces that are persisted; undefined in memory. */
  owned: OwnedWorkspaces | undefined
  provenance: Provenance
  /** How webhook events look, if they are served. */
  webhooks: WebhookDescription | undefined
  /** Reads documents into a state. */
  loadDocuments: LoadDocuments
  reload: () => Promise<void>
  /** The sources of the rows of the baseline. */
  rowsFrom: () => readonly string[]
}

/** The maximum memory of the journal of one workspace, in bytes. */
const journalBytes = 8 * 1024 * 1024

/** The inputs of the start of a service. */
export interface StartOptions {
  settings: Settings
  assumed: AssumptionsInForce
  events: SandboxEvents & WebhookTestHooks
  /** Aborted when the sandbox closes. */
  closing: AbortSignal
  storage: SandboxStorage | undefined
  /** Called when nothing can be saved any more. */
  onLost: () => void
  /** The address at which clients reach the sandbox, for links in webhook events. */
  address: () => string
  runNumber: Origin['runNumber']
}

/** @throws {DocumentError} @throws {OptionsError} see `createSandbox`. */
export async function startService(options: StartOptions): Promise<StartedService> {
  const { settings, assumed, closing, storage, onLost } = options
  const library = libraryOf(settings, systemHost().cwd)
  const source = new BaselineSource(options, library)
  const baseline = await source.load()
  if (settings.scenarios.length + settings.scenarioLibrary.length > 0) await requireUsable(library)
  for (const warning of library.warnings) options.events.onWarning?.(warning)
  const counted = countersFor(options)
  const secrets = secretsOf(settings, baseline)
  const webhooks = await webhooksOf(settings, assumed.values)
  // The active scenarios of storage change events without a call that would load them.
  if (webhooks && storage) await library.load()
  const outboxes =
    webhooks &&
    (await import('./outboxes.ts')).outboxesWith({
      description: webhooks,
      limit: settings.eventsSize,
      webhookSecret: settings.webhookSecret,
      webhookAllow: settings.webhookAllow,
      resolve: options.events.resolve,
    })
  const workspaces = workspacesOf(options, baseline, library, {
    ...counted,
    ...secrets,
    outbox: outboxes?.outboxOf,
  })
  const how = { settings, assumptions: assumed.values, closing, onLost }
  const owned = await storage?.persist(workspaces, library, how)
  const service = serviceOf(options, {
    workspaces,
    library,
    secrets: secrets.ofOperator,
    seed: baseline.seed,
  })
  const { statementLinks, onBug } = service
  outboxes?.start({
    workspaces,
    statementLinks,
    root: signerOf(settings, baseline.seed)('webhooks'),
    address: options.address,
    closing,
    onBug: (error) => onBug(error, 'none'),
  })
  const loading = baselineOptions({ ...settings, seed: baseline.seed }, assumed.values, systemHost().cwd)
  return {
    service,
    owned,
    ...counted,
    provenance: assumed.provenance,
    webhooks,
    loadDocuments: async (sources, isKnown) => {
      const rule = { scenarioRule: () => scenarioRuleOf(library, isKnown) }
      return withoutWaiting(await loadSources(sources, { ...loading, ...rule }))
    },
    reload: reloader({ library, workspaces, readBaseline: (rule) => source.read(rule, closing) }),
    rowsFrom: () => source.names,
  }
}

type LoadedBaseline = Beginning & { seed: number }

/** Reads the fixtures that every workspace begins with, at the start and for each reload. */
class BaselineSource {
  /** The sources of the rows, as of the last read. */
  names: readonly string[] = []
  readonly #options: StartOptions
  readonly #library: ScenarioLibrary

  constructor(options: StartOptions, library: ScenarioLibrary) {
    this.#options = options
    this.#library = library
  }

  async load(): Promise<LoadedBaseline> {
    const { settings, storage, events } = this.#options
    const read = await this.#read(() => scenarioRuleOf(this.#library), events.signal)
    return {
      state: read.state,
      firstProduct: read.firstProduct,
      seed: settings.seed ?? storage?.opened.home?.sandbox.seed ?? read.seed ?? defaultSeed,
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
    const { settings, assumed, storage, events } = this.#options
    const began = monotonicNow()
    const read = await loadBaseline({
      ...baselineOptions(
        { ...settings, seed: settings.seed ?? storage?.opened.home?.sandbox.seed },
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
    return withoutWaiting(read)
  }
}

interface Counters {
  /** Every contract point. */
  points: PointCatalogue
  /** The contract points that the calls of all workspaces exercised. */
  total: Coverage
  /** How many calls matched each rule of a scenario, and how many it acted on, over all workspaces. */
  rules: RuleTotals
}

function countersFor({ settings, assumed }: StartOptions): Counters {
  const points = new PointCatalogue({ values: assumed.values, environment: settings.environment })
  return { points, total: new Coverage(points), rules: new RuleTotals() }
}

interface Secrets {
  secrets: KnownSecrets
  /**
   * The secrets that are redacted for the operator: all of them. A partner who sees a text redacted learns that it is a
   * secret, so the journals of partners redact only `secrets`.
   */
  ofOperator: KnownSecrets
}

function secretsOf({ isolation, adminToken, webhookSecret }: Settings, { state }: Beginning): Secrets {
  const secrets = new KnownSecrets()
  secrets.note(state.secretRows())
  const ofOperator = isolation === 'partner' ? new KnownSecrets(secrets) : secrets
  for (const secret of [adminToken, webhookSecret]) if (secret !== undefined) ofOperator.add(secret)
  return { secrets, ofOperator }
}

function workspacesOf(
  { settings, runNumber, events }: StartOptions,
  { state, clock, firstProduct, seed }: LoadedBaseline,
  library: ScenarioLibrary,
  { points, total, rules, secrets, ofOperator, outbox }: Counters & Secrets & Pick<Origin, 'outbox'>,
): Workspaces {
  const limits = { entries: settings.journalSize, bytes: journalBytes }
  const origin: Origin = {
    seed,
    runNumber,
    runningTest: events.runningTest,
    policy: policyOf(settings),
    state,
    clock,
    firstProduct,
    // A partner who sees a text redacted learns that it is a key of `default`, so the journals of partners do not
    // redact those keys.
    journal: (name: string) =>
      new Journal(limits, name === defaultWorkspace ? ofOperator : secrets, systemHost().now() * 1000),
    coverage: () => new Coverage(points, total),
    scenarios: (start?: ScenarioStart) => new ScenarioEngine(library, seed, start, rules),
    outbox,
  }
  return new Workspaces(origin, settings.maxWorkspaces, durationMs(settings.workspaceTtl) !== undefined)
}

function serviceOf(
  { settings, assumed: { values: assumptions }, events, closing }: StartOptions,
  parts: {
    workspaces: Workspaces
    library: ScenarioLibrary
    secrets: KnownSecrets
    seed: number
  },
): Service {
  const { workspaces, library, secrets, seed } = parts
  const { allowAnyPan, environment, corsOrigin, maxBody } = settings
  const baseUrl = settings.baseUrl === undefined ? undefined : new URL(settings.baseUrl)
  const signedBy = signerOf(settings, seed)
  const { pdf_url_lifetime_seconds: lifetime } = assumptions
  return {
    workspaces,
    assumptions,
    environment,
    cursors: new Cursors(signedBy('cursors')),
    statementLinks: new StatementLinks(signedBy('statement-links'), lifetime, baseUrl),
    baseUrl,
    corsOrigins: corsOrigin,
    maxBody,
    scenarioLibrary: library,
    rowRules: { seed, allowAnyPan, assumptions },
    recorder: {
      secrets,
      unmatched: new UnmatchedCalls(
        secrets,
        baseUrl?.pathname.replace(/\/$/, '') ?? '',
        servedEndpoints(assumptions),
      ),
      metrics: new RequestMetrics(),
      ...(events.onAnswer ? { onAnswer: events.onAnswer } : {}),
    },
    closing,
    onBug: events.onBug ?? (() => undefined),
  }
}

/** Derives the keys that sign for the sandbox. All partners know the seed, so with --isolation partner it signs nothing. */
function signerOf({ isolation, isolationSecret }: Settings, seed: number): (purpose: string) => Buffer {
  const root = isolationSecret ?? randomSecret(32)
  return (purpose) => (isolation === 'partner' ? derived(root, purpose) : signingKey(seed, purpose))
}

/** Documents arrange a test: none of their events is delivered. */
function withoutWaiting<T extends { state: State }>(loaded: T): T {
  skipWaiting(loaded.state, 'the row was loaded')
  return loaded
}

/**
 * Returns the isolation policy. A lineage is random, so that no other workspace ever gets the same keys. With a secret
 * and without persistence, it is a counter: the same names get the same keys after a restart and in each process.
 */
function policyOf(settings: Settings): IsolationPolicy {
  const { isolation, isolationSecret: secret } = settings
  if (isolation === 'test') return testIsolation
  const isPersisted = persistsAll(settings)
  return partnerIsolation(secret, (earlier) => {
    if (secret === undefined) return randomSecret(32)
    return isPersisted ? randomSecret(16) : String(earlier + 1)
  })
}

/** @throws {OptionsError} for an unknown name. @throws {DocumentError} for a scenario that cannot act here. */
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
