// startSandbox and createSandbox: build the parts of a sandbox, each after the parts that it needs. Code that no call of
// the API needs is loaded on first use.
import type { PointCatalogue } from '../coverage/points/catalogue.ts'
import { prepareReplay } from '../http/replay.ts'
import { optionTable, type SandboxOptions, type Settings } from '../options/index.ts'
import { libraryDefaults } from '../options/read-options.ts'
import type { AssumptionsInForce } from '../input/resolve-assumptions.ts'
import { EventLoopDelay } from '../runtime/event-loop-delay.ts'
import { monotonicNow } from '../runtime/host.ts'
import type { Environment } from '../contract/versions.ts'
import type { ListenAt, SandboxServer, Verbs } from '../operations/index.ts'
import type { VerbContext } from '../operations/sandbox-workspace.ts'
import type { TracedTest } from '../call/test-result.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { assumptionsInForce } from './assumptions-in-force.ts'
import type { SandboxEvents } from './events.ts'
import { callInProcess } from './in-process.ts'
import type { WebhookTestHooks } from './outboxes.ts'
import { serveSandbox } from './serve-sandbox.ts'
import type { ProcessOwner } from './servers.ts'
import { startService } from './start-service.ts'
import type { StorageTestHooks } from './opened-storage.ts'
import { SandboxStorage } from './storage-option.ts'
import { tendWorkspaces } from './tend-workspaces.ts'
import type { Watcher } from './watch-calls.ts'

export type { Sandbox, SandboxServer } from '../operations/index.ts'
export type { SandboxEvents } from './events.ts'
export type { SeenCall, Watcher } from './watch-calls.ts'

/** The default address of the command line. */
const defaultAddress = `http://localhost:${optionTable.port.default}`

/** A sandbox that serves the API; its other operations are loaded on first use. */
export interface StartedSandbox {
  /** The workspace `default`. */
  readonly home: Workspace
  readonly environment: Environment
  readonly seed: number
  /** The source of the initial rows of `default`. */
  readonly rowsFrom: readonly string[]
  listen(where?: ListenAt): Promise<SandboxServer>
  /** Reloads fixtures and scenarios. @throws {DocumentError} */
  reload(): Promise<void>
  close(): Promise<void>
  /** Loads the operations that the library and the control plane share. */
  operations(): Promise<Verbs>
}

type Events = SandboxEvents & StorageTestHooks & WebhookTestHooks & ProcessOwner

/** Creates a sandbox with all operations, as `runs/join-run.ts` documents it. */
export async function createSandbox(
  options?: SandboxOptions,
  events?: Events,
  watcher?: Watcher,
): Promise<Verbs> {
  return (await startSandbox(options, events, watcher)).operations()
}

/**
 * Starts a sandbox of which only the API is loaded.
 * @param watcher notified of each call, for a run of several sandboxes.
 */
export async function startSandbox(
  options: SandboxOptions = {},
  events: Events = {},
  watcher?: Watcher,
): Promise<StartedSandbox> {
  const settings = libraryDefaults(options)
  const assumed = await assumptionsInForce(settings, events)
  const storage = await SandboxStorage.open(settings, assumed.values, events)
  try {
    return await buildSandbox({ settings, assumed, events, storage, watcher })
  } catch (error) {
    await storage?.close()
    throw error
  }
}

/** The inputs from which the parts of a sandbox are built. */
interface Inputs {
  settings: Settings
  assumed: AssumptionsInForce
  events: SandboxEvents & WebhookTestHooks & ProcessOwner
  storage: SandboxStorage | undefined
  watcher: Watcher | undefined
}

async function buildSandbox(inputs: Inputs): Promise<StartedSandbox> {
  const { settings, assumed, events, storage, watcher } = inputs
  const started = monotonicNow()
  const closing = new AbortController()
  let isLost = false
  /** Empty until the sandbox is built. */
  const built: { close?: () => Promise<void> } = {}
  const onLost = (): void => {
    isLost = true
    void built.close?.()
  }
  const parts = await startService({
    settings,
    assumed,
    events,
    closing: closing.signal,
    storage,
    onLost,
    address: () => address(),
    runNumber: watcher?.runNumber,
  })
  const { service, owned } = parts
  const eventLoop = new EventLoopDelay()
  const context: VerbContext = {
    ...service,
    provenance: parts.provenance,
    loadDocuments: parts.loadDocuments,
    call: (input, init, workspace) => callInProcess({ app, service }, input, init, workspace),
    trace: (workspace, test) => traceOf(workspace, test, context, parts.points, address()),
    sendParts: (sent) => prepareReplay(service, sent),
    ...(watcher && { onAction: (name, entry) => watcher.onAction(name, entry) }),
  }
  const stopTending = tendWorkspaces(service, owned, settings, events)
  const watch =
    watcher &&
    (await import('./watch-calls.ts')).watchCalls(watcher, { ...parts, context, recorder: service.recorder })
  if (watch) service.recorder.onCall = watch.onCall
  if (watcher) parts.total.receiver.onCount = (points) => watcher.onReceiver(points)
  const close = async (): Promise<void> => {
    closing.abort()
    for (const { outbox } of service.workspaces.list()) outbox?.cancel()
    await stopTending()
    await servers.close()
    watch?.reportRules()
    await owned?.close()
    eventLoop.stop()
  }
  const address = (serverUrl = servers.url ?? defaultAddress): string =>
    service.baseUrl?.href.replace(/\/$/, '') ?? serverUrl
  const rowsFrom = (): readonly string[] =>
    storage?.opened.home ? [storage.opened.name] : [...parts.rowsFrom()]
  const load = async (): Promise<Verbs> => {
    const { sandboxMembers } = await import('./members.ts')
    const stop = (): void => {
      if (events.onStop) events.onStop()
      else close().catch((error: unknown) => service.onBug(error, 'none'))
    }
    const listen = sandbox.listen.bind(sandbox)
    return sandboxMembers({ parts, context, address, eventLoop, started, rowsFrom, listen, stop, close })
  }
  let loading: Promise<Verbs> | undefined
  const operations = (): Promise<Verbs> => (loading ??= load())
  const { app, servers } = serveSandbox(operations, context, service, settings, events)
  const sandbox: StartedSandbox = {
    get home() {
      return service.workspaces.default
    },
    environment: service.environment,
    seed: service.workspaces.default.seed,
    get rowsFrom() {
      return rowsFrom()
    },
    listen: (where) => servers.listen(where),
    reload: parts.reload,
    close,
    operations,
  }
  built.close = close
  if (isLost) void close()
  return sandbox
}

/** Writes the calls of a workspace as one trace file. */
async function traceOf(
  workspace: Workspace,
  test: TracedTest | undefined,
  context: VerbContext,
  points: PointCatalogue,
  address: string,
): Promise<string> {
  const { workspaceVerbs } = await import('../operations/sandbox-workspace.ts')
  const { traceFile } = await import('../inspector/trace-file.tsx')
  const { callsOf, hiddenCoverage, remainsOf } = await import('../inspector/trace.ts')
  const { reportOf } = await import('../coverage/reports/coverage-report.ts')
  const verbs = workspaceVerbs(workspace, context)
  const coverage = await reportOf(workspace.coverage, points, address)
  return traceFile({
    ...(test && { tests: [test] }),
    workspaces: [{ ...callsOf(verbs), remains: await remainsOf(verbs) }],
    assumptions: verbs.assumptions(),
    coverage: hiddenCoverage(coverage, verbs),
  })
}
