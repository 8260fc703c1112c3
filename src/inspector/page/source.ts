// Where the page takes what it shows from: a sandbox that runs, or the data within a trace.
import type { JournalEntry } from '../../journal/entry.ts'
import type { RunGroup } from './run-groups.ts'

/** What a request to the control plane is made of. */
export interface Asked {
  /** The workspace that it is about; left out where it is about none. */
  workspace?: string | undefined
  query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal
}

/** An entry of the journal as the stream tells it: without bodies, and of rows their ids alone. */
export type StreamedEntry = Omit<JournalEntry, 'request' | 'response' | 'changes'> & {
  changes: { collection: string; id: string }[]
}

/** What happens in a workspace. */
export type LiveEvent =
  | { kind: 'requests'; requests: readonly StreamedEntry[] }
  /** Rows changed, and not by a call. */
  | { kind: 'change'; changes: readonly { collection: string; id: string }[] }
  | { kind: 'reset' }
  /** So many calls came faster than they could be told. */
  | { kind: 'dropped'; count: number }
  /** Another process answers at this address now: what was there before is gone. */
  | { kind: 'restarted' }
  /** @property why it was refused, as the control plane says it. */
  | { kind: 'connection'; state: Connection; why: string }

/**
 * Whether calls are told as they come: `asking` now and then, as other windows hold the streams; `paused` while nobody
 * looks; `gone` as there is no such workspace; `refused` as it is not to be had, such as that of another partner;
 * `offline` as nobody answers; `token` as a token is needed.
 */
export type Connection =
  'connecting' | 'live' | 'asking' | 'paused' | 'gone' | 'refused' | 'offline' | 'token'

export interface Source {
  /** Whether anything can be changed: a trace only shows what was. */
  readonly isLive: boolean
  /** The calls and actions of a run by test: the first view shows them. */
  readonly run?: readonly RunGroup[]
  /** What the page says of it at its top. */
  readonly about: string
  /** The workspace that is shown where an address names none. */
  readonly home: string
  /**
   * Asks the control plane: `ask<Health>('GET', '/health')`.
   * @param path what stands after `/_sandbox`.
   * @throws {Refused} for an answer of 400 and above. @throws {Unreachable} where there is no answer.
   */
  ask<T>(method: string, path: string, asked?: Asked): Promise<T>
  /** Tells what happens in a workspace until it is told to stop. */
  follow(workspace: string, tell: (event: LiveEvent) => void): () => void
}

/** One problem of what was sent, where it stands. */
export interface RefusedDetail {
  source?: string
  path?: string
  message: string
  line?: number
  column?: number
}

/** The control plane refused what was asked. */
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

/** Nobody answered. */
export class Unreachable extends Error {
  override name = 'Unreachable'
}
