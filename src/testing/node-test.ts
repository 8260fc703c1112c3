// The kit for node:test: `withWorkspace`, and assertions on the requests that were received.
import { AssertionError } from 'node:assert'
import type { TestContext } from 'node:test'
import type { RequestMatcher, Verification } from '../index.ts'
import type { KitSandboxOptions, TestWorkspaceOptions } from './kit.ts'
import {
  checkNoUnmatchedRequests,
  checkReceived,
  checkReceivedInOrder,
  type Checked,
  type Journaled,
} from './received-requests.ts'
import { SharedSandbox, type SharedTestKit as NodeTestKit } from './shared-sandbox.ts'
import { withCalls } from './what-it-saw.ts'

export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export type { Journaled } from './received-requests.ts'
export type { SharedTestKit as NodeTestKit } from './shared-sandbox.ts'

/** Makes the function that `test` runs of a body that gets a workspace. */
export type WithWorkspace = (
  body: (kit: NodeTestKit, t: TestContext) => unknown,
  options?: TestWorkspaceOptions,
) => (t: TestContext) => Promise<void>

/**
 * `withWorkspace` with a sandbox of your own, which the tests that use it share. It is made for the first of them.
 *
 * @example
 * const withWorkspace = withSandbox({ fixtures: 'fixtures/shop.yaml', clock: '2026-01-01T00:00:00Z' })
 * test('on rows of my own', withWorkspace(async ({ workspace }) => { … }))
 */
export function withSandbox(options: KitSandboxOptions): WithWorkspace {
  const shared = new SharedSandbox(options)
  return (body, workspaceOptions = {}) =>
    (t) => {
      const test = { name: t.fullName, file: fileOf(t) }
      return shared.run(workspaceOptions, test, async (kit, saw) => {
        try {
          await Promise.race([body(kit, t), abandoned(t.signal)])
        } catch (error) {
          const calls = saw(t.fullName)
          // The TAP reporter prints of a stack its frames only, and no error of ours is shown for a timeout. After one
          // nothing is told that is not told at once.
          for (const line of calls.split('\n')) t.diagnostic(line)
          const traced = await shared.withTrace(calls, kit, test)
          if (traced !== calls) t.diagnostic(traced.slice(calls.length + 1))
          throw withCalls(error, traced)
        }
      })
    }
}

/**
 * Gives the body of a test a `workspace` of its own in a `sandbox` that all tests of the process share. A test that
 * fails prints what its workspace saw.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { test } from 'node:test'
 * import { assertReceived, withWorkspace } from 'partner-rewards-sandbox/node-test'
 *
 * test('announces a purchase', withWorkspace(async ({ workspace }) => {
 *   const client = new PartnerClient({ fetch: workspace.fetch })
 *   await client.createIntent({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' })
 *   assertReceived(workspace, { operation: 'createTransactionIntent', count: 1 })
 * }))
 *
 * test('works over HTTP', withWorkspace(async ({ workspace, server }) => {
 *   const { url } = await server
 *   const client = new PartnerClient({ baseUrl: url, apiKey: workspace.apiKey })
 * }, { scenarios: ['rate-limited'] }))
 */
export const withWorkspace: WithWorkspace = withSandbox({})

/**
 * Requests of a kind were made: at least once, or as often as `count`, `at_least` and `at_most` say. Texts are exact
 * values or globs, and a body is the part that must be there.
 *
 * @throws {AssertionError} with the nearest misses.
 * @example
 * assertReceived(workspace, { operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
 */
export function assertReceived(workspace: Journaled, asked: Verification): void {
  assertHolds(checkReceived(workspace, asked), 'assertReceived', assertReceived)
}

/**
 * Requests of these kinds were made in this order, whatever came between them.
 *
 * @throws {AssertionError} with the nearest misses.
 * @example
 * assertReceivedInOrder(workspace, [{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
 */
export function assertReceivedInOrder(workspace: Journaled, asked: readonly RequestMatcher[]): void {
  assertHolds(checkReceivedInOrder(workspace, asked), 'assertReceivedInOrder', assertReceivedInOrder)
}

/**
 * Every request met an endpoint: the client got no path and no method wrong.
 *
 * @throws {AssertionError} naming those that did not.
 */
export function assertNoUnmatchedRequests(workspace: Journaled): void {
  assertHolds(checkNoUnmatchedRequests(workspace), 'assertNoUnmatchedRequests', assertNoUnmatchedRequests)
}

/** Node tells the file from version 22 on. */
function fileOf(t: object): string | undefined {
  const path: unknown = 'filePath' in t ? t.filePath : undefined
  return typeof path === 'string' ? path : undefined
}

/** Rejects when the runner gives a test up, as at its timeout: its body may never end, and the server waits for it. */
function abandoned(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The stack begins where the assertion was called. */
function assertHolds(
  { holds, message }: Checked,
  operator: string,
  stackStartFn: (...args: never[]) => void,
): void {
  if (!holds) throw new AssertionError({ message, operator, stackStartFn })
}
