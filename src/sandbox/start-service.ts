// The service behind a sandbox: everything that all its requests share, loaded and put together.
import type { AssumptionsInForce } from '../reading/resolve-assumptions.ts'
import type { Service } from '../http/service.ts'
import { StatementLinks } from '../statement-pdf/statement-links.ts'
import { defaultSeed, type Settings } from '../options/index.ts'
import { ttlMs } from '../options/option-values.ts'
import { OptionsError } from '../options/read-options.ts'
import { Coverage } from '../coverage/counting.ts'
import { Journal } from '../journal/journal.ts'
import { KnownSecrets } from '../secrets/known-secrets.ts'
import { PointCatalogue } from '../coverage/points/catalogue.ts'
import { UnmatchedCalls } from '../findings/unmatched-calls.ts'
import { RequestMetrics } from '../metrics/request-metrics.ts'
import { monotonicNow, randomSecret, systemHost } from '../runtime/host.ts'
import { derived, signingKey } from '../runtime/random.ts'
import { DocumentError } from '../reading/problems.ts'
import { UnknownScenarioError, whyUnusable } from '../scenarios/catalogue.ts'
import { ScenarioEngine } from '../scenarios/engine.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import { RuleTotals } from '../scenarios/rule-totals.ts'
import type { SandboxPart } from '../documents/state-document.ts'
import { loadSources } from '../documents/load.ts'
import { loadBaseline, type BaselineOptions } from '../population/baseline.ts'
import { Cursors } from '../store/cursors.ts'
import { reloader } from '../verbs/reload.ts'
import { Partners } from '../workspaces/partners.ts'
import { defaultWorkspace } from '../workspaces/workspace.ts'
import { Workspaces } from '../workspaces/workspaces.ts'
import type { OpenStore } from '../shared-store/open-store.ts'
import { keepsAll } from './data-option.ts'
import { Clock } from '../runtime/clock.ts'
import type { Beginning } from '../workspaces/workspace.ts'
import type { SandboxEvents } from './events.ts'
import { ingredientsOf } from './store-option.ts'
import { baselineOptions, libraryOf, scenarioRuleOf, startClock } from './inputs.ts'

/** What a sandbox is put together from. */
export interface Started {
  service: Service
  reload: () => Promise<void>
  /** Where the rows of the baseline come from. */
  rowsFrom: () => readonly string[]
  /** Every contract point, and what the calls of all workspaces exercised. */
  points: PointCatalogue
  total: Coverage
  /** What became of the rules of scenarios in all workspaces. */
  rules: RuleTotals
}

/** How much memory the journal of one workspace may hold on to. */
const journalBytes = 8 * 1024 * 1024

/**
 * @param closing aborted when the sandbox closes.
 * @param kept what a data file says of the sandbox it was written by.
 * @throws {DocumentError} @throws {OptionsError} see `createSandbox`.
 */
export async function startService(
  settings: Settings,
  { values: assumptions, provenance }: AssumptionsInForce,
  events: SandboxEvents,
  closing: AbortSignal,
  kept: SandboxPart | undefined,
  openStore?: OpenStore,
): Promise<Started> {
  const host = systemHost()
  const started = monotonicNow()
  const library = libraryOf(settings, host.cwd)
  const loading = baselineOptions({ ...settings, seed: settings.seed ?? kept?.seed }, assumptions, host.cwd)
  const startOptions: BaselineOptions = {
    ...loading,
    ...(settings.generate === undefined ? {} : { generate: settings.generate }),
    ...(events.onProgress ? { progress: events.onProgress } : {}),
    scenarioRule: () => scenarioRuleOf(library),
    ...(events.signal ? { signal: events.signal } : {}),
    ...(events.onWarning ? { onWarning: events.onWarning } : {}),
    elapsed: () => monotonicNow() - started,
  }
  let sources: readonly string[] = ['the store']
  const load = async (): Promise<Beginning & { seed: number }> => {
    const baseline = await loadBaseline(startOptions)
    sources = baseline.sources
    return {
      state: baseline.state,
      firstProduct: baseline.firstProduct,
      seed: settings.seed ?? kept?.seed ?? baseline.seed ?? defaultSeed,
      clock: startClock(host.now, settings, baseline.clock),
    }
  }
  const shared = await openStore?.baseline({
    ingredients: await ingredientsOf(settings, assumptions, library),
    assumptions,
    load,
    clock: (start) => new Clock(host.now, start),
    now: host.now,
  })
  const baseline = shared ?? (await load())
  const { seed } = baseline
  if (settings.scenarios.length + settings.scenarioLibrary.length > 0) {
    await requireUsable(library)
  }
  const secrets = new KnownSecrets()
  secrets.note(baseline.state.all('api_keys'))
  // What is hidden in a partner's journal tells the partner that it is a secret.
  const operatorSecrets = settings.isolation === 'partner' ? new KnownSecrets(secrets) : secrets
  if (settings.adminToken !== undefined) operatorSecrets.add(settings.adminToken)
  const points = new PointCatalogue({ values: assumptions, environment: settings.environment })
  const total = new Coverage(points)
  const rules = new RuleTotals()
  const journalLimits = { entries: settings.journalSize, bytes: journalBytes }
  const { allowAnyPan, environment, corsOrigin, maxWorkspaces, workspaceTtl } = settings
  const ttl = ttlMs(workspaceTtl)
  const baseUrl = settings.baseUrl === undefined ? undefined : new URL(settings.baseUrl)
  const apart = partnersOf(settings)
  // All partners know the seed, so that with them nothing is signed by it.
  const root = settings.isolationSecret ?? randomSecret(32)
  const signedBy = (purpose: string): Buffer => (apart ? derived(root, purpose) : signingKey(seed, purpose))
  const service: Service = {
    workspaces: new Workspaces(
      {
        seed,
        partners: apart,
        state: baseline.state,
        clock: baseline.clock,
        firstProduct: baseline.firstProduct,
        // No partner is to learn of a text that it is a key of `default`, by not being shown it.
        journal: (name) =>
          new Journal(
            journalLimits,
            name === defaultWorkspace ? operatorSecrets : secrets,
            host.now() * 1000,
          ),
        coverage: () => new Coverage(points, total),
        scenarios: (start) => new ScenarioEngine(library, seed, start, rules),
      },
      // Of those that several processes share the store knows how many there are, and which may go.
      openStore ? Infinity : maxWorkspaces,
      ttl !== undefined,
    ),
    assumptions,
    provenance,
    environment,
    cursors: new Cursors(signedBy('cursors')),
    statementLinks: new StatementLinks(
      signedBy('statement-links'),
      assumptions.pdf_url_lifetime_seconds,
      baseUrl,
    ),
    baseUrl,
    corsOrigins: corsOrigin,
    scenarioLibrary: library,
    rowRules: { seed, assumptions, allowAnyPan },
    secrets: operatorSecrets,
    unmatched: new UnmatchedCalls(operatorSecrets, baseUrl?.pathname.replace(/\/$/, '') ?? ''),
    metrics: new RequestMetrics(),
    loadDocuments: (given, isKnown) =>
      loadSources(given, { ...loading, seed, scenarioRule: () => scenarioRuleOf(library, isKnown) }),
    closing,
    onBug: events.onBug ?? (() => undefined),
    ...(events.onAnswer ? { onAnswer: events.onAnswer } : {}),
  }
  if (openStore && shared) {
    const { journalSize } = settings
    const input = {
      workspaces: service.workspaces,
      mostWorkspaces: maxWorkspaces,
      ttl,
      closing,
      journalSize,
      library,
      points,
      total,
    }
    service.shared = await openStore.follow(input, shared)
  }
  const reload = reloader({
    library,
    workspaces: service.workspaces,
    readBaseline: async (scenarioRule) => {
      const began = monotonicNow()
      const read = await loadBaseline({
        ...startOptions,
        scenarioRule: async () => scenarioRule,
        signal: closing,
        elapsed: () => monotonicNow() - began,
      })
      sources = read.sources
      return read
    },
  })
  return { service, reload, rowsFrom: () => sources, points, total, rules }
}

/**
 * Who the workspaces are for, where partners are kept apart. Where nothing is kept the same names give the same keys,
 * after a restart and in each process with the secret; what is kept has a lineage that no other has.
 */
function partnersOf(settings: Settings): Partners | undefined {
  const { isolation, isolationSecret } = settings
  if (isolation !== 'partner') return undefined
  const isKept = keepsAll(settings)
  return new Partners({
    secret: isolationSecret,
    next: (earlier) => {
      if (isolationSecret === undefined) return randomSecret(32)
      return isKept ? randomSecret(16) : String(earlier + 1)
    },
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
