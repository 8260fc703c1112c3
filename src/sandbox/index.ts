// createSandbox: the parts of a sandbox, in the order in which each needs the ones before.
import { whyClosed } from '../control/guard.ts'
import { createControl } from '../control/index.ts'
import { pagePath } from '../control/page.ts'
import { sandboxFindings } from '../findings/sandbox-findings.ts'
import { createApp } from '../http/app.ts'
import { directCalls } from '../http/direct-calls.ts'
import { basePath, pathReader } from '../http/path.ts'
import { sendParts } from '../http/send-parts.ts'
import { optionTable, type SandboxOptions, type Settings } from '../options/index.ts'
import { libraryDefaults } from '../options/read-options.ts'
import { noStore } from '../metrics/store-figures.ts'
import type { OpenData } from '../persistence/open-data.ts'
import type { AssumptionsInForce } from '../reading/resolve-assumptions.ts'
import { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { monotonicNow, packageVersion, systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import type { SchemaName, Verbs } from '../verbs/index.ts'
import type { PartsOfCall } from '../verbs/replay-request.ts'
import { sandboxHealth } from '../verbs/sandbox-health.ts'
import { sandboxCoverage } from '../verbs/sandbox-coverage.ts'
import { workspaceVerbs, type VerbContext } from '../verbs/sandbox-workspace.ts'
import { workspaceList } from '../verbs/workspace-list.ts'
import { ConflictError } from '../reading/refusals.ts'
import { redactor } from '../secrets/redact.ts'
import { requireName } from '../workspaces/names.ts'
import { assumptionsInForce } from './assumptions-in-force.ts'
import { openDataOf } from './data-option.ts'
import { openStoreOf, type StoreTrial } from './store-option.ts'
import type { OpenStore } from '../shared-store/open-store.ts'
import type { SandboxEvents } from './events.ts'
import { callInProcess, inProcessOrigin } from './in-process.ts'
import { Servers } from './servers.ts'
import { startService } from './start-service.ts'
import { watchCalls, type Watcher } from './watch-calls.ts'

export type { Sandbox, SandboxServer } from '../verbs/index.ts'
export type { SandboxEvents } from './events.ts'
export type { SeenCall, Watcher } from './watch-calls.ts'

/** Where the command line serves unless it is told otherwise. */
const usualAddress = `http://localhost:${optionTable.port.default}`

/**
 * Creates a sandbox, as `runs/join-run.ts` documents it.
 * @param watcher told of each call, for whoever gathers a run of several sandboxes.
 */
export async function createSandbox(
  options: SandboxOptions = {},
  events: SandboxEvents & StoreTrial = {},
  watcher?: Watcher,
): Promise<Verbs> {
  const settings = libraryDefaults(options)
  const assumed = await assumptionsInForce(settings, events)
  const data = await openDataOf(settings, assumed.values, events)
  let store: OpenStore | undefined
  try {
    store = await openStoreOf(settings, events)
    return await makeSandbox(settings, assumed, events, data, watcher, store)
  } catch (error) {
    await store?.close()
    await data?.release()
    throw error
  }
}

/** What one replica reads again the others do not. */
async function refuseReload(): Promise<never> {
  throw new ConflictError(
    'With a store that several replicas share there is no reload: start replicas with the new fixtures and another --store-prefix.',
  )
}

async function makeSandbox(
  settings: Settings,
  assumed: AssumptionsInForce,
  events: SandboxEvents,
  data: OpenData | undefined,
  watcher: Watcher | undefined,
  openStore: OpenStore | undefined,
): Promise<Verbs> {
  const started = monotonicNow()
  const closing = new AbortController()
  const parts = await startService(settings, assumed, events, closing.signal, data?.kept?.sandbox, openStore)
  const { service, reload, points, total, rules } = parts
  const { workspaces, assumptions, provenance, environment, baseUrl } = service
  const { seed } = workspaces.default
  const store = service.shared?.store
  const eventLoop = new EventLoopDelay()

  const keeper = await data?.keep(workspaces.default, {
    seed,
    clock: { now: systemHost().now, asked: settings },
    pause: (milliseconds) => wait(milliseconds, closing.signal),
    onProblem: (line) => events.onProblem?.(line),
    onBug: (error) => service.onBug(error, 'none'),
    onLost: (error) => {
      events.onLost?.(error)
      void close()
    },
  })

  const call: VerbContext['call'] = (input, init, workspace) =>
    callInProcess({ app, service }, input, init, workspace)
  const trace: VerbContext['trace'] = async (workspace) => {
    const { traceFile } = await import('../inspector/trace-file.tsx')
    const { callsOf, hiddenCoverage, remainsOf } = await import('../inspector/trace.ts')
    const { reportOf } = await import('../coverage/reports/coverage-report.ts')
    const verbs = workspaceVerbs(workspace, context)
    const coverage = await reportOf(workspace.coverage, points, addressOf(servers.url ?? usualAddress))
    return traceFile({
      workspaces: [{ ...callsOf(verbs), remains: await remainsOf(verbs) }],
      assumptions: verbs.assumptions(),
      coverage: hiddenCoverage(coverage, verbs),
    })
  }
  const context = {
    ...service,
    call,
    trace,
    sendParts: (sent: PartsOfCall) => sendParts(service, sent),
    ...(watcher && { onSimulation: () => watcher.onSimulation() }),
  }
  const watch = watcher && watchCalls(watcher, { points, rules, context })
  if (watch) service.onCall = watch.onCall
  const addressOf = (serverUrl: string): string => baseUrl?.href.replace(/\/$/, '') ?? serverUrl
  const close = async (): Promise<void> => {
    closing.abort()
    await servers.close()
    watch?.tellRules()
    await keeper?.close()
    await store?.idle()
    await openStore?.close()
    eventLoop.stop()
  }
  const sandbox: Verbs = Object.assign(workspaceVerbs(workspaces.default, context), {
    environment,
    seed,
    get rowsFrom() {
      return data?.kept ? [data.name] : [...parts.rowsFrom()]
    },
    version: packageVersion(),
    fetch: (input: string | URL | Request, init?: RequestInit) => call(input, init),
    listen: (where?: { port?: number; host?: string }) => servers.listen(where),
    workspace: (name: string) => {
      requireName('workspace', name)
      return workspaceVerbs(workspaces.open(name), context)
    },
    workspaces: workspaceList(context),
    contract: () => points.list(),
    coverage: sandboxCoverage({
      store,
      workspaces,
      total,
      points,
      provenance,
      addressOf: (serverUrl) => addressOf(serverUrl ?? servers.url ?? usualAddress),
    }),
    findings: sandboxFindings(rules, service.unmatched),
    ...sandboxHealth({ started, isSaving: () => keeper?.isWell ?? true, store, closing: closing.signal }),
    metrics: async () => {
      const { metricsText } = await import('../metrics/sandbox-metrics.ts')
      const { metrics: requests } = service
      return metricsText({
        requests,
        workspaces: workspaces.list(),
        store: store?.figures ?? noStore,
        eventLoop,
      })
    },
    reload: store ? refuseReload : reload,
    openapi: async (serverUrl: string = inProcessOrigin) => {
      const { describeApi } = await import('../openapi/index.ts')
      const address = addressOf(serverUrl)
      const sandboxVersion = packageVersion()
      return describeApi({ assumptions, provenance, serverUrl: address, environment, sandboxVersion })
    },
    schema: async (name: SchemaName) => {
      if (name === 'scenario') return (await import('../scenarios/scenario-schema.ts')).scenarioSchema()
      return (await import('../documents/fixtures-schema.ts')).fixturesSchema()
    },
    closing: closing.signal,
    stop: () => {
      if (events.onStop) events.onStop()
      else close().catch((error: unknown) => service.onBug(error, 'none'))
    },
    close,
    [Symbol.asyncDispose]: close,
  })

  const guard = {
    admin: settings.admin,
    token: settings.adminToken,
    allowedHosts: settings.allowedHosts,
    corsOrigins: settings.corsOrigin,
    baseUrl,
    onLoopback: () => servers.onLoopback,
  }
  const hide = redactor(workspaces.default.journal.secrets)
  const app = createApp(
    service,
    createControl({
      verbs: sandbox,
      guard,
      getPath: pathReader(service),
      hide,
      onCall: events.onControl,
      store,
      page: async (file) => (await import('../inspector/files.tsx')).servePage(file, basePath(service)),
    }),
    () => (whyClosed(guard) === undefined ? pagePath : undefined),
  )
  const servers = new Servers(app, directCalls(service), {
    nextRequestId: () => workspaces.default.nextRequestId(),
    now: () => workspaces.default.clock.now(),
  })
  return sandbox
}
