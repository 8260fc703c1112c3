// The recorder of a sandbox: metrics, unmatched calls and callbacks, in addition to the journals and coverage of
// workspaces.
import type { InFlightCall } from '../call/index.ts'
import type { UnmatchedCalls } from '../explain/unmatched-calls.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export interface Recorder {
  /** Secrets that are redacted in everything that the operator sees. */
  secrets: KnownSecrets
  /** Counts the calls that met no endpoint. */
  unmatched: UnmatchedCalls
  /** Counts all calls, for Prometheus. */
  metrics: RequestMetrics
  /** Called for every finished call, with its journal entry and the reason of a refusal. */
  onAnswer?: (entry: JournalEntry, reason: string | undefined) => void
  /** Called for every call of the API before its answer leaves, over HTTP or in process. */
  onCall?: (call: InFlightCall, facts: CallFacts) => void
}

/** Facts about a call that the call itself does not have. */
export interface CallFacts {
  workspace: Workspace
  /** The call came through a socket. */
  overHttp: boolean
  /** Neither an endpoint nor a stub has its path and method. */
  isUnmatched: boolean
}
