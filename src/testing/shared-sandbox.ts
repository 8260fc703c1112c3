// The sandbox that tests share in runners without fixtures: made for the first of them, served while one needs it.
import { createSandbox } from '../index.ts'
import type { Sandbox, SandboxOptions, SandboxServer } from '../index.ts'
import { withTestWorkspace, type RunningTest, type TestKit, type TestWorkspaceOptions } from './kit.ts'
import type { Saw } from './what-it-saw.ts'

/** What the body of a test gets. */
export interface SharedTestKit extends Omit<TestKit, 'server'> {
  /** Where the sandbox serves: it begins when a test names it, so `const { url } = await server`. */
  readonly server: Promise<SandboxServer>
}

export class SharedSandbox {
  readonly #options: SandboxOptions
  #made: Promise<Sandbox> | undefined
  #server: Promise<SandboxServer> | undefined
  #running = 0

  constructor(options: SandboxOptions) {
    this.#options = options
  }

  /** Runs one test with a workspace of its own. A server keeps the process alive, so it is closed after the last. */
  async run(
    options: TestWorkspaceOptions,
    test: RunningTest,
    body: (kit: SharedTestKit, saw: Saw) => Promise<void>,
  ): Promise<void> {
    const sandbox = await (this.#made ??= createSandbox(this.#options))
    const listening = (): Promise<SandboxServer> => (this.#server ??= sandbox.listen())
    this.#running += 1
    try {
      await withTestWorkspace(sandbox, options, test, (workspace, saw) => {
        const kit: SharedTestKit = {
          sandbox,
          workspace,
          get server() {
            return listening()
          },
        }
        return body(kit, saw)
      })
    } finally {
      this.#running -= 1
      if (this.#running === 0) await this.#close()
    }
  }

  async #close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    await (await server)?.close()
  }
}
