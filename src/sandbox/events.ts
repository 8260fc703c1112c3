// What a sandbox tells while it starts and serves: answers, progress, notices, problems of the data file, bugs.
import type { AnsweredCall } from '../http/service.ts'
import type { KnownSecrets } from '../secrets/known-secrets.ts'
import type { NotSavedError } from '../workspaces/keeper.ts'

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
