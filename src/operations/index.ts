// What can be asked of a sandbox, once: the library shows it, the control plane and the command line ask the same.
import type { ContractPoint } from '../coverage/points/point.ts'
import type { Environment } from '../contract/versions.ts'
import type { SandboxFindings } from '../explain/sandbox-findings.ts'
import type { SandboxCoverage, sandboxCoverage } from './sandbox-coverage.ts'
import type { Health, Readiness } from './sandbox-health.ts'
import type { SandboxWorkspace, WorkspaceVerbs } from './sandbox-workspace.ts'
import type { SandboxWorkspaces, workspaceList } from './workspace-list.ts'

export type { Health, Readiness, StoreHealth } from './sandbox-health.ts'

/** The names of the JSON Schemas that editors can use. */
export const schemaNames = ['fixtures', 'scenario'] as const
export type SchemaName = (typeof schemaNames)[number]

/** A sandbox inside this process. */
export interface Sandbox extends SandboxWorkspace {
  readonly environment: Environment
  /** Decides everything that looks random. */
  readonly seed: number
  /** Where the rows come from that `default` began with: `built-in rows`, files, a population, or the data file. */
  readonly rowsFrom: readonly string[]
  /** The version of this package. */
  readonly version: string
  /** Calls the API as any client does, without a port: nothing is added to the request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Serves on a port; port 0, the default, takes any free one. Rejects when it cannot bind. */
  listen(options?: { port?: number; host?: string }): Promise<SandboxServer>
  /** The workspace of this name, forked from the baseline on first use. */
  workspace(name: string): SandboxWorkspace
  readonly workspaces: SandboxWorkspaces
  /** The contract points: what a partner's tests can exercise. */
  contract(): ContractPoint[]
  /** Which of them the requests so far exercised, over all workspaces. */
  readonly coverage: SandboxCoverage
  /** What the requests so far leave to look into: rules that never fired, calls that met no endpoint. */
  readonly findings: SandboxFindings
  health(): Health
  /** Whether it is to be sent calls: not until its state is there, and not any more once it drains or closes. */
  ready(): Readiness
  /** From here on `ready` says no, for balancers; calls that come all the same are answered, until it is closed. */
  drain(): void
  /**
   * What this process tells of itself in numbers, in the Prometheus text format 0.0.4: calls by operation and status,
   * durations, workspaces, rows, journal, store, event loop, memory. The event loop is watched from the first time on.
   * @example const text = await sandbox.metrics()
   */
  metrics(): Promise<string>
  /**
   * Reads fixtures and scenarios again, and starts over with them: every workspace is reset to what they give now;
   * seed and clock are those of the start. Objects are taken as they are by then. What holds the sandbox goes on with
   * it: servers, open connections, workspaces.
   *
   * @throws {DocumentError} for documents that cannot be used, with every problem in them; then nothing has changed.
   * @example
   * await writeFile('rows.yaml', edited)
   * await sandbox.reload()
   */
  reload(): Promise<void>
  openapi(serverUrl?: string): Promise<object>
  schema(name: SchemaName): Promise<object>
  /**
   * Stops every server of this sandbox, and saves what its data file does not have yet. `POST /_sandbox/stop` does the
   * same from outside.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A port that a sandbox serves on. */
export interface SandboxServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A sandbox as the control plane asks it. Whatever comes from outside is checked by the verb itself. */
export interface Verbs extends Sandbox {
  /** @throws {InvalidError} for what can be no name. @throws {TooManyWorkspacesError} when it is one too many. */
  workspace(name: string): WorkspaceVerbs
  /** Whether it can serve; single workspaces may be damaged. */
  isServing(): boolean
  readonly workspaces: ReturnType<typeof workspaceList>
  readonly coverage: ReturnType<typeof sandboxCoverage>
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal
  /** Ends the sandbox as whoever runs it means it to end; returns at once, so that the call is answered. */
  stop(): void
}
