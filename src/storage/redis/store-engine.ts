// The interface of an engine: atomic scripts, a clock, and its status.

/** Replies of scripts: texts, numbers, null, lists of these. */
export type Reply = string | number | null | readonly Reply[]

/** A script of ours: sent by its SHA1, or in full if the engine does not know it. */
export interface Script {
  readonly name: string
  readonly text: string
}

/** An argument of a script; numbers are sent as decimal text. */
export type ScriptArgument = string | number | Uint8Array

/** Whether the engine answers, and if not, why, in one sentence for a user. */
export type EngineStatus = { readonly status: 'ok' } | { readonly status: 'away'; readonly reason: string }

/** The engine's description of itself. */
export interface EngineFacts {
  /** Such as `7.0.15`; empty if unknown. */
  readonly version: string
  readonly product: 'redis' | 'valkey' | 'unknown'
  /** `maxmemory-policy`; undefined if unknown. */
  readonly policy: string | undefined
  readonly isCluster: boolean
}

/** Redis or Valkey as one connection. Only scripts read and write keys. */
export interface Engine {
  readonly facts: EngineFacts
  readonly status: EngineStatus
  /** Called on each change of status. */
  onStatus: ((status: EngineStatus) => void) | undefined
  /**
   * Runs a script; all keys are in one slot. Calls of the same iteration of the event loop share one write to the
   * socket.
   * @throws {EngineAwayError} immediately if it is known to be away; after 2,000 ms without an answer; if it refuses
   * for now.
   */
  run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Reply>
  /** The same for a reply of bytes. */
  runForBytes(
    script: Script,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<Uint8Array | null>
  /** Resolves to true as soon as it answers, to false after so many ms or when closed. */
  waitUntilAvailable(maxMs: number): Promise<boolean>
  /** The engine's clock, in ms since the epoch. @throws {EngineAwayError} like `run`. */
  time(): Promise<number>
  /** Closes the connection; waiting requests are rejected. */
  close(): Promise<void>
}
