import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'

const noRow = (collection: string, id: string): object =>
  controlErrorBody('NOT_FOUND', `${collection}: no row has the id '${id}'`)

const textOf = async (sandbox: Sandbox): Promise<string> => (await askControl(sandbox, 'GET', '/state')).text

/** Returns the problems in the details of a refusal, as `path: message`. */
function problemsIn(details: { path: string; message: string }[]): string[] {
  return details.map(({ path, message }) => `${path}: ${message}`)
}

/** Writes that leave fields in another order than a document has them. */
async function write(sandbox: { call: CallApi }): Promise<void> {
  await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })
  await sandbox.call('POST', '/v2/customers/cus_ben/link', { json: { partner_customer_id: 'b' } })
  await sandbox.call('POST', '/v2/keys')
  await sandbox.call('POST', '/v2/transaction_intents', {
    json: { metadata: { z: 1, a: 2 }, currency: 'USD', amount: 1, customer_id: 'cus_ada', merchant_id: 'm' },
  })
}

describe('GET /_sandbox/state', () => {
  it('is the document of the library, one row a line, and can be loaded', async () => {
    const sandbox = await startSandbox()
    await write(sandbox)
    const { status, json, text, headers } = await askControl(sandbox, 'GET', '/state')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(json).toEqual(sandbox.state.document())
    expect(Object.keys(json)).toEqual(Object.keys(sandbox.state.document()))
    expect(text.split('\n').filter((line) => line.startsWith('    {'))).toHaveLength(sandbox.state.size())
    expect(json.sandbox).toEqual({ seed: 1, ids: 6, clock: { now: testNow, frozen: true } })
  })

  it('equal states give equal bytes, whoever wrote them and in whatever order', async () => {
    const [one, two] = [await startSandbox(), await startSandbox()]
    await write(one)
    await two.state.replace(JSON.parse(await textOf(one)))
    expect(await textOf(two)).toBe(await textOf(one))

    const shuffled = JSON.parse(await textOf(one), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && 'customer_id' in value
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    )
    // Enough rows of one kind are read in another way than a few.
    for (let at = 0; at < 400; at++) {
      const row = { customer_id: 'cus_ada', id: `ord_${at}` }
      one.state.put('order_events', row.id, row)
      shuffled.order_events.push(row)
    }
    await two.state.replace(shuffled)
    expect(await textOf(two)).toBe(await textOf(one))
  })

  it('is that of the moment of the call, though it is read later', async () => {
    const sandbox = await startSandbox()
    const before = await textOf(sandbox)
    const response = await sandbox.fetch('/_sandbox/state')
    sandbox.state.delete('order_events', 'ord_ada_1')
    expect(await response.text()).toBe(before)
  })

  it('is sent in pieces: as many as it takes, and no more than are asked for', async () => {
    const sandbox = await startSandbox()
    for (let at = 0; at < 300; at++) {
      const metadata = { note: 'x'.repeat(1000) }
      sandbox.state.put('order_events', `ord_${at}`, { customer_id: 'cus_ada', metadata })
    }
    const sizes: number[] = []
    const whole: Uint8Array[] = []
    for await (const piece of (await sandbox.fetch('/_sandbox/state')).body ?? []) {
      sizes.push(piece.length)
      whole.push(piece)
    }
    expect(sizes.length).toBeGreaterThan(4)
    expect(Math.max(...sizes)).toBeLessThan(80 * 1024)
    expect(JSON.parse(Buffer.concat(whole).toString())).toEqual(sandbox.state.document())
    const left = await sandbox.fetch('/_sandbox/state')
    await left.body?.cancel()
  })

  it('?workspace= -> that of the workspace, forked on first use', async () => {
    const sandbox = await startSandbox()
    sandbox.state.delete('order_events', 'ord_ada_1')
    const { json } = await askControl(sandbox, 'GET', '/state?workspace=w1')
    expect(json).toEqual(sandbox.workspace('w1').state.document())
    expect(json.order_events).toHaveLength(sandbox.state.size('order_events') + 1)
  })
})

describe('PUT /_sandbox/state', () => {
  it('replaces everything, ids and clock included, and says where that leaves the workspace', async () => {
    const [one, two] = [await startSandbox(), await startSandbox({ clock: '2030-01-01T00:00:00Z' })]
    await write(one)
    const document = await textOf(one)
    const answer = await askControl(two, 'PUT', '/state', document)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.json).toEqual({
      workspace: 'default',
      rows: one.state.size(),
      // The clock of a document may be earlier than where the clock stood: all rows go back with it.
      clock: { now: testNow, frozen: true },
    })
    expect(await textOf(two)).toBe(document)
    const created = { json: { customer_id: 'cus_ada', amount: 5, currency: 'USD' } }
    const path = '/v2/transaction_intents'
    expect((await two.call('POST', path, created)).json).toEqual((await one.call('POST', path, created)).json)
  })

  it('case 125: a state taken over by another sandbox -> the same GET bytes', async () => {
    const [one, two] = [await startSandbox(), await startSandbox()]
    await write(one)
    await askControl(two, 'PUT', '/state', await textOf(one))
    const paths = [
      '/v2/customers?limit=100',
      '/v2/rewards/rwd_ada_pending',
      '/v2/customers/cus_ada/rewards_balance',
      '/v2/rewards/rewards_categories',
      '/v2/transaction_intents/int_ada_1',
    ]
    for (const path of paths) {
      expect((await two.call('GET', path)).text).toBe((await one.call('GET', path)).text)
    }
  })

  it('a sparse document -> gaps filled, account, products and keys those of the built-in fixtures', async () => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'PUT', '/state', { customers: [{ id: 'cus_1' }] })
    expect([status, json.workspace, json.clock]).toEqual([200, 'default', { now: testNow, frozen: true }])
    const fixtures = { customers: [{ id: 'cus_1' }] }
    const fresh = await startSandbox({ fixtures })
    expect(await textOf(sandbox)).toBe(await textOf(fresh))
    expect((await sandbox.call('GET', '/v2/customers')).json.total).toBe(1)
  })

  it('a document without ids -> the sequence begins anew; without a clock -> it stays', async () => {
    const sandbox = await startSandbox()
    await write(sandbox)
    sandbox.clock.advance({ days: 1 })
    await sandbox.state.replace({ customers: [{ id: 'cus_1' }] })
    expect(sandbox.state.document()).toMatchObject({
      sandbox: { ids: 0, clock: { now: '2026-11-22T12:00:00.000Z', frozen: true } },
    })
  })

  it('rows without a product are of the product that the fixtures name first, also after a round trip', async () => {
    const sandbox = await startSandbox()
    await sandbox.state.replace(JSON.parse(await textOf(sandbox)))
    expect(sandbox.state.put('customers', 'cus_new', {})).toMatchObject({ product: 'mk_summit' })
    await sandbox.state.replace({ products: [{ merchant_key: 'mk_b' }, { merchant_key: 'mk_a' }] })
    expect(sandbox.state.put('customers', 'cus_new', {})).toMatchObject({ product: 'mk_a' })
  })

  it('every problem at once, each with its line and column; nothing changes', async () => {
    const sandbox = await startSandbox()
    const before = await textOf(sandbox)
    const body = [
      '{',
      '  "customers": [{ "id": "cus_1", "emial": "x" }],',
      '  "rewards": [{ "id": "rwd_1", "customer_id": "cus_2", "status": "GONE" }],',
      '  "api_keys": [{ "id": "k", "scenarios": ["slw"] }],',
      '  "acounts": []',
      '}',
    ].join('\n')
    const { status, json } = await askControl(sandbox, 'PUT', '/state', body)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    const places = json.error.details.map((one: { line: number; column: number; path: string }) => [
      `${one.line}:${one.column}`,
      one.path,
    ])
    expect(places).toEqual([
      ['2:34', 'customers[0].emial'],
      ['3:47', 'rewards[0].customer_id'],
      ['3:66', 'rewards[0].status'],
      ['4:43', 'api_keys[0].scenarios[0]'],
      ['5:3', 'acounts'],
    ])
    expect(json.error.message).toContain("body:5:3 acounts: unknown collection, did you mean 'accounts'?")
    expect(json.error.message).toContain("unknown scenario 'slw', did you mean 'slow'?")
    expect(await textOf(sandbox)).toBe(before)
  })

  it('the library refuses the same', async () => {
    const sandbox = await startSandbox()
    // @ts-expect-error an id is a text
    await expect(sandbox.state.replace({ customers: [{ id: 1 }] })).rejects.toThrow(
      'document customers[0].id: must be a string',
    )
    await expect(sandbox.state.replace({ api_keys: [{ id: 'k', scenarios: ['x'] }] })).rejects.toThrow(
      "unknown scenario 'x'",
    )
  })

  it('keys may name scenarios that are registered in the workspace', async () => {
    const sandbox = await startSandbox()
    const rules = [{ on: 'retrieveReward', effect: 'not_found' }]
    await sandbox.scenarios.register({ name: 'mine', description: 'Gone.', rules })
    const api_keys = [{ id: 'k', scenarios: ['mine'] }]
    await sandbox.state.replace({ api_keys })
    expect(sandbox.state.get('api_keys', 'k')).toMatchObject({ scenarios: ['mine'] })
    await expect(sandbox.workspace('w1').state.replace({ api_keys })).rejects.toThrow(
      "unknown scenario 'mine'",
    )
  })

  it.each([
    [120, 20, '… and 20 more problems'],
    [1500, 900, '… and at least 900 more problems'],
  ])('%i problems -> the first 100 of them, and how many more there are', async (count, more, last) => {
    const sandbox = await startSandbox()
    const rewards = Array.from({ length: count }, (_, at) => ({ id: `rwd_${at}`, customer_id: 'nobody' }))
    const { status, json } = await askControl(sandbox, 'PUT', '/state', { rewards })
    expect([status, json.error.details.length, json.error.more]).toEqual([400, 100, more])
    expect(json.error.message.split('\n').at(-1)).toBe(last)
  })
})

describe('GET /_sandbox/state?counts=', () => {
  it('true -> how many rows there are, as the library counts them', async () => {
    const sandbox = await startSandbox()
    await write(sandbox)
    sandbox.state.putStubs([{ method: 'GET', path: '/v2/notes', body: {} }])
    const { status, json } = await askControl(sandbox, 'GET', '/state?counts=true')
    expect([status, json]).toEqual([200, { counts: sandbox.state.counts() }])
    const { schema_version: _version, sandbox: _sandbox, ...parts } = sandbox.state.document()
    const counted = Object.entries(parts).map(([name, part]) => [name, Array.isArray(part) ? part.length : 1])
    expect(json.counts).toEqual(Object.fromEntries(counted))
    expect(Object.keys(json.counts)).toEqual(Object.keys(parts))
  })

  it('false -> the document; anything else -> 400', async () => {
    const sandbox = await startSandbox()
    expect((await askControl(sandbox, 'GET', '/state?counts=false')).json).toEqual(sandbox.state.document())
    expect(await askControl(sandbox, 'GET', '/state?counts=1')).toMatchObject({
      status: 400,
      json: controlErrorBody('INVALID', 'query counts: must be true or false'),
    })
  })
})

describe('/_sandbox/state/{collection}', () => {
  it.each([
    ['?limit=2', ['rwd_ada_available', 'rwd_ada_deducted']],
    ['?limit=1&after=rwd_ada_one_time', ['rwd_ada_pending']],
    ['?limit=1&after=rwd_ada_p', ['rwd_ada_pending']],
    ['?id_prefix=rwd_ada_p', ['rwd_ada_pending', 'rwd_ada_pending_deduction']],
    ['?id_prefix=rwd_ada_p&after=rwd_ada_pending', ['rwd_ada_pending_deduction']],
    ['?id_prefix=nobody', []],
    ['?after=zzz', []],
  ])('GET %s -> %j', async (query, ids) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'GET', `/state/rewards${query}`)
    expect([status, json]).toEqual([200, { rewards: ids.map((id) => sandbox.state.get('rewards', id)) }])
  })

  it('GET page by page -> every row once', async () => {
    const sandbox = await startSandbox()
    const seen: string[] = []
    for (let query = '?limit=3'; ; query = `?limit=3&after=${seen.at(-1)}`) {
      const { json } = await askControl(sandbox, 'GET', `/state/rewards${query}`)
      if (json.rewards.length === 0) break
      seen.push(...json.rewards.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual(sandbox.state.list('rewards').map(({ id }) => id))
  })

  it.each([
    ['?limit=0', 'page limit: must be from 1 to 1000'],
    ['?limit=1001', 'page limit: must be from 1 to 1000'],
    ['?limit=x', 'page limit: must be an integer'],
    ['?limits=1', "unknown query parameter 'limits', did you mean 'limit'?"],
  ])('GET %s -> 400', async (query, message) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'GET', `/state/rewards${query}`)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
  })

  it('GET -> its rows under its name', async () => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'GET', '/state/order_events')
    expect([status, json]).toEqual([200, { order_events: sandbox.state.list('order_events') }])
    expect((await askControl(sandbox, 'GET', '/state/transactions')).json).toEqual({ transactions: [] })
  })

  it.each([
    ['reward', "unknown collection 'reward', did you mean 'rewards'?"],
    [
      '__proto__',
      "unknown collection '__proto__', expected one of: products, api_keys, customers, links, accounts, payment_methods, rewards, transaction_intents, statements, orders, order_events, transactions, transaction_events, offers, customer_sessions, webhook_endpoints, events, account",
    ],
  ])('%s -> 404, whatever the method and the body', async (name, message) => {
    const sandbox = await startSandbox()
    const expected = { status: 404, json: controlErrorBody('NOT_FOUND', message) }
    // Read as a whole, stubs are one more.
    const whole = {
      status: 404,
      json: controlErrorBody('NOT_FOUND', message.replace(/account$/, '$&, stubs')),
    }
    expect(await askControl(sandbox, 'GET', `/state/${name}`)).toMatchObject(whole)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'PUT' || method === 'PATCH' ? '{' : undefined
      expect(await askControl(sandbox, method, `/state/${name}/x`, body)).toMatchObject(expected)
    }
  })
})

describe('/_sandbox/state/{collection}/{id}', () => {
  it('PUT adds a row, PATCH changes it, GET shows it, DELETE removes it', async () => {
    const sandbox = await startSandbox()
    const path = '/state/rewards/rwd_new'
    const row = {
      customer_id: 'cus_ada',
      amount: 5,
      type: 'OFFER',
      status: 'PENDING',
      created_at: testNow,
      metadata: { a: 1 },
    }
    expect(await askControl(sandbox, 'PUT', path, row)).toMatchObject({
      status: 200,
      json: { id: 'rwd_new', ...row },
    })
    const patched = await askControl(
      sandbox,
      'PATCH',
      path,
      { amount: 7, metadata: { a: null, b: 2 } },
      { 'content-type': 'application/merge-patch+json' },
    )
    expect(patched.json).toEqual({ id: 'rwd_new', ...row, amount: 7, metadata: { b: 2 } })
    expect((await askControl(sandbox, 'GET', path)).json).toEqual(patched.json)
    expect((await sandbox.call('GET', '/v2/rewards/rwd_new')).json.amount).toBe(7)
    expect(await askControl(sandbox, 'DELETE', path)).toMatchObject({ status: 204, text: '' })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? {} : undefined
      expect(await askControl(sandbox, method, path, body)).toMatchObject({
        status: 404,
        json: noRow('rewards', 'rwd_new'),
      })
    }
  })

  it('PUT of a sparse row -> gaps filled', async () => {
    const sandbox = await startSandbox()
    const { json } = await askControl(sandbox, 'PUT', '/state/customers/cus_new', {})
    expect(json).toEqual(sandbox.state.get('customers', 'cus_new'))
    expect(json).toMatchObject({ id: 'cus_new', product: 'mk_summit', email: expect.stringContaining('@') })
  })

  it.each(['a/b', 'a b', 'ü', '100%', 'a?b#c', '%zz', 'constructor'])('the id %s', async (id) => {
    const sandbox = await startSandbox()
    const path = `/state/customers/${encodeURIComponent(id)}`
    expect(await askControl(sandbox, 'PUT', path, {})).toMatchObject({ status: 200, json: { id } })
    expect((await askControl(sandbox, 'GET', path)).json).toEqual(sandbox.state.get('customers', id))
    expect((await askControl(sandbox, 'DELETE', path)).status).toBe(204)
  })

  it('with the problems that a fixture would have, all at once; nothing changes', async () => {
    const sandbox = await startSandbox()
    const before = await textOf(sandbox)
    const row = { customer_id: 'nobody', amount: '5', status: 'GONE', id: 'rwd_1', ammount: 1 }
    const { status, json } = await askControl(sandbox, 'PUT', '/state/rewards/rwd_1', row)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(problemsIn(json.error.details)).toEqual([
      'amount: must be an integer',
      'status: must be one of PENDING, AVAILABLE, PENDING_DEDUCTION, DEDUCTED',
      "ammount: unknown field, did you mean 'amount'?",
      "customer_id: no customer has the id 'nobody'",
    ])
    expect(await textOf(sandbox)).toBe(before)
  })

  it.each([
    ['PUT', 'rewards/rwd_ada_pending', { id: 'other' }, "id: must be 'rwd_ada_pending', or be omitted"],
    ['PUT', 'rewards/rwd_ada_pending', [], ': must be an object of fields'],
    ['PUT', 'rewards/rwd_ada_pending', null, ': must be an object of fields'],
    ['PATCH', 'rewards/rwd_ada_pending', 1, ': must be an object of fields'],
    ['PATCH', 'rewards/rwd_ada_pending', { customer_id: null }, 'customer_id: is required'],
    ['PATCH', 'api_keys/key_full', { scenarios: ['slw'] }, "unknown scenario 'slw', did you mean 'slow'?"],
    ['PUT', 'account', 5, ': must be a JSON object'],
    ['PATCH', 'account', [], ': must be a JSON object'],
    [
      'PATCH',
      'account',
      { saved_version: { sandbox: '1.0' } },
      'saved_version.sandbox: must be one of 2025-05-05, 2026-10-13',
    ],
  ])('%s %s with %j -> 400', async (method, path, body, message) => {
    const sandbox = await startSandbox()
    const before = await textOf(sandbox)
    const { status, json } = await askControl(sandbox, method, `/state/${path}`, body)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(problemsIn(json.error.details).join('\n')).toContain(message)
    expect(await textOf(sandbox)).toBe(before)
  })

  it('DELETE of a row that others name -> 409 that names them', async () => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'DELETE', '/state/accounts/acct_ada')
    expect([status, json.error.type]).toEqual([409, 'CONFLICT'])
    expect(json.error.details[0].message).toMatch(/^cannot be deleted: \w+ \w+ refers to it in account_id$/)
    expect(sandbox.state.get('accounts', 'acct_ada')).toBeDefined()
  })

  it('case 28: the account is one row; the next request uses its saved version', async () => {
    const sandbox = await startSandbox()
    const saved_version = { sandbox: '2026-10-13', production: '2025-05-05' }
    expect((await askControl(sandbox, 'GET', '/state/account')).json).toEqual({ saved_version })
    const patch = { saved_version: { sandbox: '2025-05-05' } }
    expect(await askControl(sandbox, 'PATCH', '/state/account', patch)).toMatchObject({
      status: 200,
      json: { saved_version: { ...saved_version, sandbox: '2025-05-05' } },
    })
    expect((await sandbox.call('GET', '/v2/customers')).version).toBe('2025-05-05')
    expect((await askControl(sandbox, 'PUT', '/state/account', { saved_version })).json).toEqual({
      saved_version,
    })
    expect((await sandbox.call('GET', '/v2/customers')).version).toBe('2026-10-13')
    expect(await askControl(sandbox, 'GET', '/state/account/other')).toMatchObject({
      status: 404,
      json: noRow('account', 'other'),
    })
  })
})
