import type { TestContext } from 'node:test'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  assertNoUnmatchedRequests,
  assertReceived,
  assertReceivedInOrder,
  withSandbox,
  withWorkspace,
  type NodeTestKit,
} from '../../src/testing/node-test.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { partnerProject, runNode, saveFile } from '../helpers/partner-project.ts'
import { patient } from '../helpers/patient.ts'

/** The members of a test that the kit uses; real tests run in test/package. */
function fakeTest(fullName = 'a test'): { t: TestContext; said: string[]; giveUp: (why: Error) => void } {
  const said: string[] = []
  const runner = new AbortController()
  const diagnostic = (text: string): void => void said.push(text)
  const t = { fullName, diagnostic, signal: runner.signal } as unknown as TestContext
  return { t, said, giveUp: (why) => runner.abort(why) }
}

beforeEach(async () => void vi.stubEnv('SANDBOX_TRACE_DIR', await folderWith()))
afterEach(() => void vi.unstubAllEnvs())

describe('the kit of node:test', () => {
  test('a workspace of its own in the sandbox of all, gone afterwards', async () => {
    const kits: NodeTestKit[] = []
    const run = withWorkspace(async (kit) => {
      kits.push(kit)
      expect(kit.sandbox.workspaces.get(kit.workspace.name)).toBeDefined()
      await kit.workspace.fetch('/v2/customers')
    })
    const { t, said } = fakeTest()
    await Promise.all([run(t), run(t)])
    const [first, second] = kits
    expect(first?.sandbox).toBe(second?.sandbox)
    expect(first?.workspace.name).not.toBe(second?.workspace.name)
    for (const { sandbox, workspace } of kits) {
      expect(sandbox.workspaces.get(workspace.name)).toBeUndefined()
      expect(workspace.requests.list()).toMatchObject([
        { test: { name: 'a test', file: expect.any(String) } },
      ])
    }
    expect(said).toEqual([])
  })

  test('the journal names the test and its file, also where Node does not', async () => {
    const folder = await partnerProject()
    await saveFile(
      folder,
      't/pay.test.mjs',
      `import { test } from 'node:test'
import { withWorkspace } from 'partner-rewards-sandbox/node-test'
test('pays', withWorkspace(async ({ workspace }) => {
  await workspace.fetch('/v2/customers')
  console.log(JSON.stringify(workspace.requests.list()[0].test))
}))
`,
    )
    const { output } = await runNode(['--test', 't/pay.test.mjs'], folder)
    expect(output).toContain('{"name":"pays","file":"t/pay.test.mjs"}')
  }, 60_000)

  test('a test that fails -> says what the sandbox saw, fails by its own error, leaves nothing', async () => {
    const { t, said } = fakeTest()
    let kit: NodeTestKit | undefined
    const failing = withWorkspace(async (context) => {
      kit = context
      await context.workspace.fetch('/v2/custmers')
      throw new RangeError('mine')
    })
    const error = await failing(t).catch((thrown: unknown) => thrown)
    expect(error).toEqual(new RangeError('mine'))
    const calls = said.join('\n')
    expect(calls).toMatch(
      /^What the sandbox saw in "a test" \(workspace .*\):\n.* GET \/v2\/custmers {2}404 {2}No endpoint is/,
    )
    expect(error).toHaveProperty('stack', expect.stringMatching(/^RangeError: mine\n {4}at [^]*\n\nWhat/))
    expect(error).toHaveProperty(
      'stack',
      expect.toSatisfy((stack: string) => stack.endsWith(calls)),
    )
    expect(kit?.sandbox.workspaces.get(kit.workspace.name)).toBeUndefined()
  })

  test('a test that the runner gives up, though its body never ends -> the same, and no server stays', async () => {
    const { t, said, giveUp } = fakeTest()
    const urls: string[] = []
    const hanging = withSandbox({})(
      async ({ workspace, server }) => {
        const { url } = await server
        urls.push(url)
        const answer = fetch(`${url}/v2/customers`, {
          headers: { authorization: `Bearer ${workspace.apiKey}` },
        })
        answer.catch(() => undefined)
        await expect.poll(() => workspace.requests.list(), patient).toHaveLength(1)
        giveUp(new Error('test timed out after 500ms'))
        return new Promise(() => undefined)
      },
      { scenarios: ['hang'] },
    )
    await expect(hanging(t)).rejects.toThrow('test timed out after 500ms')
    expect(said.join('\n')).toContain('GET /v2/customers  lost  Scenario rule hang#1')
    await expect(fetch(urls[0] ?? '')).rejects.toThrow('fetch failed')
  })

  test('options of the sandbox and of the workspace', async () => {
    const run = withSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })(
      async ({ workspace }) => {
        expect(workspace.state.size('customers')).toBe(1)
        expect(await workspace.scenarios.active()).toEqual(['slow'])
      },
      { scenarios: ['slow'] },
    )
    await run(fakeTest().t)
    expect.assertions(2)
  })

  test('options that cannot be used -> each test fails with why', async () => {
    const run = withSandbox({ clock: 'noon' })(() => expect.unreachable())
    await expect(run(fakeTest().t)).rejects.toThrow(/clock: 'noon' must be an RFC 3339 date-time/)
    await expect(run(fakeTest().t)).rejects.toThrow(/clock: 'noon'/)
  })

  test('one server for tests that overlap, closed after the last of them', async () => {
    const urls: string[] = []
    const run = withSandbox({})(async ({ server, workspace }) => {
      const { url } = await server
      urls.push(url)
      const answer = await fetch(`${url}/v2/customers`, {
        headers: { authorization: `Bearer ${workspace.apiKey}`, connection: 'close' },
      })
      expect(answer.status).toBe(200)
      assertReceived(workspace, { operation: 'searchCustomers', count: 1 })
    })
    await Promise.all([run(fakeTest().t), run(fakeTest().t)])
    const [first = '', second] = urls
    expect(first).toBe(second)
    await expect(fetch(first)).rejects.toThrow('fetch failed')
    await run(fakeTest().t)
    expect(urls).toHaveLength(3)
  })

  test('assertions throw what node:assert throws', async () => {
    const run = withWorkspace(async ({ workspace }) => {
      await workspace.fetch('/v2/custmers')
      const operator = (name: string): object =>
        expect.objectContaining({ name: 'AssertionError', code: 'ERR_ASSERTION', operator: name })
      expect(() => assertReceived(workspace, { operation: 'linkCustomer' })).toThrow(
        operator('assertReceived'),
      )
      expect(() => assertReceivedInOrder(workspace, [{ operation: 'linkCustomer' }])).toThrow(
        operator('assertReceivedInOrder'),
      )
      expect(() => assertNoUnmatchedRequests(workspace)).toThrow(operator('assertNoUnmatchedRequests'))
      assertReceived(workspace, { status: 404, count: 1 })
    })
    await run(fakeTest().t)
    expect.assertions(3)
  })
})
