// The kit for Jest: `withWorkspace`, and matchers for `expect`.
import { runningTest, runUntilAbandoned } from './jest-runner.ts'
import type { KitSandboxOptions, TestWorkspaceOptions } from './kit.ts'
import type { SandboxMatchers } from './matchers.ts'
import { SharedSandbox, withCalls } from './kit-parts.ts'
import type { SharedTestKit as JestKit } from './shared-sandbox.ts'

export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export { matchers } from './kit-parts.ts'
export type { ChangeMatchers, ExpectedChange, ExpectedEvents, SandboxMatchers } from './matchers.ts'
export type { SharedTestKit as JestKit } from './shared-sandbox.ts'

/**
 * Wraps the body of a test, which gets a workspace, in a function for `test`. With `test.each`, the values of a row
 * follow.
 */
export type WithWorkspace = <Row extends unknown[]>(
  body: (kit: JestKit, ...row: Row) => unknown,
  options?: TestWorkspaceOptions,
) => (...row: Row) => Promise<void>

/**
 * Creates a `withWorkspace` with other options of the sandbox, which all its tests of a file share. The first test
 * creates it.
 *
 * @example
 * const withWorkspace = withSandbox({ fixtures: 'fixtures/shop.yaml', clock: '2026-01-01T00:00:00Z' })
 * test('on rows of my own', withWorkspace(async ({ workspace }) => { … }))
 */
export function withSandbox(options: KitSandboxOptions): WithWorkspace {
  const shared = new SharedSandbox(options)
  return (body, workspaceOptions = {}) =>
    (...row) =>
      runUntilAbandoned((abandoned) => {
        const test = runningTest()
        return shared.run(workspaceOptions, test, async (kit, saw) => {
          try {
            await Promise.race([body(kit, ...row), abandoned])
          } catch (error) {
            throw withCalls(error, await shared.withTrace(saw(test.name), kit, test))
          }
        })
      })
}

/**
 * Gives the body of a test a `workspace` of its own in a `sandbox` that all tests of the file share. A test that fails
 * prints the calls to its workspace.
 *
 * @example
 * const { matchers, withWorkspace } = require('partner-rewards-sandbox/jest') // or import
 *
 * expect.extend(matchers)
 *
 * test('announces a purchase', withWorkspace(async ({ workspace }) => {
 *   const client = new PartnerClient({ fetch: workspace.fetch })
 *   await client.createIntent({ customer_id: 'cus_ada', amount: 1250, currency: 'USD' })
 *   expect(workspace).toHaveReceived({ operation: 'createTransactionIntent', count: 1 })
 * }))
 *
 * test('works over HTTP', withWorkspace(async ({ workspace, server }) => {
 *   const { url } = await server
 *   const client = new PartnerClient({ baseUrl: url, apiKey: workspace.apiKey })
 * }, { scenarios: ['rate-limited'] }))
 */
export const withWorkspace: WithWorkspace = withSandbox({})

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends SandboxMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T = {}> extends SandboxMatchers<R> {}
  }
}
