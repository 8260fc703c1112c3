import type { AssumptionView } from '../contract/assumptions.ts'
import type { SandboxScenarios } from '../workspaces/workspace-scenarios.ts'

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
  /** The workspace of this name, forked on first use; undefined for what can be no name. */
  workspace(name: string): WorkspaceVerbs | undefined
  health(): Health
  assumptions(): AssumptionView[]
  /** The OpenAPI document, for a server at this address. */
  openapi(serverUrl: string): Promise<object>
  /** The JSON Schema of a kind of file. */
  schema(name: SchemaName): Promise<object>
}

/** What the control plane can ask of one workspace. */
export interface WorkspaceVerbs {
  readonly scenarios: SandboxScenarios
}
