import { createControl } from '../control/index.ts'
import { createApp } from '../http/app.ts'
import { pathReader } from '../http/path.ts'
import type { SandboxOptions, Settings } from '../options/index.ts'
import { libraryDefaults } from '../options/read-options.ts'
import { monotonicNow, packageVersion, systemHost } from '../runtime/host.ts'
import { wait } from '../runtime/wait.ts'
import { inProcessCaller, inProcessOrigin } from './in-process.ts'
import { membersOf, workspaceVerbs } from './members.ts'
import { openDataOf } from './data-option.ts'
import { Servers } from './servers.ts'
import { startService } from './start-service.ts'
import type { Sandbox, SandboxEvents } from './types.ts'
import { verbsOf } from './verbs.ts'
import { requireName } from '../workspaces/names.ts'
import type { WorkspaceOptions } from '../verbs/new-workspace.ts'
import type { OpenData } from '../persistence/open-data.ts'
import { FindingsOfAll } from '../findings/sandbox-findings.ts'
import { WorkspaceList } from '../verbs/workspace-list.ts'

export type { Sandbox, SandboxEvents, SandboxServer, SandboxWorkspace, SandboxWorkspaces } from './types.ts'

/**
 * Creates a sandbox: loads the fixtures, fills their gaps, and serves the API in process. Opens no port and touches
 * no global.
 *
 * @throws {DocumentError} for fixtures that are no state document, with every problem in them, and for a data file
 * that cannot be used.
 * @throws {OptionsError} for an option that is unknown or has a bad value.
 * @example
 * const sandbox = await createSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
 * const answer = await sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer ${sandbox.apiKey}` } })
 */
export async function createSandbox(
  options: SandboxOptions = {},
  events: SandboxEvents = {},
): Promise<Sandbox> {
  const settings = libraryDefaults(options)
  const data = await openDataOf(settings, events)
  try {
    return await makeSandbox(settings, events, data)
  } catch (error) {
    await data?.release()
    throw error
  }
}

async function makeSandbox(
  settings: Settings,
  events: SandboxEvents,
  data: OpenData | undefined,
): Promise<Sandbox> {
  const started = monotonicNow()
  const closing = new AbortController()
  const parts = await startService(settings, events, closing.signal, data?.kept?.sandbox)
  const { service, reload } = parts
  const { workspaces, environment } = service
  const keeper = await data?.keep(workspaces.default, {
    seed: workspaces.default.seed,
    clock: { now: systemHost().now, asked: settings },
    pause: (milliseconds) => wait(milliseconds, closing.signal),
    onProblem: (line) => events.onProblem?.(line),
    onBug: (error) => service.onBug(error, 'none'),
    onLost: (error) => {
      events.onLost?.(error)
      void close()
    },
  })

  const list = new WorkspaceList(workspaces, service)
  const isWell = (): boolean => keeper?.isWell ?? true
  const verbs = verbsOf(parts, { started, isWell, url: () => servers.url }, list, (name) => {
    requireName('workspace', name)
    return workspaceVerbs(workspaces.open(name), service)
  })
  const guard = {
    admin: settings.admin,
    token: settings.adminToken,
    allowedHosts: settings.allowedHosts,
    onLoopback: () => servers.onLoopback,
  }
  const app = createApp(service, createControl(verbs, guard, pathReader(service)))
  const call = inProcessCaller(app, closing.signal)
  const servers = new Servers(app, () => workspaces.default.nextRequestId())

  const close = async (): Promise<void> => {
    closing.abort()
    await servers.close()
    await keeper?.close()
  }
  return Object.assign(membersOf(workspaces.default, service, call), {
    environment,
    seed: workspaces.default.seed,
    version: packageVersion(),
    fetch: (input: string | URL | Request, init?: RequestInit) => call(input, init),
    listen: (where?: { port?: number; host?: string }) => servers.listen(where),
    workspace: (name: string) => {
      requireName('workspace', name)
      return membersOf(workspaces.open(name), service, call)
    },
    workspaces: {
      create: async (of?: WorkspaceOptions) => membersOf(await list.create(of), service, call),
      list: () => list.list(),
      get: (name: string) => list.get(name),
      delete: (name: string) => list.delete(name),
    },
    assumptions: verbs.assumptions,
    contract: verbs.contract,
    coverage: verbs.coverage,
    findings: new FindingsOfAll(parts.rules, service.unmatched),
    health: verbs.health,
    reload,
    openapi: (serverUrl: string = inProcessOrigin) => verbs.openapi(serverUrl),
    schema: verbs.schema,
    close,
    [Symbol.asyncDispose]: close,
  })
}
