// The kit for node:test: `withWorkspace`, and assertions on the requests that were received.
import { AssertionError } from 'node:assert'
import type { TestContext } from 'node:test'
import { mainFile } from '../runtime/host.ts'
import type { RequestMatcher, Verification } from '../index.ts'
import type { KitSandboxOptions, TestWorkspaceOptions } from './kit.ts'
import type { ExpectedChange, ExpectedEvents, Observed } from './observed-changes.ts'
import {
  SharedSandbox,
  checkChanged,
  checkChangedNothingElse,
  checkEmitted,
  checkEmittedNothingElse,
  checkNoUnmatchedRequests,
  checkReceived,
  checkReceivedInOrder,
  withCalls,
} from './kit-parts.ts'
import type { Checked, Journaled } from './received-requests.ts'
import type { SharedTestKit as NodeTestKit } from './shared-sandbox.ts'

export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export type { ExpectedChange, ExpectedEvents, Observed } from './observed-changes.ts'
export type { Journaled } from './received-requests.ts'
export type { SharedTestKit as NodeTestKit } from './shared-sandbox.ts'

/** Wraps the body of a test, which gets a workspace, in a function for `test`. */
export type WithWorkspace = (
  body: (kit: NodeTestKit, t: TestContext) => unknown,
  options?: TestWorkspaceOptions,
) => (t: TestContext) => Promise<void>

/**
 * Creates a `withWorkspace` with other options of the sandbox, which all its tests share. The first test creates it.
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
          // The TAP reporter only prints the frames of a stack, and after a timeout it does not print this error.
          // Print diagnostics before any `await`: after a timeout, Node ignores later ones.
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
 * fails prints the calls to its workspace.
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
 * Asserts that matching requests were received: at least one, or as many as `count`, `at_least` and `at_most` require.
 * Texts are exact values or globs, and a body may have more fields than the expected one.
 *
 * @throws {AssertionError} with the nearest misses.
 * @example
 * assertReceived(workspace, { operation: 'updateReward', body: { status: 'AVAILABLE' }, count: 1 })
 */
export function assertReceived(workspace: Journaled, expected: Verification): void {
  assertHolds(checkReceived(workspace, expected), 'assertReceived', assertReceived)
}

/**
 * Asserts that matching requests were received in this order. Other requests may come between them.
 *
 * @throws {AssertionError} with the nearest misses.
 * @example
 * assertReceivedInOrder(workspace, [{ operation: 'linkCustomer' }, { operation: 'searchCustomers' }])
 */
export function assertReceivedInOrder(workspace: Journaled, expected: readonly RequestMatcher[]): void {
  assertHolds(checkReceivedInOrder(workspace, expected), 'assertReceivedInOrder', assertReceivedInOrder)
}

/**
 * Asserts that every request matched an endpoint, so that the client used no wrong path or method.
 *
 * @throws {AssertionError} with the requests that matched none.
 */
export function assertNoUnmatchedRequests(workspace: Journaled): void {
  assertHolds(checkNoUnmatchedRequests(workspace), 'assertNoUnmatchedRequests', assertNoUnmatchedRequests)
}

/**
 * Asserts that matching webhook events were created: at least one, or exactly `count`.
 *
 * @throws {AssertionError} with the nearest events.
 * @example
 * assertEmitted(workspace, { type: 'reward.updated', data: { status: 'AVAILABLE' } })
 */
export function assertEmitted(workspace: Observed, expected: ExpectedEvents): void {
  assertHolds(checkEmitted(workspace, expected), 'assertEmitted', assertEmitted)
}

/**
 * Asserts that there are no events but those that earlier assertions on this workspace have found.
 *
 * @throws {AssertionError} with the other events.
 */
export function assertEmittedNothingElse(workspace: Observed): void {
  assertHolds(checkEmittedNothingElse(workspace), 'assertEmittedNothingElse', assertEmittedNothingElse)
}

/**
 * Asserts that a call changed a row.
 *
 * @throws {AssertionError} with the nearest changes.
 * @example
 * assertChanged(workspace, { collection: 'rewards', id: 'rwd_1', to: { status: 'AVAILABLE' } })
 */
export function assertChanged(workspace: Observed, expected: ExpectedChange): void {
  assertHolds(checkChanged(workspace, expected), 'assertChanged', assertChanged)
}

/**
 * Asserts that calls changed no rows but those that earlier assertions on this workspace have found.
 *
 * @throws {AssertionError} with the other changes.
 */
export function assertChangedNothingElse(workspace: Observed): void {
  assertHolds(checkChangedNothingElse(workspace), 'assertChangedNothingElse', assertChangedNothingElse)
}

/** Returns the file of a test: Node 20 does not name it, and runs each file as the program of a process. */
function fileOf(t: object): string | undefined {
  const path: unknown = 'filePath' in t ? t.filePath : undefined
  return typeof path === 'string' ? path : mainFile()
}

/**
 * Rejects when the runner aborts a test, as at its timeout. The body may never end, and the server closes only after
 * it.
 */
function abandoned(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Throws an error whose stack begins at the call of the assertion. */
function assertHolds(
  { holds, message }: Checked,
  operator: string,
  stackStartFn: (...args: never[]) => void,
): void {
  if (!holds) throw new AssertionError({ message, operator, stackStartFn })
}
