import { describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { matchers, withSandbox, withWorkspace, type JestKit } from '../../src/testing/jest.ts'

/** The kit without Jest, which runs it in test/package. */
describe('the kit of Jest', () => {
  test('a function that Jest does not take for one with a callback, which hands on the row of a table', async () => {
    const rows: unknown[] = []
    const run = withWorkspace(async ({ workspace }, a: number, b: string) => {
      rows.push(a, b, (await workspace.fetch('/v2/customers')).status)
    })
    expect(run).toHaveLength(0)
    await run(1, 'b')
    expect(rows).toEqual([1, 'b', 200])
  })

  test('a workspace of its own in the sandbox of all, gone afterwards', async () => {
    const kits: JestKit[] = []
    const run = withWorkspace((kit) => void kits.push(kit))
    await Promise.all([run(), run()])
    const [first, second] = kits
    expect(first?.sandbox).toBe(second?.sandbox)
    expect(first?.workspace.name).not.toBe(second?.workspace.name)
    for (const { sandbox, workspace } of kits) {
      expect(sandbox.workspaces.get(workspace.name)).toBeUndefined()
    }
  })

  test('options of the sandbox and of the workspace', async () => {
    const sandboxes = new Set<Sandbox>()
    const own = withSandbox({ fixtures: { customers: [{ id: 'cus_1' }] } })
    const run = own(
      async ({ sandbox, workspace }) => {
        sandboxes.add(sandbox)
        expect(workspace.state.size('customers')).toBe(1)
        expect(await workspace.scenarios.active()).toEqual(['slow'])
      },
      { scenarios: ['slow'] },
    )
    await run()
    await own(({ sandbox }) => void sandboxes.add(sandbox))()
    expect(sandboxes.size).toBe(1)
    expect.assertions(3)
  })

  test('matchers answer as Jest asks', async () => {
    await withWorkspace(async ({ workspace }) => {
      await workspace.fetch('/v2/custmers')
      expect(matchers.toHaveReceived(workspace, { status: 404 }).pass).toBe(true)
      expect(matchers.toHaveReceivedInOrder(workspace, [{ status: 200 }]).pass).toBe(false)
      expect(matchers.toHaveNoUnmatchedRequests(workspace).message()).toMatch(/^expected every request/)
    })()
    expect.assertions(3)
  })
})
