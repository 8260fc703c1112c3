import type { WorkspaceVerbs } from '../verbs/index.ts'
import type { Service } from '../http/service.ts'
import { savingOf } from '../workspaces/keeper.ts'
import { readyKey } from '../workspaces/ready-key.ts'
import { WorkspaceClock } from '../verbs/workspace-clock.ts'
import { WorkspaceRequests } from '../verbs/workspace-requests.ts'
import { WorkspaceScenarios } from '../verbs/workspace-scenarios.ts'
import { WorkspaceSimulation } from '../verbs/workspace-simulation.ts'
import { WorkspaceState } from '../verbs/workspace-state.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { requestOf, type InProcessCall } from './in-process.ts'
import type { SandboxWorkspace } from './types.ts'

/** The verbs of one workspace that the control plane and the library share. */
export function workspaceVerbs(workspace: Workspace, service: Service): WorkspaceVerbs {
  const { workspaces, assumptions, rowRules, scenarioLibrary, loadDocuments } = service
  return {
    name: workspace.name,
    clock: new WorkspaceClock(workspace),
    state: new WorkspaceState(workspace, rowRules, loadDocuments),
    scenarios: new WorkspaceScenarios(workspace, scenarioLibrary),
    simulate: new WorkspaceSimulation(workspace, assumptions),
    snapshots: workspace.snapshots,
    requests: new WorkspaceRequests(workspace, {
      workspaces,
      environment: service.environment,
      assumptions: service.assumptions,
      basePath: service.baseUrl?.pathname.replace(/\/$/, '') ?? '',
    }),
    reset: () => workspaces.reset(workspace),
    saved: savingOf(workspace),
  }
}

/** What the library offers of one workspace. */
export function membersOf(workspace: Workspace, service: Service, call: InProcessCall): SandboxWorkspace {
  const { environment } = service
  const verbs = workspaceVerbs(workspace, service)
  const { clock, state, scenarios, simulate, snapshots, requests, reset, saved } = verbs
  return {
    name: workspace.name,
    createdAt: workspace.createdAt,
    get apiKey() {
      return readyKey(workspace, environment)
    },
    clock,
    state,
    scenarios,
    simulate,
    snapshots,
    requests,
    reset,
    saved,
    snapshot: (name) => snapshots.take(name),
    restore: (snapshot) => void snapshots.restore(snapshot),
    fetch: async (input, init) => {
      const request = requestOf(input, init)
      if (request.headers.has('authorization')) return call(request, undefined, workspace)
      // The caller's own Request stays as it is: it may be sent to another workspace next.
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${readyKey(workspace, environment)}`)
      return call(request, { headers }, workspace)
    },
  }
}
