// The sandbox that tests share in runners without fixtures. The first test creates it, and it is served while a test
// needs that.
import type { Sandbox, SandboxServer } from '../index.ts'
import { monotonicNow } from '../runtime/host.ts'
import { asRunningTest, createKitSandbox, reportResult, withTestWorkspace } from './kit.ts'
import type { KitSandboxOptions, RunningTest, TestKit, TestWorkspaceOptions } from './kit.ts'
import { withTrace } from './test-trace.ts'
import type { DescribeCalls } from './calls-of-test.ts'

/** The objects that the body of a test gets. */
export interface SharedTestKit extends Omit<TestKit, 'server'> {
  /** The server of the sandbox. It starts when a test reads this property: `const { url } = await server`. */
  readonly server: Promise<SandboxServer>
}

export class SharedSandbox {
  readonly #options: KitSandboxOptions
  #made: Promise<Sandbox> | undefined
  #server: Promise<SandboxServer> | undefined
  #running = 0

  constructor(options: KitSandboxOptions) {
    this.#options = options
  }

  /**
   * Runs one test with a workspace of its own. The server is closed after the last running test, as it would keep the
   * process alive.
   */
  async run(
    workspaceOptions: TestWorkspaceOptions,
    test: RunningTest,
    body: (kit: SharedTestKit, saw: DescribeCalls) => Promise<void>,
  ): Promise<void> {
    const sandbox = await (this.#made ??= createKitSandbox(this.#options))
    const listening = (): Promise<SandboxServer> => (this.#server ??= sandbox.listen())
    this.#running += 1
    const start = monotonicNow()
    let isPassed = false
    try {
      await asRunningTest(test, () =>
        withTestWorkspace(sandbox, workspaceOptions, test, (workspace, saw) => {
          const kit: SharedTestKit = {
            sandbox,
            workspace,
            get server() {
              return listening()
            },
          }
          return body(kit, saw)
        }),
      )
      isPassed = true
    } finally {
      reportResult(test, isPassed ? 'passed' : 'failed', monotonicNow() - start)
      this.#running -= 1
      if (this.#running === 0) await this.#close()
    }
  }

  /** Writes the trace of a failed test, and returns its calls with the path of the trace. */
  async withTrace(calls: string, { workspace, sandbox }: SharedTestKit, test: RunningTest): Promise<string> {
    return (await withTrace(calls, [workspace, sandbox], test, this.#options.traceDir)).text
  }

  async #close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    await (await server)?.close()
  }
}
