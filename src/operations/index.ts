// The sandbox as a program sees it; list.ts has the operations for the control plane and the command line.
import type { ContractPoint } from '../coverage/points/point.ts'
import type { Environment } from '../contract/versions.ts'
import type { SandboxFindings } from '../explain/sandbox-findings.ts'
import type { SandboxCoverage, sandboxCoverage } from './coverage.ts'
import type { Health, Readiness } from './health.ts'
import type { SandboxWorkspace, WorkspaceVerbs } from './sandbox-workspace.ts'
import type { SchemaName } from './schema-names.ts'
import type { SandboxWorkspaces, workspaceList } from './workspaces.ts'

export type { SchemaName } from './schema-names.ts'
export type { Health, Readiness, StoreHealth } from './health.ts'

/** A sandbox inside this process. */
export interface Sandbox extends SandboxWorkspace {
  readonly environment: Environment
  /** Decides all generated values. */
  readonly seed: number
  /** The source of the initial rows of `default`: `built-in rows`, files, a population, or the data file. */
  readonly rowsFrom: readonly string[]
  /** The version of this package. */
  readonly version: string
  /** Calls the API like any client, without a port: nothing is added to the request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Serves on a port; rejects when it cannot bind.
   * @example
   * const tls = { cert: await readFile('cert.pem'), key: await readFile('key.pem') }
   * const { url } = await sandbox.listen({ tls })   // 'https://127.0.0.1:49152'
   */
  listen(options?: ListenAt): Promise<SandboxServer>
  /**
   * Returns the workspace of this name, forked from the baseline on first use.
   * @throws {ConflictError} with a folder of data or a store, if it is not open: use `open`.
   */
  workspace(name: string): SandboxWorkspace
  /**
   * Opens the workspace of this name, and creates it on first use. With a folder of data or a store it is loaded, and
   * stays open. `default` is opened by its first use.
   * @throws {UnusableError} if its file cannot be used. @throws {OwnedElsewhereError} with the owner, if another process
   * has it.
   * @example const partner = await sandbox.open('partner-a')
   */
  open(name: string): Promise<SandboxWorkspace>
  readonly workspaces: SandboxWorkspaces
  /** The contract points: what a partner's tests can exercise. */
  contract(): ContractPoint[]
  /** The contract points that the requests so far exercised, over all workspaces. */
  readonly coverage: SandboxCoverage
  /** Problems in the requests so far: rules that never fired, calls that matched no endpoint. */
  readonly findings: SandboxFindings
  health(): Health
  /**
   * Readiness: whether a load balancer may route calls here. Not before the state is loaded, and not after draining or
   * closing began.
   */
  ready(): Readiness
  /** From here on `ready` is false for load balancers; calls are still answered until the sandbox is closed. */
  drain(): void
  /**
   * Returns the metrics of this process in the Prometheus text format 0.0.4: calls by operation and status, durations,
   * workspaces, rows, journal, store, event loop, memory. The event loop is measured from the first call on.
   * @example const text = await sandbox.metrics()
   */
  metrics(): Promise<string>
  /**
   * Reloads fixtures and scenarios: every workspace is reset to the new ones; seed and clock stay. Objects are read
   * again as they are now. Servers, open connections and references to workspaces stay valid.
   *
   * @throws {DocumentError} for documents that cannot be used, with every problem in them; then nothing has changed.
   * @example
   * await writeFile('rows.yaml', edited)
   * await sandbox.reload()
   */
  reload(): Promise<void>
  /**
   * Returns the API as an OpenAPI 3.1 document.
   * @param options with `sandbox: true` it has the headers of the sandbox, such as `x-sandbox-scenario`, too; with
   * `control: true` it describes the control plane, `/_sandbox`, instead.
   */
  openapi(serverUrl?: string, options?: { sandbox?: boolean; control?: boolean }): Promise<object>
  schema(name: SchemaName): Promise<object>
  /**
   * Stops every server of this sandbox, and saves the changes that its data file does not have yet. `POST
   * /_sandbox/stop` does the same from outside.
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Where a sandbox serves. */
export interface ListenAt {
  /** By default 0: any free one. */
  port?: number
  /** By default 127.0.0.1, and ::1 if the machine has it. */
  host?: string
  /** A certificate and its private key, as PEM, to serve https. */
  tls?: { cert: string | Uint8Array; key: string | Uint8Array }
}

/** A port that a sandbox serves on. */
export interface SandboxServer {
  /** Such as `http://127.0.0.1:4010`; with `https` if it has a certificate. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** A sandbox for the control plane. Each operation validates input from outside itself. */
export interface Verbs extends Sandbox {
  /** The operations of `default`. */
  readonly home: WorkspaceVerbs
  /** @throws {InvalidError} for an invalid name. @throws {TooManyWorkspacesError} at the limit. */
  workspace(name: string): WorkspaceVerbs
  /** Whether it can serve; single workspaces may be damaged. */
  isServing(): boolean
  readonly workspaces: ReturnType<typeof workspaceList>
  readonly coverage: ReturnType<typeof sandboxCoverage>
  /** Aborted when the sandbox closes. */
  readonly closing: AbortSignal
  /** Stops the sandbox; returns immediately, so that the call is answered. */
  stop(): void
}

/** The sandbox and the workspace on which an operation runs. */
export interface Target {
  sandbox: Verbs
  /** The workspace that the caller names, or `default`. */
  workspace: WorkspaceVerbs
}
