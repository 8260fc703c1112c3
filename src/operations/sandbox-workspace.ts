// What can be asked of one workspace: the members that library and control plane share.
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { AssumptionId } from '../contract/assumptions.ts'
import { describeAssumptions, type AssumptionView } from '../input/resolve-assumptions.ts'
import { savingOf } from '../workspaces/keeper.ts'
import { findReadyKey, readyKey, readyKeyIfAny } from '../workspaces/ready-key.ts'
import type { SandboxSnapshot } from '../workspaces/snapshot.ts'
import type { TimelineEntry } from '../workspaces/timeline.ts'
import { useOf } from '../workspaces/uses.ts'
import type { Watcher } from '../workspaces/watchers.ts'
import type { ClosedWorkspace } from '../workspaces/closed.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { workspaceClock, type SandboxClock } from './workspace-clock.ts'
import { workspaceRequests, type SandboxRequests, type Surroundings } from './workspace-requests.ts'
import { workspaceScenarios, type SandboxScenarios } from './workspace-scenarios.ts'
import { workspaceSimulation, type SandboxSimulation } from './workspace-simulation.ts'
import { differencesOf, type Differences } from './workspace-differences.ts'
import { baselineName, workspaceSnapshots, type SandboxSnapshots } from './workspace-snapshots.ts'
import { workspaceTimeline, type OnAction } from './workspace-timeline.ts'
import { workspaceState, type LoadDocuments, type RowRules, type SandboxState } from './workspace-state.ts'

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
   * What was done to this workspace from outside the API, newest first, 500 at most: rows written or deleted, scenarios
   * switched, the clock moved, simulations, snapshots, restores, resets. A reset adds an entry and clears none.
   * @example workspace.timeline()[0]?.summary   // 'Moved by 1 d to 2027-01-02T00:00:00.000Z'
   */
  timeline(): TimelineEntry[]
  /** What the contract leaves open, with the values in force, and how many calls of this workspace rest on each. */
  assumptions(): AssumptionInUse[]
  /**
   * What makes it answer differently from a sandbox that was just started without options.
   * @example workspace.differences()   // { scenarios: ['slow'], clock: null, rows: 3, assumptions: [] }
   */
  differences(): Differences
  /**
   * Resolves once everything written so far is kept as `durability` asks; at once without `data`. Calls of the API
   * have waited for it when they are answered; direct writes, such as those of `state` and `clock`, have not.
   * Rejects with a NotSavedError when something written since the last call was taken back.
   * With a `store` it brings what was written here to all replicas, and what they wrote here.
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
  /**
   * What happened in this workspace as one HTML file, the inspector's page with the data in it: journal, explanations,
   * scenarios, assumptions, coverage, rows; at most 20 MB, the oldest calls are left out first. Secrets are hidden.
   * @example await writeFile('trace.html', await workspace.trace())
   */
  trace(): Promise<string>
  /** Calls the API in this workspace, without a port; adds the workspace's key when the request has none. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
}

/** An assumption, and what rests on it. */
export interface AssumptionInUse extends AssumptionView {
  /** How many calls in the journal of the workspace were answered as they were because of it. */
  used: number
}

/** A workspace, as listings show it. */
export interface WorkspaceView {
  name: string
  /** A ready API key of it; null where no key is for the environment, and with `isolation: 'partner'`. */
  api_key: string | null
  /** When it came into being, on its own clock. */
  created_at: string
  /** Its file, or its values in the store, are damaged: calls that name it are answered 503. */
  damaged?: true
}

/** What the verbs of a workspace draw on beside it. */
export interface VerbContext extends Surroundings {
  rowRules: RowRules
  scenarioLibrary: ScenarioLibrary
  loadDocuments: LoadDocuments
  /** Notified of each action from outside the API. */
  onAction?: OnAction
  /** What happened in a workspace, as one file. */
  trace(workspace: Workspace): Promise<string>
  /** Calls the API without a port; in this workspace, when one is given, whatever key the call has. */
  call(input: string | URL | Request, init?: RequestInit, workspace?: Workspace): Promise<Response>
}

/** The verbs of a workspace; those that take unread or give shared values are for the control plane. */
export type WorkspaceVerbs = ReturnType<typeof workspaceVerbs>

export function workspaceVerbs(workspace: Workspace, context: VerbContext) {
  const { workspaces, environment, assumptions, rowRules, scenarioLibrary, loadDocuments } = context
  const { record, list: timeline } = workspaceTimeline(workspace, context.onAction)
  const snapshots = workspaceSnapshots(workspace, record, workspaces)
  const assumptionViews = () => describeAssumptions(assumptions, context.provenance)
  return {
    name: workspace.name,
    createdAt: workspace.createdAt,
    get apiKey() {
      return readyKey(workspace, environment)
    },
    /** As `apiKey`; undefined when no key is for the environment. */
    findApiKey: () => readyKeyIfAny(workspace, environment),
    view: () => viewOf(workspace, context),
    clock: workspaceClock(workspace, record),
    state: workspaceState(workspace, rowRules, loadDocuments, record),
    scenarios: workspaceScenarios(workspace, scenarioLibrary, record),
    simulate: workspaceSimulation(workspace, assumptions, record),
    snapshots,
    requests: workspaceRequests(workspace, context),
    timeline,
    assumptions() {
      const uses = new Map<AssumptionId, number>()
      for (const { resolution } of workspace.journal.calls()) {
        for (const id of resolution.restsOn.ids) uses.set(id, (uses.get(id) ?? 0) + 1)
      }
      return assumptionViews().map((view) => ({ ...view, used: uses.get(view.id) ?? 0 }))
    },
    differences: () => differencesOf(workspace, snapshots.compare(baselineName), assumptionViews()),
    saved: savingOf(workspace),
    watch: (watcher: Watcher) => workspace.watch(watcher),
    /** Begins a use of it. Gives what ends it. */
    use: () => useOf(workspace),
    reset() {
      workspaces.reset(workspace)
      record('reset', 'Reset to the baseline')
    },
    snapshot: (name) => snapshots.take(name),
    restore: (snapshot) => snapshots.restore(snapshot),
    trace: () => context.trace(workspace),
    fetch: (input, init) => context.call(input, init, workspace),
  } satisfies SandboxWorkspace & Record<string, unknown>
}

/** The verbs of a workspace that somebody holds on to: it stays in memory from here on. */
export function held(workspace: Workspace, context: VerbContext): WorkspaceVerbs {
  context.storage.hold(workspace.name)
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
