// What all requests share: workspaces, assumptions, scenarios, and who is told of answers and bugs.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Call, InFlightCall } from '../call/index.ts'
import type { SharedStore } from '../shared-store/shared-store.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { DataFolder } from '../persistence/data-folder.ts'
import type { UnmatchedCalls } from '../findings/unmatched-calls.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { Provenance } from '../reading/resolve-assumptions.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Cursors } from '../store/cursors.ts'
import type { LoadDocuments, RowRules } from '../verbs/workspace-state.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { StatementLinks } from '../statement-pdf/statement-links.ts'

export interface Service {
  workspaces: Workspaces
  assumptions: Assumptions
  /** Who chose their values. */
  provenance: Provenance
  environment: Environment
  cursors: Cursors
  statementLinks: StatementLinks
  /** How clients reach the sandbox, when that differs from how requests arrive; its path is stripped from theirs. */
  baseUrl: URL | undefined
  /** Origins beside loopback ones that browsers may call from. */
  corsOrigins: readonly string[]
  /** The scenarios on disk. */
  scenarioLibrary: ScenarioLibrary
  /** What checking a row takes, for scenarios that change some. */
  rowRules: RowRules
  /** What is hidden in what whoever runs the sandbox is told. */
  secrets: KnownSecrets
  /** Counts the calls that met no endpoint. */
  unmatched: UnmatchedCalls
  /** Counts all calls, for whoever watches the process. */
  metrics: RequestMetrics
  /** Makes a state of documents, for whoever replaces one. */
  loadDocuments: LoadDocuments
  /** The store that several processes share, where there is one. */
  shared?: SharedCalls
  /** The folder that all workspaces are kept in, where there is one. */
  folder?: DataFolder
  /** Aborted when the sandbox closes, so that nothing waits longer. */
  closing: AbortSignal
  /** Told of a failure that is a bug of ours; the client learns the request id only. */
  onBug(error: unknown, requestId: string): void
  /** Told of every finished call, as the journal shows it, and why it was refused. */
  onAnswer?: (entry: JournalEntry, reason: string | undefined) => void
  /** Told of every call of the API before its answer leaves, whether it came over HTTP or in this process. */
  onCall?: (call: InFlightCall, how: CallFacts) => void
}

/** Where calls take turns with those of other processes. */
export interface SharedCalls {
  readonly store: SharedStore
  /** What the journal keeps of a call, as text. */
  write(call: Call): string
  /** The contract points that a call exercises. */
  exercisedBy(call: InFlightCall): readonly string[]
}

/** What is known of a call beside its call. */
export interface CallFacts {
  workspace: Workspace
  /** It came through a socket. */
  overHttp: boolean
  /** It meant something that is not there. */
  metNoEndpoint: boolean
}
