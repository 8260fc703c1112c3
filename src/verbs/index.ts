import type { AssumptionView } from '../reading/resolve-assumptions.ts'
import type { ContractPoint } from '../coverage/points/point.ts'
import type { SandboxCoverage } from './sandbox-coverage.ts'
import type { Snapshots } from '../workspaces/snapshots.ts'
import type { WorkspaceClock } from './workspace-clock.ts'
import type { WorkspaceList } from './workspace-list.ts'
import type { WorkspaceRequests } from './workspace-requests.ts'
import type { WorkspaceScenarios } from './workspace-scenarios.ts'
import type { WorkspaceSimulation } from './workspace-simulation.ts'
import type { WorkspaceState } from './workspace-state.ts'

/** How the sandbox is. */
export interface Health {
  status: 'ok' | 'degraded'
  version: string
  uptime_seconds: number
}

/** The names of the JSON Schemas that editors can use. */
export const schemaNames = ['fixtures', 'scenario'] as const
export type SchemaName = (typeof schemaNames)[number]

/**
 * What the control plane can ask of a sandbox: the same functions that the library and the command line call, so
 * that one verb does the same thing through each door.
 */
export interface Verbs {
  /**
   * The workspace of this name, forked on first use.
   * @throws {InvalidError} for what can be no name. @throws {TooManyWorkspacesError} when it would be one too many.
   */
  workspace(name: string): WorkspaceVerbs
  readonly workspaces: WorkspaceList
  health(): Health
  assumptions(): AssumptionView[]
  /** Every contract point. */
  contract(): ContractPoint[]
  readonly coverage: SandboxCoverage
  /** How clients reach a sandbox that was asked under this address. */
  addressOf(serverUrl: string): string
  /** The OpenAPI document, for a server at this address. */
  openapi(serverUrl: string): Promise<object>
  /** The JSON Schema of a kind of file. */
  schema(name: SchemaName): Promise<object>
}

/** What the control plane can ask of one workspace. Whatever comes from outside is checked by the verb itself. */
export interface WorkspaceVerbs {
  readonly name: string
  readonly clock: WorkspaceClock
  readonly state: WorkspaceState
  readonly scenarios: WorkspaceScenarios
  readonly requests: WorkspaceRequests
  readonly simulate: WorkspaceSimulation
  readonly snapshots: Snapshots
  /** Back to what the workspace began with. */
  reset(): void
  /** Settles once everything written so far is kept as safely as was asked for. */
  saved(): Promise<void>
}
