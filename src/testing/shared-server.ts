// A server that starts to listen when a test needs it, and is closed when none does any more.
import type { SandboxServer } from '../index.ts'

export class SharedServer {
  readonly #listen: () => Promise<SandboxServer>
  #server: Promise<SandboxServer> | undefined
  #users = 0

  constructor(listen: () => Promise<SandboxServer>) {
    this.#listen = listen
  }

  /** For one test that may need the server. */
  use() {
    this.#users += 1
    return {
      /** The server, which starts to serve if it does not yet. */
      listening: () => (this.#server ??= this.#listen()),
      end: async () => {
        this.#users -= 1
        const server = this.#server
        if (this.#users > 0 || server === undefined) return
        this.#server = undefined
        await (await server).close()
      },
    }
  }
}
