import { expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'

const make = (): Promise<Sandbox> => createSandbox({ clock: '2026-11-01T00:00:00Z', frozen: true })

const actions: [
  action: string,
  act: (sandbox: Sandbox) => unknown,
  kind: string,
  summary: string | RegExp,
][] = [
  [
    'row put',
    ({ state }) => state.put('order_events', 'oe_1', { customer_id: 'cus_ada' }),
    'state',
    'Wrote order_events oe_1',
  ],
  [
    'row patched',
    ({ state }) => state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE' }),
    'state',
    'Changed status of rewards rwd_ada_pending',
  ],
  [
    'row deleted',
    ({ state }) => state.delete('order_events', 'ord_ada_1'),
    'state',
    'Deleted order_events ord_ada_1',
  ],
  [
    'account patched',
    ({ state }) => state.patch('account', 'account', {}),
    'state',
    'Changed no field of the account',
  ],
  ['stubs put', ({ state }) => state.putStubs([]), 'state', 'Wrote 0 stubs'],
  [
    'scenario registered',
    ({ scenarios }) =>
      scenarios.register({ name: 'own', description: 'd', rules: [{ on: '*', effect: 'unauthenticated' }] }),
    'scenario',
    'Registered own',
  ],
  [
    'list of scenarios',
    ({ scenarios }) => scenarios.activate('slow', 'reset'),
    'scenario',
    'Switched on only slow, reset',
  ],
  ['scenarios off', ({ scenarios }) => scenarios.deactivate(), 'scenario', 'Switched all scenarios off'],
  [
    'scenario switched',
    ({ scenarios }) => scenarios.switch({ on: ['slow'], off: ['reset'] }),
    'scenario',
    'Switched on slow and off reset',
  ],
  ['scenario restarted', ({ scenarios }) => scenarios.restart('slow'), 'scenario', 'Restarted slow'],
  [
    'clock advanced',
    ({ clock }) => clock.advance({ days: 2, minutes: 5 }),
    'clock',
    'Moved by 2 d 5 min to 2026-11-03T00:05:00.000Z, frozen',
  ],
  [
    'clock set',
    ({ clock }) => clock.set('2026-11-01T00:00:10Z'),
    'clock',
    'Moved by less than a minute to 2026-11-01T00:00:10.000Z, frozen',
  ],
  [
    'simulated statement',
    ({ clock, simulate }) => {
      clock.advance({ days: 40 })
      simulate.statement({ account_id: 'acct_ada' })
    },
    'simulation',
    /^Statement stm_\w+, the newest of its account$/,
  ],
  [
    'simulated purchase',
    ({ simulate }) => simulate.transaction({ intent_id: 'int_ada_1' }),
    'simulation',
    /^Transaction txn_\w+ of cus_ada is CAPTURED, reward rwd_\w+$/,
  ],
  [
    'simulated authorisation',
    ({ simulate }) => simulate.transaction({ intent_id: 'int_ada_1', status: 'APPROVED' }),
    'simulation',
    /^Transaction txn_\w+ of cus_ada is APPROVED$/,
  ],
  [
    'simulated credit',
    ({ simulate }) =>
      simulate.transaction({ customer_id: 'cus_ada', amount: -5, currency: 'USD', merchant_name: 'Shop' }),
    'simulation',
    /^Transaction txn_\w+ of cus_ada$/,
  ],
  [
    'settled rewards',
    ({ simulate }) => simulate.reward({ customer_id: 'cus_hana', reward_type: 'STATEMENT' }),
    'simulation',
    /^Settled rewards: rwd_hana_pending$/,
  ],
  [
    'settled rewards of a customer who has none',
    ({ simulate }) => simulate.reward({ customer_id: 'cus_ben', reward_type: 'STATEMENT' }),
    'simulation',
    /^Settled rewards: none waited$/,
  ],
  ['snapshot', (sandbox) => sandbox.snapshot('before'), 'snapshot', 'Took snapshot before'],
  ['snapshot without a name', (sandbox) => sandbox.snapshot(), 'snapshot', 'Took a snapshot without a name'],
  [
    'restore',
    (sandbox) => sandbox.restore(sandbox.snapshot()),
    'restore',
    'Restored a snapshot of 2026-11-01T00:00:00.000Z',
  ],
  ['reset', (sandbox) => sandbox.reset(), 'reset', 'Reset to the baseline'],
  [
    'card number in an id',
    ({ state }) => state.put('order_events', '4242424242424242', { customer_id: 'cus_ada' }),
    'state',
    'Wrote order_events ************4242',
  ],
]

it.each(actions)('%s -> one entry', async (_, act, kind, summary) => {
  const sandbox = await make()
  await act(sandbox)
  const [entry, ...earlier] = sandbox.timeline()
  expect(entry).toEqual({
    id: `act_default_0_${earlier.length + 1}`,
    at: sandbox.clock.now(),
    kind,
    summary: typeof summary === 'string' ? summary : expect.stringMatching(summary),
    test: null,
  })
})

it.each<[string, (sandbox: Sandbox) => unknown]>([
  [
    'a call of the API',
    (sandbox) => sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer ${sandbox.apiKey}` } }),
  ],
  [
    'a refused write',
    ({ state }) => {
      try {
        state.patch('rewards', 'rwd_none', {})
      } catch {
        /* refused */
      }
    },
  ],
  ['a row that was not there', ({ state }) => state.delete('rewards', 'rwd_none')],
])('%s -> no entry', async (_, act) => {
  const sandbox = await make()
  await act(sandbox)
  expect(sandbox.timeline()).toEqual([])
})

it('a reset clears no entry, and a workspace for a test names the test', async () => {
  const sandbox = await make()
  const workspace = await sandbox.workspaces.create({
    name: 'w1',
    test: { name: 'pays', file: 'pay.test.ts' },
  })
  workspace.clock.advance({ days: 1 })
  workspace.reset()
  const test = { name: 'pays', file: 'pay.test.ts' }
  expect(workspace.timeline().map(({ id, kind, test: of }) => [id, kind, of])).toEqual([
    ['act_w1_0_2', 'reset', test],
    ['act_w1_0_1', 'clock', test],
  ])
  expect(sandbox.timeline()).toEqual([])
})

it('clock unfrozen -> one entry, with a time of the running clock', async () => {
  const sandbox = await make()
  sandbox.clock.unfreeze()
  expect(sandbox.timeline()).toEqual([
    {
      id: 'act_default_0_1',
      at: expect.stringMatching(/^2026-11-01T00:0/),
      kind: 'clock',
      summary: expect.stringMatching(/^Unfrozen at 2026-11-01T00:0/),
      test: null,
    },
  ])
})

it('GET /_sandbox/timeline -> newest first', async () => {
  const sandbox = await make()
  sandbox.clock.advance({ days: 1 })
  sandbox.reset()
  const { status, json } = await askControl(sandbox, 'GET', '/timeline')
  expect({ status, json }).toEqual({ status: 200, json: { timeline: sandbox.timeline() } })
})
