// The kit for Playwright: `test` with a sandbox, a server and a workspace, and matchers for `expect`.
import { expect as baseExpect, test as base, type APIRequestContext, type TestInfo } from '@playwright/test'
import type { KitSandboxOptions, RunningTest, TestKit, TestWorkspaceOptions } from './kit.ts'
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
import type { FailureText } from './test-trace.ts'

export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export type { ExpectedChange, ExpectedEvents } from './matchers.ts'

/** The fixtures of each worker. */
export interface PlaywrightWorkerKit extends Pick<TestKit, 'sandbox' | 'server'> {
  /** The options of the sandbox, as for `createSandbox`. Set them by `test.use`, or by `use` in the config. */
  sandboxOptions: KitSandboxOptions
}

/** The fixtures of each test. */
export interface PlaywrightTestKit extends Pick<TestKit, 'workspace'> {
  /** The options of this test's workspace. Set them by `test.use`, also inside of `test.describe`. */
  workspaceOptions: TestWorkspaceOptions
  /** Reports each test to the run of `exec`, and shows the calls of a failed test that has no workspace. */
  reported: void
  /** Playwright's own HTTP client, with the URL of the server and the key of the workspace. */
  api: APIRequestContext
}

/**
 * Playwright's `test` with a sandbox. The tests of a worker share one `sandbox`, which serves at `server.url`, and each
 * test has a `workspace` of its own. A test that fails prints the calls to its workspace, and has the journal and a
 * trace attached.
 *
 * @example
 * import { expect, test } from 'partner-rewards-sandbox/playwright'
 *
 * test('a purchase is announced', async ({ server, workspace }) => {
 *   const client = new PartnerClient({ baseUrl: server.url, apiKey: workspace.apiKey })
 *   await client.createIntent({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' })
 *   expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', count: 1 })
 * })
 *
 * test('a reward is pending', async ({ api }) => {
 *   await expect(await api.get('/v2/rewards/rwd_ada_pending')).toBeOK()
 * })
 *
 * @example
 * test.use({ sandboxOptions: { clock: '2026-01-01T00:00:00Z' }, workspaceOptions: { scenarios: ['slow'] } })
 */
export const test = base.extend<PlaywrightTestKit, PlaywrightWorkerKit>({
  sandboxOptions: [{}, { option: true, scope: 'worker' }],
  workspaceOptions: [{}, { option: true }],
  sandbox: [sandboxFixture, { scope: 'worker' }],
  server: [serverFixture, { scope: 'worker' }],
  workspace: async ({ sandbox, sandboxOptions, workspaceOptions }, use, testInfo) => {
    const one = testOf(testInfo)
    await withTestWorkspace(sandbox, workspaceOptions, one, async (workspace, saw) => {
      await use(workspace)
      withWorkspace.add(testInfo)
      if (testInfo.status === testInfo.expectedStatus) return
      const calls = saw(one.name)
      await showCalls(testInfo, await withTrace(calls, [workspace, sandbox], one, sandboxOptions.traceDir))
      await testInfo.attach('sandbox journal', {
        body: JSON.stringify(workspace.requests.list(), null, 2),
        contentType: 'application/json',
      })
    })
  },
  // This applies to every test, so it must not create a sandbox.
  reported: [
    async ({ sandboxOptions }, use, testInfo) => {
      const saw = watchShared()
      const one = testOf(testInfo)
      await asRunningTest(one, use)
      const isExpected = testInfo.status === testInfo.expectedStatus
      if (!isExpected && !withWorkspace.has(testInfo)) {
        for (const { calls, sandbox } of saw(one.name)) {
          await showCalls(testInfo, await withTrace(calls, [sandbox], one, sandboxOptions.traceDir))
        }
      }
      const result = testInfo.status === 'skipped' ? 'skipped' : isExpected ? 'passed' : 'failed'
      reportResult(one, result, testInfo.duration)
    },
    { auto: true },
  ],
  api: async ({ playwright, server, workspace }, use) => {
    const api = await playwright.request.newContext({
      baseURL: server.url,
      extraHTTPHeaders: { authorization: `Bearer ${workspace.apiKey}` },
    })
    await use(api)
    await api.dispose()
  },
})

const testOf = ({ titlePath, file, project }: TestInfo): RunningTest => ({
  name: titlePath.slice(1).join(' > '),
  file,
  project: project.name,
})

/** Shows calls below the failure of a test, and attaches the trace. */
async function showCalls(testInfo: TestInfo, { text, trace }: FailureText): Promise<void> {
  withCalls(testInfo.errors.at(-1), text)
  // Attach the file by its path: reporters print the path, but would print the whole text of a body.
  if (trace !== undefined) await testInfo.attach('sandbox trace', { path: trace, contentType: 'text/html' })
}

/** The tests that have a workspace. Their failures show its calls instead of those of `default`. */
const withWorkspace = new WeakSet<object>()

/**
 * Playwright's `expect` with matchers for workspaces.
 *
 * @example
 * expect(workspace).toHaveReceived({ operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
 * expect(workspace).toHaveReceivedInOrder([{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
 * expect(workspace).toHaveNoUnmatchedRequests()
 */
export const expect = baseExpect.extend(matchers)
