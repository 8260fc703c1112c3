// The kit for Jest: `withWorkspace`, and matchers for `expect`.
import { runningTest, untilGivenUp } from './jest-runner.ts'
import type { KitSandboxOptions, TestWorkspaceOptions } from './kit.ts'
import type { SandboxMatchers } from './received-requests.ts'
import { SharedSandbox, type SharedTestKit as JestKit } from './shared-sandbox.ts'
import { withCalls } from './what-it-saw.ts'

export * from '../index.ts'
export type { KitSandboxOptions, TestKit, TestWorkspaceOptions } from './kit.ts'
export { matchers, type SandboxMatchers } from './received-requests.ts'
export type { SharedTestKit as JestKit } from './shared-sandbox.ts'

/** Makes the function that `test` runs of a body that gets a workspace, and after it what `test.each` has in a row. */
export type WithWorkspace = <Row extends unknown[]>(
  body: (kit: JestKit, ...row: Row) => unknown,
  options?: TestWorkspaceOptions,
) => (...row: Row) => Promise<void>

/**
 * `withWorkspace` with a sandbox of your own, which the tests of a file that use it share. It is made for the first of
 * them.
 *
 * @example
 * const withWorkspace = withSandbox({ fixtures: 'fixtures/shop.yaml', clock: '2026-01-01T00:00:00Z' })
 * test('on rows of my own', withWorkspace(async ({ workspace }) => { … }))
 */
export function withSandbox(options: KitSandboxOptions): WithWorkspace {
  const shared = new SharedSandbox(options)
  return (body, workspaceOptions = {}) =>
    (...row) =>
      untilGivenUp((givenUp) => {
        const test = runningTest()
        return shared.run(workspaceOptions, test, async (kit, saw) => {
          try {
            await Promise.race([body(kit, ...row), givenUp])
          } catch (error) {
            throw withCalls(error, await shared.withTrace(saw(test.name), kit, test))
          }
        })
      })
}

/**
 * Gives the body of a test a `workspace` of its own in a `sandbox` that all tests of the file share. A test that fails
 * prints what its workspace saw.
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
