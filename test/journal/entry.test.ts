import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox, type JournalEntry } from '../../src/index.ts'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }
const date = new Date(testNow).toUTCString()

describe('an entry', () => {
  it('of a read: everything that came, was found out and was answered', async () => {
    const sandbox = await startSandbox()
    const answer = await sandbox.call('GET', `${reward}?a=1&b=x%20y&b=z`, { headers: { 'x-run': 'ci' } })
    expect(sandbox.requests.list()).toEqual([
      {
        id: 'req_default_1',
        at: testNow,
        workspace: 'default',
        test: null,
        operation: 'retrieveReward',
        method: 'GET',
        path: reward,
        query: 'a=1&b=x%20y&b=z',
        key_id: 'key_full',
        version: '2026-10-13',
        product: 'mk_summit',
        status: 200,
        outcome: 'success',
        error_type: null,
        scenario_rules: [],
        assumptions: ['merchant_key_required', 'unknown_query_parameters'],
        off_contract: false,
        changes: [],
        duration_ms: expect.any(Number),
        request: {
          headers: { authorization: '***', 'x-run': 'ci' },
          query: { a: '1', b: ['x y', 'z'] },
          body: null,
        },
        response: {
          status: 200,
          headers: {
            'content-type': 'application/json',
            'content-length': String(answer.text.length),
            'x-service-version': '2026-10-13',
            'x-sandbox-request-id': 'req_default_1',
            'x-sandbox-assumptions': 'merchant_key_required, unknown_query_parameters',
            date,
          },
          body: answer.json,
        },
      },
    ] satisfies JournalEntry[])
  })

  it('of a creation: its body, and the row that it made', async () => {
    const sandbox = await startSandbox()
    const { json } = await sandbox.call('POST', intents, {
      json: { ...intent, merchant_name: 'Bistro', unknown: 1 },
    })
    expect(sandbox.requests.list()[0]).toMatchObject({
      operation: 'createTransactionIntent',
      status: 200,
      assumptions: [
        'create_status',
        'merchant_key_required',
        'intent_required_fields',
        'unknown_body_fields',
      ],
      request: { body: { ...intent, merchant_name: 'Bistro', unknown: 1 } },
      changes: [
        { collection: 'transaction_intents', id: json.id, after: { ...json, merchant_name: 'Bistro' } },
      ],
    })
    expect(sandbox.requests.list()[0]?.changes[0]).not.toHaveProperty('before')
  })

  it('of a change and a deletion: the rows before and after', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('PATCH', reward, { json: { amount: 7 } })
    await sandbox.call('DELETE', '/v2/order_events/ord_ada_4')
    const [deleted, changed] = sandbox.requests.list()
    expect(changed?.changes).toEqual([
      {
        collection: 'rewards',
        id: 'rwd_ada_pending',
        before: expect.objectContaining({ amount: 252 }),
        after: expect.objectContaining({ amount: 7, updated_at: testNow }),
      },
    ])
    expect(deleted?.changes).toEqual([
      {
        collection: 'order_events',
        id: 'ord_ada_4',
        before: {
          id: 'ord_ada_4',
          customer_id: 'cus_ada',
          order_id: 'order_ada_2',
          type: 'REFUNDED',
          amount: 150,
          network_transaction_id: 'ntx_ada_0002',
        },
      },
    ])
    expect(deleted?.response.body).toBeNull()
  })

  it('of a refusal: its type, and no change', async () => {
    const sandbox = await startSandbox()
    const { json } = await sandbox.call('POST', intents, { json: { ...intent, customer_id: 'cus_x' } })
    expect(sandbox.requests.list()[0]).toMatchObject({
      status: 404,
      outcome: 'not_found',
      error_type: 'CUSTOMER_NOT_FOUND_ERROR',
      assumptions: ['merchant_key_required', 'not_found_status', 'intent_required_fields'],
      changes: [],
      response: { status: 404, body: json },
    })
  })

  it('of a call without a usable key: in default, with nothing of a key', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await sandbox.call('GET', '/v2/x', { key: 'nobody.w1' })
    await sandbox.call('GET', '/v2/x', { key: null })
    expect(w1.requests.list()).toEqual([])
    for (const entry of sandbox.requests.list()) {
      expect(entry).toMatchObject({
        workspace: 'default',
        operation: null,
        key_id: null,
        version: null,
        product: null,
        outcome: 'unauthenticated',
      })
    }
    expect(sandbox.requests.list().map(({ id }) => id)).toEqual(['req_default_2', 'req_default_1'])
  })

  it.each([
    ['without a key', { key: null }, 401],
    ['with an unsupported version', { headers: { 'x-service-version': '2024-01-01' } }, 400],
  ])(
    'of a call %s: the operation that it was for, refused before its route was looked at',
    async (_how, options, status) => {
      const sandbox = await startSandbox()
      await sandbox.call('GET', reward, options)
      expect(sandbox.requests.list({ operation: 'retrieveReward' })).toMatchObject([{ status }])
      expect(sandbox.requests.verify({ operation: 'retrieveReward', status, count: 1 }).holds).toBe(true)
    },
  )

  it('of HEAD: the headers of the body that it leaves out, and no body', async () => {
    const sandbox = await startSandbox()
    const { headers } = await sandbox.call('HEAD', reward)
    const [entry] = sandbox.requests.list()
    expect(entry).toMatchObject({
      method: 'HEAD',
      operation: 'retrieveReward',
      response: { status: 200, body: null },
    })
    expect(entry?.response.headers['content-length']).toBe(headers.get('content-length'))
  })

  it('of a body with a byte order mark: as JSON, which is how it was read', async () => {
    const sandbox = await startSandbox()
    const body = new Uint8Array(Buffer.from(`\ufeff${JSON.stringify({ ...intent, metadata: { cvv: '1' } })}`))
    await sandbox.call('POST', intents, { body, headers: { 'content-type': 'application/json' } })
    expect(sandbox.requests.list()[0]?.request.body).toEqual({ ...intent, metadata: { cvv: '***' } })
    expect(sandbox.requests.verify({ body: { amount: 1250 } })).toEqual({ holds: true, count: 1 })
  })

  it('of a body that is no JSON: as text', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('POST', intents, {
      body: '{"amount":1,',
      headers: { 'content-type': 'application/json' },
    })
    expect(sandbox.requests.list()[0]?.request.body).toBe('{"amount":1,')
  })

  it('of a body that nobody read: none', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('POST', intents, { body: 'a=1', headers: { 'content-type': 'text/plain' } })
    await sandbox.call('POST', intents, { key: null, json: intent })
    for (const { request } of sandbox.requests.list()) expect(request.body).toBeNull()
  })

  it('of a caller who changes the headers afterwards: as they were', async () => {
    const sandbox = await startSandbox()
    const request = new Request(`http://localhost${reward}`, {
      headers: { authorization: `Bearer ${fullKey}`, 'x-run': 'a' },
    })
    await sandbox.fetch(request)
    request.headers.set('x-run', 'b')
    await sandbox.fetch(request)
    expect(sandbox.requests.list().map((entry) => entry.request.headers['x-run'])).toEqual(['b', 'a'])
  })

  it('is of the instant at which the call came, however long it took', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const sandbox = await createSandbox({ clock: testNow })
    const slow = { name: 'slow-one', description: 'd', rules: [{ on: '*', effect: { latency: 20 } }] }
    await sandbox.scenarios.register(slow)
    await sandbox.scenarios.activate('slow-one')
    sandbox.clock.freeze()
    const { now: came } = sandbox.clock.read()
    const answer = sandbox.fetch(reward, { headers: { authorization: `Bearer ${fullKey}` } })
    sandbox.clock.advance({ hours: 1 })
    // The part of a call before its first wait needs no timer: it runs in one turn of the event loop.
    await new Promise(setImmediate)
    vi.advanceTimersByTime(20)
    await answer
    const [entry] = sandbox.requests.list()
    expect(entry?.at).toBe(came)
    expect(entry?.duration_ms).toBe(20)
    await sandbox.close()
  })
})

describe('calls that scenarios act on', () => {
  const ask = async (scenario: string, method = 'GET', path = reward, more: RequestInit = {}) => {
    const sandbox = await startSandbox({ scenarios: [scenario] })
    const headers = { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' }
    await sandbox.fetch(path, { method, headers, ...more }).catch(() => undefined)
    const [entry] = sandbox.requests.list()
    return entry
  }

  it.each<[string, string[], boolean, number]>([
    ['not-found-reward', ['not-found-reward#1'], false, 404],
    ['rate-limited', ['rate-limited#1'], false, 429],
    ['html-gateway-error', ['html-gateway-error#1'], true, 502],
    ['null-optionals', ['null-optionals#1'], true, 200],
    ['unknown-fields', ['unknown-fields#1'], false, 200],
    ['reward-vanishes', [], false, 200],
    ['scope-missing-order-write', [], false, 200],
  ])('%s -> rules %j, off contract %s, %i', async (name, rules, offContract, status) => {
    expect(await ask(name)).toMatchObject({ scenario_rules: rules, off_contract: offContract, status })
  })

  it('a page that the contract does not allow', async () => {
    expect(await ask('pagination-wrong-total', 'GET', '/v2/customers')).toMatchObject({
      scenario_rules: ['pagination-wrong-total#1'],
      off_contract: true,
    })
  })

  it('an answer that was lost after the commit: what would have been answered, and what stands', async () => {
    const entry = await ask('commit-but-answer-lost', 'POST', intents, { body: JSON.stringify(intent) })
    expect(entry).toMatchObject({
      outcome: 'fault',
      status: null,
      scenario_rules: ['commit-but-answer-lost#1'],
      changes: [{ collection: 'transaction_intents', after: intent }],
      response: { status: 200, body: intent },
    })
  })

  it('an answer that was lost before: nothing stands', async () => {
    expect(await ask('reset', 'POST', intents, { body: JSON.stringify(intent) })).toMatchObject({
      outcome: 'fault',
      changes: [],
      response: { body: null },
    })
  })
})

describe('what is journalled', () => {
  it('every workspace has its own', async () => {
    const sandbox = await startSandbox()
    const [a, b] = [sandbox.workspace('a'), sandbox.workspace('b')]
    await sandbox.call('GET', reward, { key: `${fullKey}.a` })
    await b.fetch(reward)
    await b.fetch('/v2/customers')
    await sandbox.call('GET', reward, { key: `${fullKey}.default` })
    const idsOf = (workspace: typeof a): string[] => workspace.requests.list().map(({ id }) => id)
    expect([idsOf(sandbox), idsOf(a), idsOf(b)]).toEqual([
      ['req_default_1'],
      ['req_a_1'],
      ['req_b_2', 'req_b_1'],
    ])
    expect(a.requests.get('req_b_1')).toBeUndefined()
  })

  it('a call without a key through the door of a workspace is there', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    await w1.fetch(reward, { headers: { authorization: 'Bearer nobody' } })
    expect(w1.requests.list()).toMatchObject([{ id: 'req_w1_1', outcome: 'unauthenticated', key_id: null }])
  })
})

describe('the query of an entry', () => {
  it.each([
    ['none', '', ''],
    ['as it was sent', '?b=x%20y&a=1&b&=z', 'b=x%20y&a=1&b&=z'],
    ['a secret by its name', '?cvv=123&ssn4=1815&x=1', 'cvv=***&ssn4=***&x=1'],
    ['a name that is written in percent signs', '?c%76v=123', 'cvv=***'],
    ['a credential that no parameter takes', '?api_key=abc&access_token=x', 'api_key=***&access_token=***'],
    ['a key that is known', '?q=sk_sandbox_full', 'q=***'],
    ['a card number, also in groups', '?q=4242+4242%204242-4242', 'q=**** **** ****-4242'],
    ['a name that holds one', '?4242424242424242=1', '************4242=1'],
    ['what is no encoding', '?q=%zz&r=%', 'q=%zz&r=%'],
  ])('%s', async (_what, sent, query) => {
    const sandbox = await startSandbox()
    const answer = await sandbox.fetch(`/v2/customers${sent}`)
    const id = answer.headers.get('x-sandbox-request-id') ?? ''
    expect(sandbox.requests.get(id)?.query).toBe(query)
    const target = query === '' ? '/v2/customers' : `/v2/customers?${query}`
    expect(sandbox.requests.explain(id)?.sections[0]?.facts[0]).toEqual({
      name: 'request',
      value: `GET ${target}`,
    })
  })
})

it('the body of an entry: a card number as a JSON number beyond 2^53 is masked', async () => {
  const sandbox = await startSandbox()
  const body = JSON.stringify({ ...intent, metadata: { note: 0 } }).replace(':0}', ':4242424242424242428}')
  await sandbox.call('POST', intents, { body, headers: { 'content-type': 'application/json' } })
  expect(sandbox.requests.get('req_default_1')).toMatchObject({
    status: 200,
    request: { body: { metadata: { note: '***************2428' } } },
  })
  expect(JSON.stringify(sandbox.requests.get('req_default_1'))).not.toContain('42424242')
})
