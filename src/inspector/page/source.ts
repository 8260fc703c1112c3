// The source of the page's data: a running sandbox, or the data within a trace.
import type { JournalEntry } from '../../journal/entry.ts'
import type { RunGroup } from './run-groups.ts'

/** The parts of a request to the control plane. */
export interface ControlRequest {
  /** The workspace of the request; omitted if it does not depend on one. */
  workspace?: string | undefined
  query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal
}

/** A journal entry as the stream sends it: without bodies, and with the ids of rows only. */
export type StreamedEntry = Omit<JournalEntry, 'request' | 'response' | 'changes'> & {
  changes: { collection: string; id: string }[]
}

/** An event of a workspace. */
export type LiveEvent =
  | { kind: 'requests'; requests: readonly StreamedEntry[] }
  /** Rows changed, and not by a call. */
  | { kind: 'change'; changes: readonly { collection: string; id: string }[] }
  | { kind: 'reset' }
  /** The number of calls that came faster than the stream could send them. */
  | { kind: 'dropped'; count: number }
  /** Another process answers at this address now: the earlier data is gone. */
  | { kind: 'restarted' }
  /** @property why it was refused, in the words of the control plane. */
  | { kind: 'connection'; state: Connection; why: string }

/**
 * How calls arrive: `live` by a stream; `asking` by polls, as other windows use the streams; `paused` while the page is
 * hidden; `gone` if there is no such workspace; `refused` if it is another partner's; `offline` if the sandbox does not
 * answer; `token` if a token is required.
 */
export type Connection =
  'connecting' | 'live' | 'asking' | 'paused' | 'gone' | 'refused' | 'offline' | 'token'

export interface Source {
  /** Whether anything can be changed: a trace is read-only. */
  readonly isLive: boolean
  /** The calls and actions of a run by test: the first view shows them. */
  readonly run?: readonly RunGroup[]
  /** The notice at the top of the page. */
  readonly about: string
  /** The workspace that is shown if a URL names none. */
  readonly home: string
  /**
   * Sends a request to the control plane: `ask<Health>('GET', '/health')`.
   * @param path the path after `/_sandbox`.
   * @throws {Refused} for an answer of 400 and above. @throws {Unreachable} if there is no answer.
   */
  ask<T>(method: string, path: string, requested?: ControlRequest): Promise<T>
  /** Reports the events of a workspace until the returned function is called. */
  follow(workspace: string, tell: (event: LiveEvent) => void): () => void
}

/** One problem of a request, with its location. */
export interface RefusedDetail {
  source?: string
  path?: string
  message: string
  line?: number
  column?: number
}

/** The control plane refused a request. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number
  readonly details: readonly RefusedDetail[]

  constructor(status: number, message: string, details: readonly RefusedDetail[] = []) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** There was no answer. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}
