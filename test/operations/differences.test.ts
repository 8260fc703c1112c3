import { expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import type { Differences } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'

const none: Differences = { scenarios: [], clock: null, rows: 0, assumptions: [] }
const day = 86_400_000

const cases: [situation: string, act: (sandbox: Sandbox) => unknown, differs: Partial<Differences>][] = [
  ['nothing was done', () => undefined, {}],
  ['a scenario is on', ({ scenarios }) => scenarios.activate('slow'), { scenarios: ['slow'] }],
  ['the clock was frozen', ({ clock }) => clock.freeze(), { clock: { moved_ms: 0, frozen: true } }],
  [
    'it was frozen, then moved twice',
    ({ clock }) => {
      clock.freeze()
      clock.advance({ days: 29 })
      clock.advance({ days: 1 })
    },
    { clock: { moved_ms: 30 * day, frozen: true } },
  ],
  [
    'rows were added, changed and deleted',
    ({ state }) => {
      state.put('order_events', 'oe_1', { customer_id: 'cus_ada' })
      state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE' })
      state.delete('order_events', 'ord_ada_1')
    },
    { rows: 3 },
  ],
  [
    'a row is again as it was',
    ({ state }) => {
      state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE' })
      state.patch('rewards', 'rwd_ada_pending', { status: 'PENDING' })
    },
    {},
  ],
  [
    'the rows went back to the baseline, the clock did not',
    (sandbox) => {
      sandbox.clock.freeze()
      sandbox.state.delete('order_events', 'ord_ada_1')
      sandbox.restore('baseline')
    },
    { clock: { moved_ms: 0, frozen: true } },
  ],
  [
    'all of it, then a reset',
    async (sandbox) => {
      await sandbox.scenarios.activate('slow')
      sandbox.clock.advance({ days: 1 })
      sandbox.state.delete('order_events', 'ord_ada_1')
      sandbox.reset()
    },
    {},
  ],
]

it.each(cases)('%s', async (_situation, act, differs) => {
  await using sandbox = await createSandbox()
  await act(sandbox)
  expect(sandbox.differences()).toEqual({ ...none, ...differs })
  expect((await askControl(sandbox, 'GET', '/differences')).json).toEqual({ ...none, ...differs })
})

it('a clock that only runs differs by how far it is ahead', async () => {
  await using sandbox = await createSandbox()
  sandbox.clock.advance({ days: 30 })
  const { clock } = sandbox.differences()
  expect(clock?.frozen).toBe(false)
  expect(Math.abs((clock?.moved_ms ?? 0) - 30 * day)).toBeLessThan(5_000)
})

it('options of the start differ too, but an assumption that is set to its default does not', async () => {
  await using sandbox = await createSandbox({
    frozen: true,
    scenarios: ['slow'],
    assume: { not_found_status: 410, create_status: 200 },
  })
  expect(sandbox.differences()).toEqual({
    ...none,
    scenarios: ['slow'],
    clock: { moved_ms: 0, frozen: true },
    assumptions: ['not_found_status'],
  })
})

it('the workspace of a partner has the keys of its own at first', async () => {
  await using sandbox = await createSandbox({ isolation: 'partner', seed: 1, adminToken: 'token' })
  const workspace = sandbox.workspace('p1')
  expect(workspace.differences()).toEqual(none)
  expect(workspace.snapshots.diff('baseline')).toEqual({})
})

it('a workspace with rows of its own is compared with those', async () => {
  await using sandbox = await createSandbox()
  sandbox.state.delete('order_events', 'ord_ada_1')
  await sandbox.workspaces.create({ name: 'copy', from: 'default' })
  const copy = sandbox.workspace('copy')
  expect(copy.differences()).toEqual(none)
  copy.state.delete('rewards', 'rwd_ada_pending')
  expect(copy.differences()).toEqual({ ...none, rows: 1 })
  copy.restore('baseline')
  expect(copy.differences()).toEqual(none)
})

it('a snapshot that is taken as baseline replaces the first one until it is deleted; none is listed before', async () => {
  await using sandbox = await createSandbox()
  expect(sandbox.snapshots.list()).toEqual([])
  expect(sandbox.snapshots.delete('baseline')).toBe(false)
  sandbox.state.delete('order_events', 'ord_ada_1')
  sandbox.snapshot('baseline')
  expect(sandbox.differences().rows).toBe(0)
  expect(sandbox.snapshots.delete('baseline')).toBe(true)
  expect(sandbox.differences().rows).toBe(1)
})
