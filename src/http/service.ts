// What the stages of all calls share: workspaces, assumptions, scenarios, the recorder.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Call, InFlightCall } from '../call/index.ts'
import type { SharedStore } from '../storage/redis/shared-store.ts'
import type { DataFolder } from '../storage/file/data-folder.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Cursors } from '../store/cursors.ts'
import type { RowRules } from '../verbs/workspace-state.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Recorder } from './recorder.ts'
import type { StatementLinks } from '../statement-pdf/statement-links.ts'

/** What the stages of every call share. */
export interface Service {
  workspaces: Workspaces
  assumptions: Assumptions
  environment: Environment
  cursors: Cursors
  statementLinks: StatementLinks
  /** How clients reach the sandbox, when that differs from how requests arrive; its path is stripped from theirs. */
  baseUrl: URL | undefined
  /** Origins in addition to loopback ones that browsers may call from. */
  corsOrigins: readonly string[]
  /** The scenarios on disk. */
  scenarioLibrary: ScenarioLibrary
  /** The rules for rows that scenarios change. */
  rowRules: RowRules
  recorder: Recorder
  /** The store that several processes share, where there is one. */
  shared?: SharedCalls
  /** The folder that all workspaces are persisted in, where there is one. */
  folder?: DataFolder
  /** Aborted when the sandbox closes, so that nothing waits longer. */
  closing: AbortSignal
  /** Called for a failure that is a bug of ours; the client learns the request id only. */
  onBug(error: unknown, requestId: string): void
}

/** Where calls take turns with those of other processes. */
export interface SharedCalls {
  readonly store: SharedStore
  /** What the journal keeps of a call, as text. */
  write(call: Call): string
  /** The contract points that a call exercises. */
  exercisedBy(call: InFlightCall): readonly string[]
}
