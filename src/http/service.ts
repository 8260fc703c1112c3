// What the stages of all calls share: workspaces, assumptions, scenarios, the recorder.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Cursors } from '../store/cursors.ts'
import type { RowRules } from '../operations/workspace-state.ts'
import type { Storage } from '../workspaces/storage.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Recorder } from './recorder.ts'
import type { StatementLinks } from './statements/statement-links.ts'

/** What the stages of every call share. */
export interface Service {
  workspaces: Workspaces
  /** Where the workspaces are persisted. */
  storage: Storage
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
  /** Aborted when the sandbox closes, so that nothing waits longer. */
  closing: AbortSignal
  /** Called for a failure that is a bug of ours; the client learns the request id only. */
  onBug(error: unknown, requestId: string): void
}
