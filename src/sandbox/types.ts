import type { AssumptionView } from '../reading/resolve-assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Health, SchemaName } from '../verbs/index.ts'
import type { AnsweredCall } from '../http/service.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { ContractPoint } from '../coverage/points/point.ts'
import type { SandboxCoverage } from '../verbs/sandbox-coverage.ts'
import type { SandboxFindings } from '../findings/sandbox-findings.ts'
import type { NotSavedError } from '../workspaces/keeper.ts'
import type { WorkspaceOptions } from '../verbs/new-workspace.ts'
import type { SandboxSnapshot } from '../workspaces/snapshot.ts'
import type { SandboxSnapshots } from '../workspaces/snapshots.ts'
import type { SandboxClock } from '../verbs/workspace-clock.ts'
import type { WorkspaceView } from '../verbs/workspace-list.ts'
import type { SandboxRequests } from '../verbs/workspace-requests.ts'
import type { SandboxScenarios } from '../verbs/workspace-scenarios.ts'
import type { SandboxSimulation } from '../verbs/workspace-simulation.ts'
import type { SandboxState } from '../verbs/workspace-state.ts'

/** What a test does with one workspace; the sandbox itself offers the same for `default`. */
export interface SandboxWorkspace {
  readonly name: string
  /** A ready API key of this workspace: the first one of the environment with one product. */
  readonly apiKey: string
  /** When it came into being, on its own clock. */
  readonly createdAt: string
  readonly clock: SandboxClock
  readonly state: SandboxState
  readonly scenarios: SandboxScenarios
  /** Money that partners cannot move through the API. */
  readonly simulate: SandboxSimulation
  readonly snapshots: SandboxSnapshots
  readonly requests: SandboxRequests
  /**
   * Resolves once everything written so far is kept as `durability` asks; at once without `data`. Calls of the API
   * have waited for it when they are answered; direct writes, such as those of `state` and `clock`, have not.
   * Rejects with a NotSavedError when something written since the last call was taken back.
   */
  saved(): Promise<void>
  /** Back to what it began with: rows, ids, clock, scenarios and request numbers. Snapshots stay. */
  reset(): void
  /**
   * Takes a snapshot of rows, ids and, if it was set or frozen, the clock; costs the same for any number of rows.
   * With a name it is listed and replaces the one that had the name; without one, only who holds it can use it.
   * @throws {InvalidError} for a text that cannot be a name.
   * @example
   * const before = sandbox.snapshot()
   * sandbox.restore(before)
   */
  snapshot(name?: string): SandboxSnapshot
  /**
   * Puts rows, ids and, if the snapshot has one, the clock back to a snapshot. Scenarios and request numbers go on.
   * @throws {NotFoundError} for a name that no snapshot has, and for a snapshot of another workspace.
   */
  restore(snapshot: string | SandboxSnapshot): void
  /** Calls the API in this workspace, without a port; adds the workspace's key when the request has none. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** A sandbox inside this process. */
export interface Sandbox extends SandboxWorkspace {
  readonly environment: Environment
  /** Decides everything that looks random. */
  readonly seed: number
  /** The version of this package. */
  readonly version: string
  /** Calls the API as any client does, without a port: nothing is added to the request. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Serves on a port; port 0, the default, takes any free one. Rejects when it cannot bind. */
  listen(options?: { port?: number; host?: string }): Promise<SandboxServer>
  /** The workspace of this name, forked from the baseline on first use. */
  workspace(name: string): SandboxWorkspace
  readonly workspaces: SandboxWorkspaces
  /** What the contract leaves open, with the values in force. */
  assumptions(): AssumptionView[]
  /** The contract points: what a partner's tests can exercise. */
  contract(): ContractPoint[]
  /** Which of them the requests so far exercised, over all workspaces. */
  readonly coverage: SandboxCoverage
  /** What the requests so far leave to look into: rules that never fired, calls that met no endpoint. */
  readonly findings: SandboxFindings
  health(): Health
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
  /** Stops every server of this sandbox, and saves what its data file does not have yet. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The workspaces of a sandbox, for tests that make and delete some. */
export interface SandboxWorkspaces {
  /**
   * Makes a workspace that begins with things of its own, and goes back to them when it is reset.
   * @throws {DocumentError} with every problem of what was given; then there is no workspace.
   * @throws {ConflictError} when there is one of this name, or as many as `maxWorkspaces` allows.
   * @example
   * const empty = await sandbox.workspaces.create({ fixtures: { customers: [] }, clock: '2026-01-01T00:00:00Z' })
   */
  create(options?: WorkspaceOptions): Promise<SandboxWorkspace>
  /** Every workspace, in the order of first use; `default` comes first. */
  list(): WorkspaceView[]
  /** One workspace, or undefined; asking makes none. */
  get(name: string): WorkspaceView | undefined
  /**
   * Forgets a workspace with all that is in it; false when there is none of this name. Its name is free again at once.
   * What was got hold of before, such as the result of `create`, goes on showing what was forgotten.
   * @throws {ConflictError} for `default`, which always exists.
   */
  delete(name: string): boolean
}

/** A port that a sandbox serves on. */
export interface SandboxServer {
  /** Such as `http://127.0.0.1:4010`. */
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/** Told of what happens while a sandbox serves; the command line prints it. */
export interface SandboxEvents {
  /** Told of every call, as it was, and of what must not be shown of it. */
  onAnswer?: (call: AnsweredCall, secrets: KnownSecrets) => void
  onBug?: (error: unknown, requestId: string) => void
  /** Progress of work that takes longer than a second. */
  onProgress?: (line: string) => void
  /** What became of the data file at the start, such as that it is used. */
  onNotice?: (line: string) => void
  /** The data file cannot be written, or can be again. */
  onProblem?: (line: string) => void
  /** The data file cannot be written any more: the sandbox closes. */
  onLost?: (error: NotSavedError) => void
  /** Ends the loading of fixtures early: the sandbox then rejects. */
  signal?: AbortSignal
}
