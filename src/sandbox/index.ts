// createSandbox: the parts of a sandbox, in the order in which each needs the ones before.
import { whyClosed } from '../control/guard.ts'
import { createControl } from '../control/index.ts'
import { pagePath } from '../control/page.ts'
import { sandboxFindings } from '../findings/sandbox-findings.ts'
import { createApp } from '../http/app.ts'
import { basePath, pathReader } from '../http/path.ts'
import { prepareReplay } from '../http/replay.ts'
import { optionTable, type SandboxOptions, type Settings } from '../options/index.ts'
import { ttlMs } from '../options/option-values.ts'
import { libraryDefaults } from '../options/read-options.ts'
import { noStore } from '../metrics/store-figures.ts'
import type { DataFolder } from '../persistence/data-folder.ts'
import type { OpenFolder } from '../persistence/open-folder.ts'
import type { OpenData } from '../persistence/open-data.ts'
import type { NotSavedError } from '../workspaces/keeper.ts'
import type { AssumptionsInForce } from '../reading/resolve-assumptions.ts'
import { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { monotonicNow, packageVersion, systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import type { SchemaName, Verbs } from '../verbs/index.ts'
import type { PartsOfCall } from '../verbs/replay-request.ts'
import { sandboxHealth } from '../verbs/sandbox-health.ts'
import { sandboxCoverage } from '../verbs/sandbox-coverage.ts'
import { workspaceVerbs, type VerbContext, type WorkspaceVerbs } from '../verbs/sandbox-workspace.ts'
import { workspaceList } from '../verbs/workspace-list.ts'
import { ConflictError } from '../reading/refusals.ts'
import { redactor } from '../secrets/redact.ts'
import {
  forgetIdle,
  forgottenLine,
  keepForgetting,
  madeRoomLine,
  lookingEvery,
} from '../workspaces/forgetting.ts'
import { requireName } from '../workspaces/names.ts'
import { noteUse } from '../workspaces/uses.ts'
import { assumptionsInForce } from './assumptions-in-force.ts'
import { openDataOf, type DataTrial } from './data-option.ts'
import { openStoreOf, type StoreTrial } from './store-option.ts'
import type { OpenStore } from '../shared-store/open-store.ts'
import type { SandboxEvents } from './events.ts'
import { callInProcess, inProcessOrigin } from './in-process.ts'
import { Servers, type ProcessOwner } from './servers.ts'
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
  events: SandboxEvents & StoreTrial & DataTrial & ProcessOwner = {},
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

/** What was deleted is kept, too, once it is in no file any more. */
function savedIn(folder: DataFolder, saved: () => Promise<void>): () => Promise<void> {
  return async () => {
    await Promise.all([saved(), folder.removed()])
  }
}

async function makeSandbox(
  settings: Settings,
  assumed: AssumptionsInForce,
  events: SandboxEvents & ProcessOwner,
  data: OpenData | OpenFolder | undefined,
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

  let isLost = false
  const how = {
    seed,
    clock: { now: systemHost().now, asked: settings },
    pause: (milliseconds: number, ...signals: readonly AbortSignal[]) =>
      wait(milliseconds, closing.signal, ...signals),
    signal: events.signal,
    onProblem: (line: string) => events.onProblem?.(line),
    onBug: (error: unknown) => service.onBug(error, 'none'),
    onLost: (error: NotSavedError) => {
      // Of the files of a folder each is lost.
      if (isLost) return
      isLost = true
      events.onLost?.(error)
      void close()
    },
  }
  const folder = data && 'keepAll' in data ? await data.keepAll(workspaces, how) : undefined
  if (folder) service.folder = folder
  const keeper = data && 'keep' in data ? await data.keep(workspaces.default, how) : folder

  const call: VerbContext['call'] = (input, init, workspace) =>
    callInProcess({ app, service }, input, init, workspace)
  const trace: VerbContext['trace'] = async (workspace) => {
    const { traceFile } = await import('../inspector/trace-file.tsx')
    const { callsOf, hiddenCoverage, remainsOf } = await import('../inspector/trace.ts')
    const { reportOf } = await import('../coverage/reports/coverage-report.ts')
    const verbs = workspaceVerbs(workspace, context)
    const coverage = await reportOf(workspace.coverage, points, addressOf(servers.url ?? usualAddress))
    return traceFile({
      workspaces: [{ ...(await callsOf(verbs)), remains: await remainsOf(verbs) }],
      assumptions: verbs.assumptions(),
      coverage: await hiddenCoverage(coverage, verbs),
    })
  }
  const context = {
    ...service,
    call,
    trace,
    sendParts: (sent: PartsOfCall) => prepareReplay(service, sent),
    ...(watcher && { onSimulation: () => watcher.onSimulation() }),
  }
  const ttl = ttlMs(settings.workspaceTtl)
  const forgetting = store?.forgetting
  const stopForgetting =
    ttl === undefined
      ? undefined
      : keepForgetting(
          forgetting?.toldEvery ?? lookingEvery(ttl),
          async () => {
            const forgotten = await (forgetting?.forgetIdle() ?? forgetIdle(workspaces, ttl))
            const line = forgottenLine(forgotten, settings.workspaceTtl)
            if (line !== undefined) events.onNotice?.(line)
          },
          (error) => service.onBug(error, 'none'),
        )
  const stopTelling =
    forgetting &&
    keepForgetting(
      forgetting.tellsEvery,
      () => forgetting.tellUses(),
      (error) => service.onBug(error, 'none'),
    )
  workspaces.onMadeRoom = (name) => events.onNotice?.(madeRoomLine(name, settings.maxWorkspaces))
  const watch = watcher && watchCalls(watcher, { points, rules, context })
  if (watch) service.onCall = watch.onCall
  const addressOf = (serverUrl: string): string => baseUrl?.href.replace(/\/$/, '') ?? serverUrl
  const close = async (): Promise<void> => {
    closing.abort()
    await stopForgetting?.()
    await stopTelling?.()
    await servers.close()
    watch?.tellRules()
    await keeper?.close()
    await store?.close()
    await openStore?.close()
    eventLoop.stop()
  }
  const home = workspaceVerbs(workspaces.default, context)
  const visit = (name: string): WorkspaceVerbs => {
    requireName('workspace', name)
    const opened = workspaces.open(name)
    noteUse(opened)
    return workspaceVerbs(opened, context)
  }
  const sandbox: Verbs = Object.assign(home, {
    environment,
    seed,
    get rowsFrom() {
      return data?.kept ? [data.name] : [...parts.rowsFrom()]
    },
    version: packageVersion(),
    fetch: (input: string | URL | Request, init?: RequestInit) => call(input, init),
    listen: (where?: { port?: number; host?: string }) => servers.listen(where),
    workspace: (name: string) => {
      const opened = visit(name)
      folder?.hold(name)
      return opened
    },
    ...(folder && { saved: savedIn(folder, home.saved) }),
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
    ...sandboxHealth({
      started,
      isSaving: () => keeper?.isWell ?? true,
      damaged: () => folder?.damaged ?? store?.damaged ?? [],
      store,
      closing: closing.signal,
    }),
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
    reload: store ? refuseReload : folder ? () => reload().then(() => folder.resetClosed()) : reload,
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

  // A request has hold of a workspace only until it is answered, and makes none where partners are kept apart.
  const visitThere = (name: string): WorkspaceVerbs => {
    requireName('workspace', name)
    if (workspaces.areApart && !workspaces.find(name)) throw workspaces.notThere(name)
    return visit(name)
  }
  const forRequests: Verbs = Object.create(sandbox, { workspace: { value: visitThere } })
  const guard = {
    admin: settings.admin,
    token: settings.adminToken,
    areApart: workspaces.areApart,
    allowedHosts: settings.allowedHosts,
    corsOrigins: settings.corsOrigin,
    baseUrl,
    onLoopback: () => servers.onLoopback,
  }
  const hide = redactor(service.secrets)
  const app = createApp(
    service,
    createControl({
      verbs: forRequests,
      partners: workspaces,
      guard,
      getPath: pathReader(service),
      hide,
      onCall: events.onControl,
      store,
      folder,
      page: async (file) => (await import('../inspector/files.tsx')).servePage(file, basePath(service)),
    }),
    () => (whyClosed(guard) === undefined ? pagePath : undefined),
  )
  const servers = new Servers(app, events.ownsProcess ?? false, {
    nextRequestId: () => workspaces.default.nextRequestId(),
    now: () => workspaces.default.clock.now(),
  })
  return sandbox
}
