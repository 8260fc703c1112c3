import { Coverage } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { testIsolation } from '../../src/workspaces/isolation-policy.ts'
import { NotSavedError } from '../../src/workspaces/saver.ts'
import type { Row } from '../../src/store/rows.ts'
import { Workspace } from '../../src/workspaces/workspace.ts'
import { workspaceSimulation } from '../../src/operations/simulation.ts'
import { changedRowsOf } from '../helpers/delta-rows.ts'
import { intent, now, worldOf } from '../helpers/simulation.ts'

const waiting: Row<'rewards'> = {
  id: 'rwd_1',
  customer_id: 'cus_1',
  amount: 5,
  type: 'ONE_TIME',
  currency: 'POINTS',
  status: 'PENDING',
  created_at: '2026-01-01T00:00:00Z',
}

/** A workspace with a saver, and the notifications of the saver. */
function kept({ isFull = false } = {}) {
  const state = worldOf({
    accounts: [{ id: 'acct_1', customer_id: 'cus_1', currency: 'USD' }],
    transaction_intents: [intent('int_1')],
    rewards: [waiting],
  })
  const engine = new ScenarioEngine(new ScenarioLibrary('', [], String), 1)
  const workspace = new Workspace('w1', {
    seed: 1,
    policy: testIsolation,
    state,
    clock: new Clock(() => now),
    firstProduct: 'mk_1',
    scenarios: () => engine,
    journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
    coverage: () =>
      new Coverage(new PointCatalogue({ values: resolveAssumptions(), environment: 'sandbox' })),
  })
  const reported: string[][] = []
  const changedRows = changedRowsOf(workspace)
  workspace.saver = {
    requireWritable: () => {
      if (isFull) throw new NotSavedError('the disk is full', 'not made')
    },
    lastLoss: undefined,
    committed: () => void reported.push(changedRows()),
    numbered: () => undefined,
    replaced: () => undefined,
    saved: () => undefined,
  }
  const written = (): string[][] => reported.map((rows) => rows.map((row) => row.replace(/\/(...).*/, ' $1')))
  return {
    state: workspace.state,
    simulate: workspaceSimulation(workspace, resolveAssumptions(), () => undefined),
    written,
  }
}

it('each simulation -> one commit of all that it wrote', () => {
  const { simulate, written } = kept()
  const { transaction } = simulate.transaction({ intent_id: 'int_1' })
  simulate.statement({ account_id: 'acct_1' })
  simulate.transaction({ transaction_id: transaction.id, status: 'REFUNDED' })
  simulate.reward({ customer_id: 'cus_1', reward_type: 'STATEMENT' })
  expect(written()).toEqual([
    ['rewards rwd', 'transactions txn', 'transaction_events txe'],
    ['rewards rwd', 'statements stm', 'transaction_events txe'],
    ['rewards rwd', 'transactions txn', 'transaction_events txe'],
    ['rewards rwd', 'rewards rwd'],
  ])
})

it('what is refused -> no commit', () => {
  const { simulate, written } = kept()
  simulate.statement({ account_id: 'acct_1' })
  expect(() => simulate.statement({ account_id: 'acct_1' })).toThrow()
  expect(() => simulate.transaction({ intent_id: 'int_2' })).toThrow()
  expect(() => simulate.transaction({})).toThrow()
  expect(() => simulate.reward({ customer_id: 'cus_1', reward_type: 'DELAYED' })).toThrow()
  expect(written()).toEqual([['statements stm']])
})

it('what cannot be kept -> is not made', () => {
  const { simulate, state } = kept({ isFull: true })
  expect(() => simulate.transaction({ intent_id: 'int_1' })).toThrow(NotSavedError)
  expect(() => simulate.statement({ account_id: 'acct_1' })).toThrow(NotSavedError)
  expect(() => simulate.reward({ customer_id: 'cus_1', reward_type: 'STATEMENT' })).toThrow(NotSavedError)
  expect(
    (['transactions', 'transaction_events', 'statements'] as const).map((name) => state.size(name)),
  ).toEqual([0, 0, 0])
  expect([...state.all('rewards')]).toEqual([waiting])
  expect(state.ids).toBe(0)
})
