import { describe, expect, it, vi } from 'vitest'
import { State } from '../../src/store/state.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { createdKey } from '../helpers/created-key.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const second = {
  name: 'second',
  description: 'Every second call.',
  rules: [{ on: 'retrieveReward', calls: 2, effect: 'not_found' }],
}
const reward = '/v2/rewards/rwd_ada_pending'

describe('workspaces made from another', () => {
  it('rows, ids and clock go on from there, each by itself', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    w1.state.delete('order_events', 'ord_ada_1')
    await w1.fetch('/v2/keys', { method: 'POST' })
    w1.clock.advance({ days: 2 })
    const { status, json } = await askControl(sandbox, 'POST', '/workspaces', { name: 'w2', from: 'w1' })
    expect([status, json]).toEqual([
      201,
      { name: 'w2', api_key: w1.apiKey.replace(/w1$/, 'w2'), created_at: w1.clock.read().now },
    ])
    const w2 = sandbox.workspace('w2')
    expect(w2.state.document()).toEqual(w1.state.document())
    expect(w2.clock.read()).toEqual(w1.clock.read())
    // Both go on from one point, each with ids of its own.
    const [made, copied] = await Promise.all(
      [w1, w2].map(async ({ fetch, state }) => {
        const answer = await fetch('/v2/keys', { method: 'POST' })
        const { key } = (await answer.json()) as { key: string }
        return createdKey(state.list('api_keys'), key).id.split('.')[0]
      }),
    )
    expect(made).not.toBe(copied)
    w2.state.delete('order_events', 'ord_ada_2')
    expect(w1.state.get('order_events', 'ord_ada_2')).toBeDefined()
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeDefined()
  })

  it('a reset goes back to what it began with, also when the other one is gone', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    w1.state.delete('order_events', 'ord_ada_1')
    w1.clock.set('2030-01-01T00:00:00.000Z')
    w1.clock.freeze()
    const w2 = await sandbox.workspaces.create({ from: 'w1' })
    const began = w2.state.document()
    sandbox.workspaces.delete('w1')
    w2.clock.advance({ days: 1 })
    w2.state.delete('order_events', 'ord_ada_2')
    w2.reset()
    expect(w2.state.document()).toEqual(began)
    expect(w2.clock.read()).toEqual({ now: '2030-01-01T00:00:00.000Z', frozen: true })
  })

  it('scenarios come with their counts, and come back with them; journal, coverage and snapshots do not', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await w1.scenarios.register(second)
    await w1.scenarios.activate('second')
    w1.snapshot('s')
    expect((await w1.fetch(reward)).status).toBe(200)
    const w2 = await sandbox.workspaces.create({ name: 'w2', from: 'w1' })
    expect(await w2.scenarios.get('second')).toMatchObject({ active: true, rules: [{ calls: 1, hits: 0 }] })
    expect([w2.requests.list(), w2.snapshots.list()]).toEqual([[], []])
    const coverage = (await askControl(sandbox, 'GET', '/coverage?workspace=w2')).json
    expect(coverage.covered).toBe(0)
    for (const _again of [1, 2]) {
      const answer = await w2.fetch(reward)
      expect([answer.status, answer.headers.get('x-sandbox-request-id')]).toEqual([404, 'req_w2_1'])
      expect((await w2.fetch(reward)).status).toBe(200)
      w2.reset()
    }
    // It counts by itself.
    expect((await w1.scenarios.get('second'))?.rules).toMatchObject([{ calls: 1, hits: 0 }])
  })

  it('scenarios beside from -> those are active, and the registered ones are known', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await w1.scenarios.register(second)
    const w2 = await sandbox.workspaces.create({ from: 'w1', scenarios: ['slow', 'second'] })
    expect(await w2.scenarios.active()).toEqual(['slow', 'second'])
  })

  it.each<[object, number, unknown]>([
    [{ from: 'w9' }, 404, controlErrorBody('NOT_FOUND', "no workspace is called 'w9', did you mean 'w1'?")],
    [{ from: 'a b' }, 404, { error: expect.objectContaining({ type: 'NOT_FOUND' }) }],
    [{ from: 1 }, 400, { error: expect.objectContaining({ type: 'INVALID' }) }],
    [
      { from: 'w1', fixtures: {} },
      400,
      {
        error: {
          type: 'INVALID',
          message: 'workspace fixtures: must be omitted with from, which brings its own',
          details: [
            {
              source: 'workspace',
              path: 'fixtures',
              message: 'must be omitted with from, which brings its own',
            },
          ],
        },
      },
    ],
    [
      { from: 'w1', clock: '2030-01-01T00:00:00Z', fixtures: {} },
      400,
      { error: expect.objectContaining({ message: expect.stringContaining('clock') }) },
    ],
    [{ name: 'w1', from: 'default' }, 409, { error: expect.objectContaining({ type: 'CONFLICT' }) }],
  ])('%j -> %i, and there is no workspace', async (body, status, json) => {
    const sandbox = await startSandbox()
    sandbox.workspace('w1')
    expect(await askControl(sandbox, 'POST', '/workspaces', body)).toMatchObject({ status, json })
    expect(sandbox.workspaces.list()).toHaveLength(2)
  })

  it('it counts towards --max-workspaces -> 409', async () => {
    const sandbox = await startSandbox({ maxWorkspaces: 1 })
    sandbox.workspace('w1')
    expect((await askControl(sandbox, 'POST', '/workspaces', { from: 'w1' })).status).toBe(409)
  })

  it('no row is looked at, but for the one key that is told', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    const key = w1.state.get('api_keys', 'key_full')
    for (let number = 0; number < 50; number++) {
      w1.state.put('api_keys', `key_z${number}`, {
        ...key,
        id: `key_z${number}`,
        api_key: `sk_sandbox_z${number}`,
      })
    }
    let looked = 0
    const { all } = State.prototype
    const spy = vi.spyOn(State.prototype, 'all').mockImplementation(function* (this: State, collection) {
      for (const row of all.call(this, collection)) {
        looked += 1
        yield row
      }
    } as typeof all)
    try {
      await askControl(sandbox, 'POST', '/workspaces', { from: 'w1' })
      expect(looked).toBeLessThan(5)
    } finally {
      spy.mockRestore()
    }
    // Secrets of the original are hidden in the copy, too.
    const copy = await sandbox.workspaces.create({ from: 'w1' })
    await copy.fetch('/v2/customers?q=sk_sandbox_z7')
    expect(copy.requests.list()[0]?.query).toBe('q=***')
  })
})
