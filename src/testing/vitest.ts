// The kit for vitest: `test` with a sandbox and a workspace of its own, and matchers for `expect`.
import { expect, test as base, type RunnerTask, type TestAPI } from 'vitest'
import type { KitSandboxOptions, RunningTest, TestKit, TestWorkspaceOptions } from './kit.ts'
import type { SandboxMatchers } from './matchers.ts'
import { monotonicNow } from '../runtime/host.ts'
import {
  asRunningTest,
  matchers,
  reportResult,
  sandboxFixture,
  serverFixture,
  watchShared,
  withCalls,
  withTestWorkspace,
  withTrace,
} from './kit-parts.ts'

// With these exports, a test file needs one import. `it` is omitted, as that of vitest has no workspace.
export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFailed,
  onTestFinished,
  vi,
} from 'vitest'
export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export type { ChangeMatchers, ExpectedChange, ExpectedEvents, SandboxMatchers } from './matchers.ts'

// Before vitest had `override`, replaced options did not reach the fixtures that depend on them: tests would silently
// run in a sandbox with other options. The peer range does not require this version, as npm would then refuse to
// install the package for users of its other parts.
if (typeof base.override !== 'function') {
  throw new Error('partner-rewards-sandbox/vitest needs vitest 4.1 or newer')
}

/** The fixtures of `test`. Only the fixtures that a test names are started. */
export interface VitestKit extends TestKit {
  /** The options of the sandbox, as for `createSandbox`. Replace them by `test.extend`. */
  sandboxOptions: KitSandboxOptions
  /** The options of each test's workspace. Replace them by `test.extend`, or for one `describe` by `test.override`. */
  workspaceOptions: TestWorkspaceOptions
  /** Reports each test to the run of `exec`, and shows the calls of a failed test that has no workspace. */
  reported: void
}

/**
 * Vitest's `test` with a sandbox. The tests of a file share one `sandbox` (with `isolate: false` those of a worker),
 * and each test has a `workspace` of its own, also under `test.concurrent`. A test that fails prints the calls to its
 * workspace.
 *
 * @example
 * import { expect, test } from 'partner-rewards-sandbox/vitest'
 *
 * test('retries when it is rate limited', async ({ workspace }) => {
 *   await workspace.scenarios.activate('rate-limited')
 *   const client = new PartnerClient({ fetch: workspace.fetch })
 *   await client.createIntent({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' })
 *   expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', status: 200, count: 1 })
 * })
 *
 * test('works over HTTP', async ({ workspace, server }) => {
 *   const client = new PartnerClient({ baseUrl: server.url, apiKey: workspace.apiKey })
 * })
 *
 * @example
 * // A sandbox with rows of its own, for the tests that use this `test`.
 * const myTest = test.extend({ sandboxOptions: { fixtures: 'fixtures/shop.yaml', clock: '2026-01-01T00:00:00Z' } })
 */
export const test: TestAPI<VitestKit> = base.extend<VitestKit>({
  sandboxOptions: [{}, { scope: 'worker' }],
  workspaceOptions: {},
  sandbox: [sandboxFixture, { scope: 'worker' }],
  server: [serverFixture, { scope: 'worker' }],
  workspace: async ({ sandbox, sandboxOptions, workspaceOptions, task, onTestFailed }, use) => {
    await withTestWorkspace(sandbox, workspaceOptions, testOf(task), async (workspace, saw) => {
      withWorkspace.add(task)
      onTestFailed(async () => {
        const calls = saw(task.fullTestName)
        const shown = await withTrace(calls, [workspace, sandbox], testOf(task), sandboxOptions.traceDir)
        showCalls(task, shown.text)
      })
      await use(workspace)
    })
  },
  // This applies to every test, so it must not create a sandbox.
  reported: [
    async ({ task, sandboxOptions, onTestFailed, onTestFinished }, use) => {
      const [saw, start] = [watchShared(), monotonicNow()]
      onTestFailed(async () => {
        if (withWorkspace.has(task)) return
        for (const { calls, sandbox } of saw(task.fullTestName)) {
          const shown = await withTrace(calls, [sandbox], testOf(task), sandboxOptions.traceDir)
          showCalls(task, shown.text)
        }
      })
      onTestFinished(() => {
        reportResult(testOf(task), resultOf(task), monotonicNow() - start)
      })
      await asRunningTest(testOf(task), use)
    },
    { auto: true },
  ],
})

/** The tests that have a workspace. Their failures show its calls instead of those of `default`. */
const withWorkspace = new WeakSet<object>()

const resultOf = ({ result }: RunnerTask): 'passed' | 'failed' | 'skipped' => {
  if (result?.state === 'fail') return 'failed'
  return result?.state === 'skip' ? 'skipped' : 'passed'
}

/** Shows calls below the failure of a test. */
function showCalls(task: RunnerTask, calls: string): void {
  const error = task.result?.errors?.at(-1)
  withCalls(error, calls)
  // The default reporter only prints the frames of a stack. It prints the code frame below the message, unchanged.
  if (error)
    error['codeFrame'] = [error['codeFrame'], calls].flatMap((text) => (text ? [`\n${text}`] : [])).join('\n')
}

/** Returns the test as reporters name it. */
const testOf = ({ fullTestName, file }: RunnerTask): RunningTest => ({
  name: fullTestName,
  file: file.filepath,
  project: file.projectName,
})

expect.extend(matchers)

declare module 'vitest' {
  // oxlint-disable-next-line typescript/no-explicit-any -- the declaration that is added to has it
  interface Matchers<T = any> extends SandboxMatchers<T> {}
}
