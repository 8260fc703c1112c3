// The callbacks of a sandbox, at its start and while it serves: answers, progress, notices, data file problems, bugs.
import type { ControlCall } from '../control/audit.ts'
import type { TestName } from '../call/test-of-call.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Problem } from '../input/problems.ts'
import type { NotSavedError } from '../workspaces/saver.ts'

/** Callbacks for the events of a sandbox. The command line prints these events. */
export interface SandboxEvents {
  /**
   * Called for every call of the API just before its answer leaves. The entry is the one of the journal, even if the
   * journal does not save it. `reason` says what was wrong, for an answer of 400 and above, and how much of its list a page has.
   * @example createSandbox({}, { onAnswer: ({ method, path, status }) => console.log(method, path, status) })
   */
  onAnswer?: (entry: JournalEntry, reason: string | undefined) => void
  /**
   * Called for every call of the control plane that was to change something, refused or not: an audit trail. It has no
   * secrets, as it has neither body nor headers.
   */
  onControl?: (call: ControlCall) => void
  onBug?: (error: unknown, requestId: string) => void
  /** Progress of work that takes longer than a second. */
  onProgress?: (line: string) => void
  /** Reports an oddity in the fixtures that is no reason to refuse them, such as a statement that does not add up. */
  onWarning?: (warning: Problem) => void
  /** Reports how the data file is used at the start. */
  onNotice?: (line: string) => void
  /** Reports that the data file cannot be written, or can be written again. */
  onProblem?: (line: string) => void
  /** Reports that the data file can never be written again. The sandbox closes. */
  onLost?: (error: NotSavedError) => void
  /** A client requested the end of the sandbox (`POST /_sandbox/stop`). Without this callback, the sandbox closes. */
  onStop?: () => void
  /** Returns the test that runs now, for calls to workspaces that were created for no test: `default`, for example. */
  runningTest?: () => TestName | undefined
  /** Aborts the loading of fixtures: `createSandbox` then rejects. */
  signal?: AbortSignal
}
