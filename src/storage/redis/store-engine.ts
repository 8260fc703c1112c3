// What the shared store needs of an engine: scripts that run whole, its clock, and whether it answers.

/** Replies of scripts: texts, numbers, null, lists of these. */
export type Reply = string | number | null | readonly Reply[]

/** A script of ours: sent by its SHA1, and whole where the engine does not know it. */
export interface Script {
  readonly name: string
  readonly text: string
}

/** An argument of a script; numbers are sent as decimal text. */
export type ScriptArgument = string | number | Uint8Array

/** Whether the engine answers, and in one sentence for a user why not. */
export type EngineStatus = { readonly status: 'ok' } | { readonly status: 'away'; readonly reason: string }

/** What the engine says of itself. */
export interface EngineFacts {
  /** Such as `7.0.15`; empty where it does not tell. */
  readonly version: string
  readonly product: 'redis' | 'valkey' | 'unknown'
  /** `maxmemory-policy`; undefined where it does not tell. */
  readonly policy: string | undefined
  readonly isCluster: boolean
}

/** Redis or Valkey, as one connection of ours sees it. No key is read or written but by a script. */
export interface Engine {
  readonly facts: EngineFacts
  readonly status: EngineStatus
  /** Told of each change of status. */
  onStatus: ((status: EngineStatus) => void) | undefined
  /**
   * Runs a script; all keys are in one slot. Calls of the same turn of the event loop share one write to the socket.
   * @throws {EngineAwayError} at once when it is known to be away; after 2,000 ms when it does not answer; when it says
   * that it cannot do this now.
   */
  run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Reply>
  /** The same for a reply of bytes. */
  runForBytes(
    script: Script,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<Uint8Array | null>
  /** Resolves true once it answers, false after so many milliseconds or when closed. */
  untilBack(maxMs: number): Promise<boolean>
  /** Its own clock, in milliseconds since the epoch. @throws {EngineAwayError} as `run` does. */
  time(): Promise<number>
  /** Lets go of the connection; what still waits for an answer is rejected. */
  close(): Promise<void>
}
