// The ports that a sandbox listens on.
import type { App } from '../http/context.ts'
import { isLoopback } from '../http/cors.ts'
import { listen, type Listening } from '../http/listen.ts'
import type { Outside } from '../http/refuse-connection.ts'
import { optionTable } from '../options/index.ts'
import type { ListenAt, SandboxServer } from '../operations/index.ts'

/** Declares that the process serves only this sandbox, see `ListenOptions`. */
export interface ProcessOwner {
  ownsProcess?: boolean
}

export class Servers {
  readonly #app: App
  readonly #ownsProcess: boolean
  readonly #outside: Outside
  readonly #listening = new Set<Listening>()

  /** @param ownsProcess see `ListenOptions`. */
  constructor(app: App, ownsProcess: boolean, outside: Outside) {
    this.#app = app
    this.#ownsProcess = ownsProcess
    this.#outside = outside
  }

  /** The address of the first port; undefined if there is none. */
  get url(): string | undefined {
    return [...this.#listening][0]?.url
  }

  /** Whether only this machine reaches the ports. It is true if there is none. */
  get onLoopback(): boolean {
    return [...this.#listening].every(({ host }) => isLoopback(host) || host === '::1')
  }

  /** @throws the error of Node, such as EADDRINUSE. */
  async listen({ port = 0, host, tls }: ListenAt = {}): Promise<SandboxServer> {
    const where = { port, host: host ?? optionTable.host.default, ownsProcess: this.#ownsProcess, tls }
    const server = await listen(this.#app, where, this.#outside)
    this.#listening.add(server)
    return {
      url: server.url,
      port: server.port,
      // The port counts until it is closed: the guard of the control plane depends on where calls may still come from.
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
