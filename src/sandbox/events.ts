// What a sandbox tells while it starts and serves: answers, progress, notices, problems of the data file, bugs.
import type { ControlCall } from '../control/audit.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Problem } from '../input/problems.ts'
import type { NotSavedError } from '../workspaces/keeper.ts'

/** Told of what happens while a sandbox serves; the command line prints it. */
export interface SandboxEvents {
  /**
   * Told of every call of the API just before its answer leaves, as the journal shows it, whatever the journal keeps;
   * and what an answer of 400 and above says was wrong.
   * @example createSandbox({}, { onAnswer: ({ method, path, status }) => console.log(method, path, status) })
   */
  onAnswer?: (entry: JournalEntry, reason: string | undefined) => void
  /**
   * Told of every call of the control plane that was to change something, refused or not: an audit trail. Nothing of it
   * is secret: no body, no header.
   */
  onControl?: (call: ControlCall) => void
  onBug?: (error: unknown, requestId: string) => void
  /** Progress of work that takes longer than a second. */
  onProgress?: (line: string) => void
  /** What is unusual in the fixtures and no reason to refuse them, such as a statement that does not add up. */
  onWarning?: (warning: Problem) => void
  /** What became of the data file at the start, such as that it is used. */
  onNotice?: (line: string) => void
  /** The data file cannot be written, or can be again. */
  onProblem?: (line: string) => void
  /** The data file cannot be written any more: the sandbox closes. */
  onLost?: (error: NotSavedError) => void
  /** Somebody asked for the end (`POST /_sandbox/stop`); without it, the sandbox closes. */
  onStop?: () => void
  /** Ends the loading of fixtures early: the sandbox then rejects. */
  signal?: AbortSignal
}
