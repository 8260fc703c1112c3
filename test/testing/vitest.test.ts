import * as vitest from 'vitest'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import * as kit from '../../src/testing/vitest.ts'

const { describe, expect, test } = kit

/** The kit in this very run. Failing tests, other runners and HTTP clients are in test/package. */
const pending = '/v2/rewards/rwd_ada_pending'
const settle = (workspace: SandboxWorkspace): Promise<Response> =>
  workspace.fetch(pending, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"status":"AVAILABLE"}',
  })

/** Returns a function whose promise resolves once it was called so many times. */
function barrier(size: number): () => Promise<void> {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  let waiting = 0
  return () => {
    waiting += 1
    if (waiting === size) open()
    return opened
  }
}

const inWinter = test.extend({
  sandboxOptions: {
    fixtures: { customers: [{ id: 'cus_1' }] },
    clock: '2027-01-15T12:00:00Z',
    frozen: true,
  },
  workspaceOptions: { scenarios: ['rate-limited'] },
})

test('the hooks, describe, expect and vi are those of vitest', () => {
  const { afterAll, afterEach, beforeAll, beforeEach, onTestFailed, onTestFinished, vi } = vitest
  const hooks = { afterAll, afterEach, beforeAll, beforeEach, onTestFailed, onTestFinished }
  expect(kit).toMatchObject({ ...hooks, vi, describe: vitest.describe, expect: vitest.expect })
})

describe('the kit of vitest', () => {
  test('a call carries the name and the file of its test', async ({ workspace, sandbox }) => {
    await settle(workspace)
    const name = 'the kit of vitest > a call carries the name and the file of its test'
    const entry = { test: { name, file: 'test/testing/vitest.test.ts' } }
    expect(workspace.requests.list({ test: 'THE NAME AND' })).toMatchObject([entry])
    expect(workspace.requests.list({ test: 'vitest.test' })).toMatchObject([entry])
    expect(workspace.requests.list({ test: 'another' })).toEqual([])
    // While one test runs, calls that miss its workspace are its calls.
    await sandbox.fetch('/v2/customers')
    expect(sandbox.requests.list({ limit: 1 })).toMatchObject([entry])
  })

  const seen: { sandbox: Sandbox; name: string }[] = []

  test.for([1, 2])('%i: a workspace of its own in the sandbox of all', async (_, { sandbox, workspace }) => {
    for (const before of seen) {
      expect(before.sandbox).toBe(sandbox)
      expect(sandbox.workspaces.get(before.name)).toBeUndefined()
    }
    seen.push({ sandbox, name: workspace.name })
    expect((await settle(workspace)).status).toBe(200)
    expect(workspace).toHaveReceived({ operation: 'updateReward', count: 1 })
    expect(workspace).not.toHaveReceived({ operation: 'updateReward', at_least: 2 })
  })

  test('a test without a workspace has its calls, in workspaces that no test owns', async ({ sandbox }) => {
    await sandbox.fetch('/v2/customers')
    await sandbox.workspace('of-no-test').fetch('/v2/customers')
    const entry = {
      test: { name: expect.stringContaining('without a workspace has'), file: 'test/testing/vitest.test.ts' },
    }
    expect(sandbox.requests.list({ limit: 1 })).toMatchObject([entry])
    expect(sandbox.workspace('of-no-test').requests.list()).toMatchObject([entry])
    sandbox.workspaces.delete('of-no-test')
  })

  const [begun, called] = [barrier(2), barrier(2)]
  test.concurrent.for([1, 2])(
    '%i: concurrent tests -> calls to `default` have no test',
    async (_, { sandbox, expect: own }) => {
      await begun()
      await sandbox.fetch('/v2/rewards/of_concurrent')
      await called()
      const tests = sandbox.requests
        .list()
        .filter(({ path }) => path.endsWith('of_concurrent'))
        .map((call) => call.test)
      own(tests).toEqual([null, null])
    },
  )

  const settled = new Set<string>()
  test.concurrent.for([1, 2, 3, 4, 5, 6, 7, 8])(
    '%i: beside others',
    async (_, { workspace, expect: own }) => {
      settled.add(workspace.name)
      own((await settle(workspace)).status).toBe(200)
      own(workspace.requests.list()).toHaveLength(1)
    },
  )
  test('each of those beside others had its own', () => expect(settled.size).toBe(8))

  inWinter('with a sandbox and a beginning of its own', async ({ sandbox, workspace }) => {
    expect(sandbox).not.toBe(seen[0]?.sandbox)
    expect(workspace.state.list('customers')).toMatchObject([{ id: 'cus_1' }])
    expect(workspace.clock.read()).toEqual({ now: '2027-01-15T12:00:00.000Z', frozen: true })
    expect(await workspace.scenarios.active()).toEqual(['rate-limited'])
  })
})
