// Calls of scripts: counted, and with the errors of the interface of storage.
import { StorageUnavailableError } from '../../workspaces/storage.ts'
import { DamagedError } from '../../workspaces/storage.ts'
import type { Engine, Reply, Script, ScriptArgument } from './store-engine.ts'
import { EngineUnavailableError, ForeignKeyError } from './store-error.ts'

/** Rejects with StorageUnavailableError if the engine is away. */
export class EngineCalls {
  /** Scripts that were sent. */
  roundTrips = 0
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Sends a script immediately: scripts of one iteration of the event loop share one write to the socket. */
  async run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Reply> {
    this.roundTrips += 1
    return this.#engine.run(script, keys, args).catch(rethrow)
  }

  /** The same, with each text of the reply as bytes. */
  async runForBytes(
    script: Script,
    keys: readonly string[],
    args: readonly ScriptArgument[],
  ): Promise<unknown> {
    this.roundTrips += 1
    return this.#engine.runForBytes(script, keys, args).catch(rethrow)
  }
}

function rethrow(error: unknown): never {
  if (!(error instanceof EngineUnavailableError)) throw error
  throw new StorageUnavailableError(error.message, { cause: error })
}

/** Whether a script that failed may have been executed. */
export function mayHaveRun(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof EngineUnavailableError && error.cause.mayHaveRun
}

/** Whether a key has a value of another kind. */
export function isForeign(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof ForeignKeyError
}

/** The values of one workspace cannot be read, while other workspaces can be used. @param keys such as `{sandbox:w1}:*`. */
export function damagedKeys(keys: string, options?: ErrorOptions): DamagedError {
  return new DamagedError(
    `The store holds values under ${keys} that no sandbox of this format wrote: delete them, or use another --store-prefix.`,
    options,
  )
}
