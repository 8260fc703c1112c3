// The context that the stages of all calls share: workspaces, assumptions, scenarios, the recorder.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { ScenarioLibrary } from '../scenarios/library.ts'
import type { Cursors } from '../store/cursors.ts'
import type { RowRules } from '../operations/state.ts'
import type { Workspaces } from '../workspaces/workspaces.ts'
import type { Recorder } from './recorder.ts'
import type { StatementLinks } from './statements/statement-links.ts'

/** The context that the stages of every call share. */
export interface Service {
  workspaces: Workspaces
  assumptions: Assumptions
  environment: Environment
  cursors: Cursors
  statementLinks: StatementLinks
  /** The size limit of request bodies of the API, in bytes. */
  maxBody: number
  /** The public URL, if it differs from the address of the server. Its path is stripped from request paths. */
  baseUrl: URL | undefined
  /** Origins in addition to loopback ones that browsers may call from. */
  corsOrigins: readonly string[]
  /** The scenarios on disk. */
  scenarioLibrary: ScenarioLibrary
  /** The rules for rows that scenarios change. */
  rowRules: RowRules
  recorder: Recorder
  /** A signal that aborts when the sandbox closes, and ends all waits. */
  closing: AbortSignal
  /** Called for a failure that is a bug of the sandbox. The client receives only the request id. */
  onBug(error: unknown, requestId: string): void
}
