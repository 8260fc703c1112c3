// The members of a workspace that the library and the control plane share.
import type { ScenarioLibrary } from '../scenarios/library.ts'
import { describeAssumptions } from '../input/resolve-assumptions.ts'
import { waiterForSaves } from '../workspaces/saver.ts'
import { findReadyKey, readyKey, readyKeyIfAny } from '../workspaces/ready-key.ts'
import type { SandboxSnapshot } from '../workspaces/snapshot.ts'
import type { TimelineEntry } from '../workspaces/timeline.ts'
import { useOf } from '../workspaces/open-uses.ts'
import type { Watcher } from '../workspaces/watchers.ts'
import type { ClosedWorkspace } from '../workspaces/closed.ts'
import type { TracedTest } from '../call/test-result.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { assumptionsInUse, type AssumptionInUse } from './assumptions.ts'
import { workspaceClock, type SandboxClock } from './clock.ts'
import { workspaceRequests, type SandboxRequests, type RequestsContext } from './requests.ts'
import { workspaceScenarios, type SandboxScenarios } from './scenarios.ts'
import { workspaceSimulation, type SandboxSimulation } from './simulation.ts'
import { differencesOf, type Differences } from './differences.ts'
import { baselineName, workspaceSnapshots, type SandboxSnapshots } from './snapshots.ts'
import { workspaceEvents, type WorkspaceEvents } from './events.ts'
import { workspaceReset, type ResetOptions } from './reset.ts'
import { workspaceWebhooks, type WorkspaceWebhooks } from './webhooks.ts'
import { workspaceTimeline, type OnAction } from './timeline.ts'
import { workspaceState, type LoadDocuments, type RowRules, type SandboxState } from './state.ts'

/** A workspace for tests; the sandbox itself has the same members for `default`. */
export interface SandboxWorkspace {
  readonly name: string
  /** A ready API key of this workspace: the first one of the environment with one product. */
  readonly apiKey: string
  /** When it was created, on its own clock. */
  readonly createdAt: string
  readonly clock: SandboxClock
  readonly state: SandboxState
  readonly scenarios: SandboxScenarios
  /** Events that no API call causes: a transaction arrives, a statement closes. */
  readonly simulate: SandboxSimulation
  /** Webhook events, if they are served; see `webhooks` of `createSandbox`. */
  readonly events: WorkspaceEvents
  /** The endpoints that receive webhook events. */
  readonly webhooks: WorkspaceWebhooks
  readonly snapshots: SandboxSnapshots
  readonly requests: SandboxRequests
  /**
   * Returns the actions on this workspace from outside the API, newest first, at most 500: rows written or deleted,
   * scenarios switched, the clock moved, simulations, snapshots, restores, resets. A reset adds an entry and clears
   * none.
   * @example workspace.timeline()[0]?.summary   // 'Moved by 1 d to 2027-01-02T00:00:00.000Z'
   */
  timeline(): TimelineEntry[]
  /** Returns the assumptions with their current values, and how many calls of this workspace rest on each. */
  assumptions(): AssumptionInUse[]
  /**
   * Returns what makes its answers differ from those of a sandbox that was just started without options.
   * @example workspace.differences()   // { scenarios: ['slow'], clock: null, rows: 3, assumptions: [] }
   */
  differences(): Differences
  /**
   * Resolves when every write so far is persisted; immediately without `data` and `store`. The answer to a call of the
   * API leaves after its writes are persisted; direct writes, such as those of `state` and `clock`, do not wait. Rejects
   * with a NotSavedError if a write since the last call was rolled back.
   */
  saved(): Promise<void>
  /**
   * Restores the initial state: rows, ids, clock, scenarios and request numbers. Snapshots stay.
   * @throws {DocumentError} for invalid options.
   * @example workspace.reset({ ids: 'continue' })   // later calls create no id of an earlier one
   */
  reset(options?: ResetOptions): void
  /**
   * Takes a snapshot of rows, ids and, if it was set or frozen, the clock; the cost does not depend on the number of
   * rows. With a name it is listed and replaces one of the same name; without a name, only the returned object refers
   * to it.
   * @throws {InvalidError} for an invalid name.
   * @example
   * const before = sandbox.snapshot()
   * sandbox.restore(before)
   */
  snapshot(name?: string): SandboxSnapshot
  /**
   * Restores rows, ids and, if the snapshot has one, the clock. Scenarios and request numbers continue.
   * @throws {NotFoundError} for an unknown name, and for a snapshot of another workspace.
   */
  restore(snapshot: string | SandboxSnapshot): void
  /**
   * Returns the calls of this workspace as one HTML file, the inspector with its data: journal, explanations,
   * scenarios, assumptions, coverage, rows; at most 20 MB, omitting the oldest calls first. Secrets are hidden.
   * @param test the test whose trace it is: its calls come first.
   * @example await writeFile('trace.html', await workspace.trace())
   */
  trace(test?: TracedTest): Promise<string>
  /** Calls the API in this workspace, without a port; adds the workspace's key if the request has none. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** A workspace in a list. */
export interface WorkspaceView {
  name: string
  /** A ready API key of it; null if there is none for the environment, and with `isolation: 'partner'`. */
  api_key: string | null
  /** When it was created, on its own clock. */
  created_at: string
  /** Its file or its values in the store are damaged: calls that name it are answered 503. */
  damaged?: true
}

/** The dependencies of the operations of a workspace. */
export interface VerbContext extends RequestsContext {
  rowRules: RowRules
  scenarioLibrary: ScenarioLibrary
  loadDocuments: LoadDocuments
  /** Notified of each action from outside the API. */
  onAction?: OnAction
  /** Returns the trace of a workspace as one file. */
  trace(workspace: Workspace, test: TracedTest | undefined): Promise<string>
  /** Calls the API without a port; in this workspace, if one is provided, whatever key the call has. */
  call(input: string | URL | Request, init?: RequestInit, workspace?: Workspace): Promise<Response>
}

/**
 * The operations of a workspace, including those for the control plane that take unvalidated input or return shared
 * values.
 */
export type WorkspaceVerbs = ReturnType<typeof workspaceVerbs>

export function workspaceVerbs(workspace: Workspace, context: VerbContext) {
  const { workspaces, environment, assumptions, rowRules, scenarioLibrary, loadDocuments } = context
  const { record, list: timeline } = workspaceTimeline(workspace, context.onAction)
  const snapshots = workspaceSnapshots(workspace, record, workspaces)
  let events: ReturnType<typeof workspaceEvents> | undefined
  let webhooks: ReturnType<typeof workspaceWebhooks> | undefined
  const assumptionViews = () => describeAssumptions(assumptions, context.provenance)
  return {
    name: workspace.name,
    createdAt: workspace.createdAt,
    get apiKey() {
      return readyKey(workspace, environment)
    },
    /** Like `apiKey`; undefined if there is none for the environment. */
    findApiKey: () => readyKeyIfAny(workspace, environment),
    view: () => viewOf(workspace, context),
    clock: workspaceClock(workspace, record),
    state: workspaceState(workspace, rowRules, loadDocuments, record),
    scenarios: workspaceScenarios(workspace, scenarioLibrary, record),
    simulate: workspaceSimulation(workspace, assumptions, record),
    // Created on first use, as most workspaces have no events.
    get events() {
      return (events ??= workspaceEvents(workspace, record))
    },
    get webhooks() {
      return (webhooks ??= workspaceWebhooks(workspace, record))
    },
    snapshots,
    requests: workspaceRequests(workspace, context),
    timeline,
    assumptions: () => assumptionsInUse(workspace, assumptionViews()),
    differences: () => differencesOf(workspace, snapshots.compare(baselineName), assumptionViews()),
    saved: waiterForSaves(workspace),
    watch: (watcher: Watcher) => workspace.watch(watcher),
    /** Begins a use of it. Returns a function that ends it. */
    use: () => useOf(workspace),
    reset: workspaceReset(workspace, workspaces, record),
    snapshot: (name) => snapshots.take(name),
    restore: (snapshot) => snapshots.restore(snapshot),
    trace: (test?: TracedTest) => context.trace(workspace, test),
    fetch: (input: string | URL | Request, init?: RequestInit) => context.call(input, init, workspace),
  } satisfies SandboxWorkspace & Record<string, unknown>
}

/** Returns the operations of a workspace for a program that has a reference to it: it stays in memory from here on. */
export function pinnedVerbs(workspace: Workspace, context: VerbContext): WorkspaceVerbs {
  context.workspaces.ownership?.hold(workspace.name)
  return workspaceVerbs(workspace, context)
}

export function viewOf(
  workspace: Workspace | ClosedWorkspace,
  { environment, workspaces: { policy } }: VerbContext,
): WorkspaceView {
  const isClosed = 'readyKeys' in workspace
  const key = isClosed
    ? workspace.readyKeys[environment]
    : findReadyKey(workspace.state, environment)?.api_key
  const suffix = isClosed ? `.${workspace.name}` : workspace.keySuffix
  return {
    name: workspace.name,
    // The keys of a partner are shown once, when they are created.
    api_key: key !== undefined && policy.hasPublicKeys ? key + suffix : null,
    created_at: workspace.createdAt,
    ...(isClosed && workspace.damage !== undefined && { damaged: true }),
  }
}
