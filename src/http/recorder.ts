// Where calls are recorded in addition to the journal and the coverage of their workspace.
import type { InFlightCall } from '../call/index.ts'
import type { UnmatchedCalls } from '../explain/unmatched-calls.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { Workspace } from '../workspaces/workspace.ts'

export interface Recorder {
  /** Hidden in everything that is reported to the operator. */
  secrets: KnownSecrets
  /** Counts the calls that met no endpoint. */
  unmatched: UnmatchedCalls
  /** Counts all calls, for Prometheus. */
  metrics: RequestMetrics
  /** Called for every finished call, as the journal shows it, with why it was refused. */
  onAnswer?: (entry: JournalEntry, reason: string | undefined) => void
  /** Called for every call of the API before its answer leaves, whether it came over HTTP or in this process. */
  onCall?: (call: InFlightCall, facts: CallFacts) => void
}

/** What is known of a call besides the call itself. */
export interface CallFacts {
  workspace: Workspace
  /** It came through a socket. */
  overHttp: boolean
  /** It meant something that is not there. */
  metNoEndpoint: boolean
}
