// The ports that a sandbox listens on.
import type { App } from '../http/context.ts'
import { isLoopback } from '../http/cors.ts'
import { listen, type Listening } from '../http/listen.ts'
import { optionTable } from '../options/index.ts'
import type { SandboxServer } from '../verbs/index.ts'

/** Where the command line listens unless it is told otherwise. */
const usualHost: string = optionTable.host.default

export class Servers {
  readonly #app: App
  readonly #nextRequestId: () => string
  readonly #listening = new Set<Listening>()

  /** @param nextRequestId numbers what never becomes a request. */
  constructor(app: App, nextRequestId: () => string) {
    this.#app = app
    this.#nextRequestId = nextRequestId
  }

  /** Where the first of them is reached; undefined when there is none. */
  get url(): string | undefined {
    return [...this.#listening][0]?.url
  }

  /** Whether nobody but this machine reaches any of them; so it is when there is none. */
  get onLoopback(): boolean {
    return [...this.#listening].every(({ host }) => isLoopback(host) || host === '::1')
  }

  /** @throws the bind error of Node, such as EADDRINUSE. */
  async listen({ port = 0, host = usualHost } = {}): Promise<SandboxServer> {
    const server = await listen(this.#app, { port, host }, this.#nextRequestId)
    this.#listening.add(server)
    return {
      url: server.url,
      port: server.port,
      // It counts until it is closed: who may use the control plane goes by where calls may still come from.
      close: async () => {
        await server.close()
        this.#listening.delete(server)
      },
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listening].map((server) => server.close()))
    this.#listening.clear()
  }
}
