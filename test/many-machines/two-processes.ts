/** Two sandboxes of this thread as processes that share an engine, with short leases. */
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { testNow, uncheckedCaller, type CallApi } from '../helpers/sandbox.ts'
import { withTest } from '../setup/with-test.ts'

/** Leases that expire soon, and are renewed often. */
export const shortTimes = { lease: 5_000, renewEvery: 100, trust: 4_000, wanted: 1_000 }

export type SharedSandbox = Sandbox & { call: CallApi }

/** Starts a sandbox on a store; it is closed after the test. */
export async function startShared(
  store: string,
  options: SandboxOptions = {},
  problems: string[] = [],
): Promise<SharedSandbox> {
  const sandbox = await createSandbox({ clock: testNow, ...options, store } as SandboxOptions, {
    onBug: (error) => {
      throw error instanceof Error ? error : new Error(String(error))
    },
    onProblem: (line) => problems.push(line),
    onNotice: (line) => problems.push(line),
    storage: { engine: { times: shortTimes } },
  })
  withTest(() => sandbox.close())
  return Object.assign(sandbox, { call: uncheckedCaller(sandbox) })
}

/** Sends a call again for as long as it is answered 503, as clients do. */
export async function served<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
    // Without it, the calls would be all that the event loop does.
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
