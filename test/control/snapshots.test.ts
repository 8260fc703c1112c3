import { describe, expect, it } from 'vitest'
import { createSandbox, NotFoundError, RowInUseError, type Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { orderEventRow } from '../helpers/order-event-row.ts'
import { fullKey, startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'

const textOf = async (sandbox: Sandbox): Promise<string> => (await askControl(sandbox, 'GET', '/state')).text

const unknown = (name: string, hint = ''): object =>
  controlErrorBody('NOT_FOUND', `no snapshot is called '${name}'${hint}`)

const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
const create = async (call: CallApi): Promise<string> =>
  (await call('POST', '/v2/transaction_intents', { json: intent })).json.id

describe('/_sandbox/snapshots', () => {
  it('PUT takes one, the list shows it, GET downloads it, DELETE forgets it', async () => {
    const sandbox = await startSandbox()
    const rows = sandbox.state.size()
    const view = { name: 'before', created_at: testNow, rows }
    const before = await textOf(sandbox)
    expect(await askControl(sandbox, 'PUT', '/snapshots/before')).toMatchObject({ status: 200, json: view })
    sandbox.clock.advance({ days: 1 })
    sandbox.state.delete('order_events', 'ord_ada_1')
    const after = { name: 'after', created_at: '2026-11-22T12:00:00.000Z', rows: rows - 1 }
    expect((await askControl(sandbox, 'PUT', '/snapshots/after', {})).json).toEqual(after)
    expect(await askControl(sandbox, 'GET', '/snapshots')).toMatchObject({
      status: 200,
      json: { snapshots: [after, view] },
    })
    const download = await askControl(sandbox, 'GET', '/snapshots/before')
    expect([download.status, download.text]).toEqual([200, before])
    expect(await askControl(sandbox, 'DELETE', '/snapshots/before')).toMatchObject({ status: 204, text: '' })
    for (const [method, path] of [
      ['GET', 'before'],
      ['DELETE', 'before'],
      ['POST', 'before/restore'],
      ['GET', 'before/diff'],
    ] as const) {
      expect(await askControl(sandbox, method, `/snapshots/${path}`)).toMatchObject({
        status: 404,
        json: unknown('before', ": there is 'after'"),
      })
    }
    expect((await askControl(sandbox, 'GET', '/snapshots')).json).toEqual({ snapshots: [after] })
    expect(await askControl(sandbox, 'GET', '/snapshots/aftr')).toMatchObject({
      status: 404,
      json: unknown('aftr', ", did you mean 'after'?"),
    })
  })

  it.each(['a.b', 'a b', 'ä', 'x'.repeat(65), '%0a'])("a name that is none, '%s' -> 400", async (name) => {
    const sandbox = await startSandbox()
    const path = `/snapshots/${name === '%0a' ? name : encodeURIComponent(name)}`
    const { status, json } = await askControl(sandbox, 'PUT', path)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(json.error.message).toMatch(/^snapshot '.*': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -$/)
    expect((await askControl(sandbox, 'GET', path)).status).toBe(404)
  })

  it('case 123: restore -> rows and ids of the snapshot; GETs are byte-equal but for as_of and pdf_url', async () => {
    const sandbox = await startSandbox()
    const { call } = sandbox
    await create(call)
    const before = await textOf(sandbox)
    const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
    const paths = ['/v2/customers', '/v2/customers/cus_ada/rewards_balance', '/v2/rewards/rwd_ada_pending']
    const read = async (): Promise<unknown[]> => {
      const texts = await Promise.all(paths.map(async (path) => (await call('GET', path)).text))
      const { data } = (await call('GET', statements)).json
      return [...texts, data.map(({ pdf_url: _url, as_of: _at, ...row }: Record<string, unknown>) => row)]
    }
    const shown = await read()
    await askControl(sandbox, 'PUT', '/snapshots/s')
    const ids = [await create(call), await create(call)]
    await call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    await call('DELETE', '/v2/order_events/ord_ada_1')
    await call('POST', '/v2/keys')
    expect(await askControl(sandbox, 'POST', '/snapshots/s/restore')).toMatchObject({
      status: 200,
      json: {
        workspace: 'default',
        rows: sandbox.state.size(),
        clock: { now: testNow, frozen: true },
      },
    })
    expect(await textOf(sandbox)).toBe(before)
    expect(await read()).toEqual(shown)
    expect([await create(call), await create(call)]).toEqual(ids)
    // A snapshot can be restored as often as one likes.
    await askControl(sandbox, 'POST', '/snapshots/s/restore')
    expect(await textOf(sandbox)).toBe(before)
  })

  it('restore leaves scenarios, their counts, request numbers and other snapshots', async () => {
    const sandbox = await startSandbox({ scenarios: 'reward-vanishes' })
    const read = async (): Promise<[number, string | null]> => {
      const { status, requestId } = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
      return [status, requestId]
    }
    sandbox.snapshot('s')
    expect(await read()).toEqual([200, 'req_default_1'])
    sandbox.snapshot('t')
    await askControl(sandbox, 'POST', '/snapshots/s/restore')
    expect(await read()).toEqual([404, 'req_default_2'])
    await sandbox.scenarios.deactivate()
    sandbox.restore('s')
    expect(await sandbox.scenarios.active()).toEqual([])
    expect(sandbox.snapshots.list().map(({ name }) => name)).toEqual(['s', 't'])
  })

  it('a clock that was set or frozen goes back with the rows; one that never was stays', async () => {
    const set = await startSandbox()
    set.snapshot('s')
    set.clock.set({ now: '2027-01-01T00:00:00Z', frozen: false })
    set.restore('s')
    expect(set.clock.read()).toEqual({ now: testNow, frozen: true })
    expect((await set.call('POST', '/v2/transaction_intents', { json: intent })).json.created_at).toBe(
      testNow,
    )

    const untouched = await createSandbox()
    untouched.snapshot('s')
    expect(untouched.snapshots.get('s')).toHaveProperty('sandbox', { seed: 1, ids: 0 })
    untouched.clock.set({ now: '2990-01-01T00:00:00Z', frozen: true })
    untouched.restore('s')
    expect(untouched.clock.read()).toEqual({ now: '2990-01-01T00:00:00.000Z', frozen: true })

    // A clock that was set and runs starts again from where the snapshot has it.
    const running = await startSandbox({ frozen: false })
    running.snapshot('s')
    running.clock.advance({ days: 365 })
    running.restore('s')
    expect(running.clock.read()).toEqual({ now: expect.stringMatching(/^2026-11-21T12:00:/), frozen: false })
  })

  it('reset leaves snapshots; they belong to their workspace', async () => {
    const sandbox = await startSandbox()
    sandbox.state.delete('order_events', 'ord_ada_1')
    sandbox.snapshot('s')
    const w1 = sandbox.workspace('w1')
    w1.snapshot('mine')
    sandbox.reset()
    w1.reset()
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeDefined()
    sandbox.restore('s')
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
    expect((await askControl(sandbox, 'GET', '/snapshots?workspace=w1')).json).toEqual({
      snapshots: [{ name: 'mine', created_at: testNow, rows: w1.state.size() }],
    })
    expect((await askControl(sandbox, 'POST', '/snapshots/s/restore?workspace=w1')).status).toBe(404)
  })
})

describe('diff', () => {
  it('rows that were added, changed with each field, and removed, by collection', async () => {
    const sandbox = await startSandbox()
    await askControl(sandbox, 'PUT', '/snapshots/s')
    expect((await askControl(sandbox, 'GET', '/snapshots/s/diff')).json).toEqual({})
    const removed = sandbox.state.get('order_events', 'ord_ada_1')
    const added = { ...orderEventRow('ord_new', 'cus_ada'), metadata: { a: 1 } }
    sandbox.state.delete('order_events', 'ord_ada_1')
    sandbox.state.put('order_events', 'ord_new', added)
    sandbox.clock.advance({ seconds: 1 })
    await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
    sandbox.state.patch('customers', 'cus_ada', { phone: null, metadata: { tier: 'platinum' } })
    sandbox.state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    // Written, and the same as before: nothing that anybody could see.
    sandbox.state.patch('customers', 'cus_ben', { first_name: 'X' })
    sandbox.state.patch('customers', 'cus_ben', { first_name: 'Ben' })

    const { status, json } = await askControl(sandbox, 'GET', '/snapshots/s/diff')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['account', 'customers', 'rewards', 'order_events'])
    expect(json.order_events).toEqual({ added: [added], changed: [], removed: [removed] })
    expect(json.rewards).toEqual({
      added: [],
      changed: [
        {
          id: 'rwd_ada_pending',
          fields: {
            status: { before: 'PENDING', after: 'AVAILABLE' },
            updated_at: { after: '2026-11-21T12:00:01.000Z' },
          },
        },
      ],
      removed: [],
    })
    expect(json.customers.changed.map(({ id }: { id: string }) => id)).toEqual(['cus_ada'])
    expect(json.customers.changed[0].fields).toEqual({
      phone: { before: expect.any(String) },
      metadata: {
        before: { campaigns: ['spring', 'welcome'], tier: 'gold' },
        after: { campaigns: ['spring', 'welcome'], tier: 'platinum' },
      },
    })
    expect(json.account).toEqual({
      added: [],
      changed: [
        {
          id: 'account',
          fields: {
            saved_version: {
              before: { sandbox: '2026-10-13', production: '2025-05-05' },
              after: { sandbox: '2025-05-05', production: '2025-05-05' },
            },
          },
        },
      ],
      removed: [],
    })
    expect(sandbox.snapshots.diff('s')).toEqual(json)
  })

  it('?with= -> up to another snapshot, in the direction that is asked for', async () => {
    const sandbox = await startSandbox()
    sandbox.snapshot('a')
    const row = orderEventRow('ord_new', 'cus_ada')
    sandbox.state.put('order_events', 'ord_new', row)
    sandbox.snapshot('b')
    sandbox.state.delete('order_events', 'ord_new')
    const diff = async (path: string): Promise<unknown> =>
      (await askControl(sandbox, 'GET', `/snapshots/${path}`)).json
    expect(await diff('a/diff?with=b')).toEqual({ order_events: { added: [row], changed: [], removed: [] } })
    expect(await diff('b/diff?with=a')).toEqual({ order_events: { added: [], changed: [], removed: [row] } })
    expect(await diff('b/diff')).toEqual({ order_events: { added: [], changed: [], removed: [row] } })
    expect(await diff('a/diff?with=a')).toEqual({})
    expect(await diff('a/diff?with=missing')).toEqual(unknown('missing', ": there is 'a', 'b'"))
    expect(await diff('a/diff?wiht=b')).toEqual(
      controlErrorBody('INVALID', "unknown query parameter 'wiht', did you mean 'with'?"),
    )
  })

  it('after an upload of the same document -> no difference, though every row is another object', async () => {
    const sandbox = await startSandbox()
    sandbox.snapshot('s')
    await sandbox.state.replace(sandbox.state.document())
    expect(sandbox.snapshots.diff('s')).toEqual({})
    await sandbox.state.replace({ customers: [] })
    const diff = sandbox.snapshots.diff('s')
    expect(diff['customers']?.removed).toHaveLength(28)
    expect(diff['products']).toBeUndefined()
  })
})

describe('snapshot and restore of the library', () => {
  it('a snapshot without a name is for whoever holds it', async () => {
    const sandbox = await startSandbox()
    const before = sandbox.snapshot()
    expect(JSON.parse(JSON.stringify(before))).toEqual({ created_at: testNow, rows: sandbox.state.size() })
    sandbox.state.delete('order_events', 'ord_ada_1')
    expect(sandbox.snapshots.list()).toEqual([])
    expect(sandbox.snapshots.diff(before)['order_events']?.removed).toHaveLength(1)
    sandbox.restore(before)
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeDefined()
  })

  it('what snapshot gave stays usable after its name was taken by another or deleted', async () => {
    const sandbox = await startSandbox()
    const first = sandbox.snapshot('s')
    sandbox.state.delete('order_events', 'ord_ada_1')
    const second = sandbox.snapshot('s')
    expect(sandbox.snapshots.list()).toEqual([second])
    sandbox.restore(first)
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeDefined()
    sandbox.restore('s')
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeUndefined()
    expect([sandbox.snapshots.delete('s'), sandbox.snapshots.delete('s')]).toEqual([true, false])
    expect(() => sandbox.restore('s')).toThrow(new NotFoundError("no snapshot is called 's': there is none"))
    sandbox.restore(second)
    sandbox.restore(first)
    expect(sandbox.snapshots.get('s')).toBeUndefined()
  })

  it('a snapshot of another workspace, or none at all -> refused', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    const other = (await startSandbox()).snapshot()
    for (const wrong of [sandbox.snapshot(), other, { created_at: testNow, rows: 0 }]) {
      expect(() => w1.restore(wrong)).toThrow(
        new NotFoundError(
          "this is no snapshot of workspace 'w1': restore takes a result of its own snapshot()",
        ),
      )
    }
  })

  it('what is shown is a copy', async () => {
    const { state, snapshots, snapshot } = await startSandbox()
    snapshot('s')
    const document = snapshots.get('s') as { customers: { first_name: string }[] }
    const [row] = document.customers
    if (row) row.first_name = 'Changed'
    expect(snapshots.get('s')).toEqual(state.document())
    state.patch('rewards', 'rwd_ada_offer', { metadata: { a: { b: 1 } } })
    const [changed] = snapshots.diff('s')['rewards']?.changed ?? []
    const after = changed?.fields['metadata']?.after as { a: { b: number } }
    after.a.b = 2
    expect(state.get('rewards', 'rwd_ada_offer')).toMatchObject({ metadata: { a: { b: 1 } } })
  })

  it('a key that was made after the snapshot is gone with it', async () => {
    const sandbox = await startSandbox()
    const before = sandbox.snapshot()
    const { key } = (await sandbox.call('POST', '/v2/keys')).json
    expect((await sandbox.call('GET', '/v2/customers', { key })).status).toBe(200)
    sandbox.restore(before)
    expect((await sandbox.call('GET', '/v2/customers', { key })).status).toBe(401)
    expect((await sandbox.call('GET', '/v2/customers', { key: fullKey })).status).toBe(200)
    expect(() => sandbox.state.delete('accounts', 'acct_ada')).toThrow(RowInUseError)
  })
})
