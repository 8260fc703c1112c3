// Serves a sandbox: the Hono app with the API and the control plane, and the ports that it listens on.
import { whyClosed } from '../control/guard.ts'
import { isOpen } from '../control/open-paths.ts'
import { pagePath } from '../control/page.ts'
import { createApp } from '../http/app.ts'
import type { App, ControlPlane } from '../http/context.ts'
import { basePath, pathReader, withoutBasePath } from '../http/path.ts'
import { refuseRequest } from '../http/refuse-request.ts'
import type { Service } from '../http/service.ts'
import type { Settings } from '../options/index.ts'
import { redactor } from '../secrets/redact.ts'
import type { Verbs } from '../operations/index.ts'
import type { VerbContext, WorkspaceVerbs } from '../operations/sandbox-workspace.ts'
import type { SandboxEvents } from './events.ts'
import { Servers, type ProcessOwner } from './servers.ts'

/** @param operations loads what the control plane answers, which most runs in CI never call. */
export function serveSandbox(
  operations: () => Promise<Verbs>,
  context: VerbContext,
  service: Service,
  settings: Settings,
  events: SandboxEvents & ProcessOwner,
): { app: App; servers: Servers } {
  const { workspaces, baseUrl } = service
  const guard = {
    admin: settings.admin,
    token: settings.adminToken,
    policy: workspaces.policy,
    allowedHosts: settings.allowedHosts,
    corsOrigins: settings.corsOrigin,
    baseUrl,
    onLoopback: () => servers.onLoopback,
  }
  const load = async (): Promise<ControlPlane> => {
    const { createControl } = await import('../control/index.ts')
    const { workspaceOpener } = await import('./members.ts')
    const visit = workspaceOpener(context)
    // A request of the control plane does not hold its workspace in memory after its answer.
    const forRequest = (name: string): WorkspaceVerbs => {
      if (!workspaces.policy.createsOnFirstUse && !workspaces.find(name)) throw workspaces.notThere(name)
      return visit(name)
    }
    return createControl({
      verbs: Object.create(await operations(), { workspace: { value: forRequest } }),
      workspaces,
      guard,
      getPath: pathReader(service),
      hide: redactor(service.recorder.secrets),
      onCall: events.onControl,
      page: async (file) => (await import('../inspector/files.tsx')).servePage(file, basePath(service)),
    })
  }
  let loading: Promise<ControlPlane> | undefined
  const control: ControlPlane = async (c) => (await (loading ??= load()))(c)
  const app = createApp(service, control, () => (whyClosed(guard) === undefined ? pagePath : undefined))
  const servers = new Servers(app, events.ownsProcess ?? false, {
    needsNoHost: (target) => isOpen(withoutBasePath(target.replace(/\?.*/s, ''), service)),
    refuse: (request, problem) => refuseRequest(service, request, problem),
  })
  return { app, servers }
}
