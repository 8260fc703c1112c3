// Requests to the engine outside of batches: each is counted, and rejects with StorageUnavailableError if the engine is
// away.
import type { StoreFigures } from '../../metrics/store-figures.ts'
import { oneCommand, sandboxKeys, type singleCommands } from './declare-script.ts'
import { orUnavailable } from './replies.ts'
import type { Engine, Reply, Script, ScriptArgument } from './store-engine.ts'

export class EngineRequests {
  readonly prefix: string
  readonly #engine: Engine
  readonly #figures: StoreFigures

  constructor(engine: Engine, prefix: string, figures: StoreFigures) {
    this.#engine = engine
    this.prefix = prefix
    this.#figures = figures
  }

  get sandboxKeys(): string[] {
    return sandboxKeys(this.prefix)
  }

  /** Runs a script. @throws {StorageUnavailableError} */
  async run(script: Script, keys: readonly string[], args: readonly ScriptArgument[]): Promise<Reply> {
    this.#figures.roundTrips += 1
    return orUnavailable(this.#engine.run(script, keys, args))
  }

  /** Runs a command, which is atomic by itself. @throws {StorageUnavailableError} */
  command(key: string, command: (typeof singleCommands)[number], ...args: ScriptArgument[]): Promise<Reply> {
    return this.run(oneCommand, [key], [command, ...args])
  }
}
