import { Coverage } from '../../src/coverage/counting.ts'
import { PointCatalogue } from '../../src/coverage/points/catalogue.ts'
import { Journal } from '../../src/journal/journal.ts'
import { KnownSecrets } from '../../src/secrets/known-secrets.ts'
import { describe, expect, it } from 'vitest'
import { resolveAssumptions } from '../../src/input/resolve-assumptions.ts'
import { Clock } from '../../src/runtime/clock.ts'
import { ScenarioEngine } from '../../src/scenarios/engine.ts'
import { ScenarioLibrary } from '../../src/scenarios/library.ts'
import { State } from '../../src/store/state.ts'
import { identify } from '../../src/workspaces/identify.ts'
import { partnerIsolation, testIsolation } from '../../src/workspaces/isolation-policy.ts'
import type { Workspace } from '../../src/workspaces/workspace.ts'
import { Workspaces } from '../../src/workspaces/workspaces.ts'
import { orderEventRow } from '../helpers/order-event-row.ts'

/** A state that knows one order event. */
function stateWith(id: string, ids = 0): State {
  const state = State.empty(
    { saved_version: { sandbox: '2026-10-13', production: '2025-05-05' } },
    resolveAssumptions(),
  )
  state.put('order_events', orderEventRow(id, 'cus_1'))
  state.ids = ids
  return state
}

const start = Date.parse('2026-01-01T00:00:00Z')

function workspacesOf(state: State, policy = testIsolation): Workspaces {
  const library = new ScenarioLibrary('', [], (path) => path)
  const clock = new Clock(() => 0, { at: start, frozen: true })
  return new Workspaces(
    {
      seed: 1,
      policy,
      state,
      clock,
      firstProduct: undefined,
      journal: () => new Journal({ entries: 0, bytes: 0 }, new KnownSecrets()),
      coverage: () =>
        new Coverage(new PointCatalogue({ values: resolveAssumptions(), environment: 'sandbox' })),
      scenarios: () => new ScenarioEngine(library, 1),
    },
    10,
  )
}

const events = ({ state }: Workspace): string[] => [...state.all('order_events')].map(({ id }) => id)

/** Writes to a workspace, moves its clock and counts a request. */
function use(workspace: Workspace): void {
  const tx = workspace.begin()
  tx.put('order_events', orderEventRow('own', 'cus_1'))
  workspace.commit(tx)
  workspace.clock.advance({ days: 1 })
  workspace.nextRequestId()
}

describe('rebase', () => {
  it('every workspace there is -> reset to the new state, and still the same object', () => {
    const workspaces = workspacesOf(stateWith('old'))
    const w1 = workspaces.findOrCreate('w1')
    for (const workspace of workspaces.list()) use(workspace)
    workspaces.rebase({ state: stateWith('new', 7), firstProduct: undefined })
    expect([workspaces.default, workspaces.find('w1'), workspaces.list()]).toEqual([
      workspaces.default,
      w1,
      [workspaces.default, w1],
    ])
    for (const workspace of [workspaces.default, w1]) {
      expect(events(workspace)).toEqual(['new'])
      expect(workspace.state.ids).toBe(7)
      expect(workspace.clock.now()).toBe(start)
      expect(workspace.nextRequestId()).toBe(`req_${workspace.name}_1`)
    }
  })

  it('workspaces to come, and resets -> begin with the new state, which nobody writes to', () => {
    const workspaces = workspacesOf(stateWith('old'))
    const baseline = stateWith('new')
    workspaces.rebase({ state: baseline, firstProduct: undefined })
    use(workspaces.default)
    expect(workspaces.baseline).toBe(baseline)
    expect([events(workspaces.default), events(workspaces.findOrCreate('w1'))]).toEqual([
      ['new', 'own'],
      ['new'],
    ])
    workspaces.reset(workspaces.default)
    expect(events(workspaces.default)).toEqual(['new'])
  })

  it('whoever keeps a workspace elsewhere is told', () => {
    const workspaces = workspacesOf(stateWith('old'))
    const reported: string[] = []
    workspaces.default.saver = {
      committed: () => reported.push('committed'),
      numbered: () => undefined,
      replaced: () => reported.push(...events(workspaces.default)),
      saved: () => undefined,
      requireWritable: () => undefined,
      lastLoss: undefined,
    }
    workspaces.rebase({ state: stateWith('new'), firstProduct: undefined })
    expect(reported).toEqual(['new'])
  })
})

describe('a row of API keys where partners are kept apart', () => {
  it('is no key with another text than derives from its id, whatever way it came there', () => {
    const policy = partnerIsolation('a-secret-of-the-sandbox', () => '1')
    const workspaces = workspacesOf(stateWith('old'), policy)
    const acme = workspaces.findOrCreate('acme')
    const chosen = {
      id: 'key_1',
      secret: 'chosen',
      api_key: 'chosen',
      scopes: [],
      products: ['mk_1'],
      environment: 'sandbox',
      created_at: '2026-01-01T00:00:00.000Z',
    } as const
    const find = (token: string): unknown =>
      identify(workspaces, { scheme: 'bearer', token: `${token}.acme` }, 'sandbox')?.key
    // Past all that exchanges it.
    acme.state.put('api_keys', { ...chosen, scopes: [], products: ['mk_1'] })
    expect(find('chosen')).toBeUndefined()
    const own = acme.write((tx) => tx.put('api_keys', { ...chosen, scopes: [], products: ['mk_1'] }))
    expect(find(own.api_key)).toBe(own)
    expect(find('chosen')).toBeUndefined()
  })
})

describe('ids', () => {
  const nextIds = (workspace: Workspace): string[] => {
    const tx = workspace.begin()
    const ids = ['a', 'b'].map((prefix) => tx.nextId('order_events', prefix))
    tx.rollback()
    return ids
  }

  it('a copy for a replay -> those of its original', () => {
    const workspaces = workspacesOf(stateWith('before', 5))
    const original = workspaces.findOrCreate('w1')
    const copy = workspaces.add('copy', original.copyForReplay(), undefined)
    expect(nextIds(copy)).toEqual(nextIds(original))
    expect(nextIds(workspaces.findOrCreate('w2'))).not.toEqual(nextIds(original))
  })
})
