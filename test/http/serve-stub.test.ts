import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'

const notesBody = { data: [{ id: 'note_1', text: 'VIP' }] }
const listNotes = {
  method: 'GET',
  path: '/v2/customers/{customer_id}/notes',
  body: notesBody,
} as const
const retrieveCustomer = {
  method: 'GET',
  path: '/v2/customer_profiles/{customer_id}',
  collection: 'customers',
  id: '{customer_id}',
} as const

type Init = RequestInit & { headers?: Record<string, string> }

function call(sandbox: Sandbox, path: string, { headers, ...init }: Init = {}): Promise<Response> {
  return sandbox.fetch(path, { headers: { authorization: `Bearer ${fullKey}`, ...headers }, ...init })
}

async function withStubs(...stubs: object[]): Promise<Sandbox> {
  return startSandbox({ fixtures: ['fixtures/default.json', { stubs }] })
}

describe('case 141: operations that the contract mentions and does not list', () => {
  it('case 141: a stub with a body -> 200 with key, version and product rules', async () => {
    const sandbox = await withStubs(listNotes)
    const answer = await call(sandbox, '/v2/customers/cus_ada/notes')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual(notesBody)
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/json',
      'content-length': String(JSON.stringify(notesBody).length),
      date: new Date(testNow).toUTCString(),
      'x-sandbox-assumptions': 'merchant_key_required',
      'x-sandbox-request-id': 'req_default_1',
      'x-service-version': '2026-10-13',
    })
  })

  it('case 141: without the stub -> 404 B, and it is unmatched', async () => {
    const sandbox = await startSandbox()
    expect((await call(sandbox, '/v2/customers/cus_ada/notes')).status).toBe(404)
    expect(sandbox.findings.unmatchedCalls().total).toBe(1)
  })

  it.each<[situation: string, init: Init, status: number]>([
    ['without a key', { headers: { authorization: '' } }, 401],
    ['with an unsupported version', { headers: { 'x-service-version': '1999-01-01' } }, 400],
    ['with the merchant key of nobody', { headers: { 'x-service-merchant-key': 'mk_none' } }, 400],
    ['with a key of several products', { headers: { authorization: 'Bearer sk_sandbox_multi' } }, 400],
    ['with a method it does not have', { method: 'DELETE' }, 405],
    ['OPTIONS', { method: 'OPTIONS' }, 204],
    ['HEAD', { method: 'HEAD' }, 200],
  ])('case 141: a stub called %s -> %s', async (_situation, init, status) => {
    const sandbox = await withStubs(listNotes)
    const answer = await call(sandbox, '/v2/customers/cus_ada/notes', init)
    expect(answer.status).toBe(status)
    if (status === 405 || status === 204) expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(sandbox.findings.unmatchedCalls().total).toBe(status === 405 ? 1 : 0)
  })

  it('case 141: a scope that the key lacks -> 403 with the version', async () => {
    const sandbox = await withStubs({ ...listNotes, scope: 'ACCOUNT_READ' })
    const headers = { authorization: 'Bearer sk_sandbox_without_account_read' }
    const answer = await call(sandbox, '/v2/customers/cus_ada/notes', { headers })
    expect([answer.status, answer.headers.get('x-service-version')]).toEqual([403, '2026-10-13'])
    expect(await answer.json()).toEqual({
      error: { type: 'FORBIDDEN_ERROR', message: 'The API key lacks the scope ACCOUNT_READ.' },
    })
  })

  it('case 141: a row is answered as the contract has it, less what the key may not see', async () => {
    const sandbox = await withStubs(retrieveCustomer)
    const searched = await call(sandbox, '/v2/customers?partner_customer_id=partner-ada')
    const { data } = (await searched.json()) as { data: object[] }
    const whole = await call(sandbox, '/v2/customer_profiles/cus_ada')
    expect([whole.status, await whole.json()]).toEqual([200, data[0]])
    const headers = { authorization: 'Bearer sk_sandbox_without_authorized_user_read' }
    const { authorized_users: _left, ...less } = data[0] as Record<string, unknown>
    expect(await (await call(sandbox, '/v2/customer_profiles/cus_ada', { headers })).json()).toEqual(less)
  })

  it.each([
    ['that nobody has', 'cus_none'],
    ['of another product', 'cus_harbor'],
  ])('case 141: the row of an id %s -> the not-found error', async (_situation, id) => {
    const sandbox = await withStubs(retrieveCustomer)
    const answer = await call(sandbox, `/v2/customer_profiles/${id}`)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        type: 'CUSTOMER_NOT_FOUND_ERROR',
        message: 'No customer has this customer_id.',
        param: 'customer_id',
      },
    ])
  })

  it('case 141: a fixed segment wins over a parameter, and a status is as given', async () => {
    const sandbox = await withStubs(retrieveCustomer, {
      method: 'GET',
      path: '/v2/customer_profiles/me',
      status: 418,
      body: null,
    })
    const answer = await call(sandbox, '/v2/customer_profiles/me')
    expect([answer.status, await answer.text()]).toEqual([418, 'null'])
  })

  it('case 141: the journal has no operation, a success, off contract; no coverage; nothing unmatched', async () => {
    const sandbox = await withStubs(listNotes)
    await call(sandbox, '/v2/customers/cus_ada/notes')
    const [entry] = sandbox.requests.list()
    expect(entry).toMatchObject({
      operation: null,
      outcome: 'success',
      off_contract: true,
      assumptions: ['merchant_key_required'],
    })
    expect((await sandbox.coverage.get()).covered).toBe(0)
    expect(sandbox.findings.unmatchedCalls()).toEqual({ total: 0, kinds: [] })
  })
})

describe('stubs in the state', () => {
  it('stand in the state document, in snapshots and diffs, and are replaced together', async () => {
    const sandbox = await withStubs(listNotes)
    const before = sandbox.snapshot()
    expect(sandbox.state.document()['stubs']).toEqual([listNotes])
    sandbox.state.putStubs([retrieveCustomer])
    expect(sandbox.state.stubs()).toEqual([retrieveCustomer])
    expect((await call(sandbox, '/v2/customers/cus_ada/notes')).status).toBe(404)
    sandbox.restore(before)
    expect((await call(sandbox, '/v2/customers/cus_ada/notes')).status).toBe(200)
    expect((await call(sandbox, '/v2/customer_profiles/cus_ada')).status).toBe(404)
  })

  it('are read and replaced over HTTP', async () => {
    const sandbox = await startSandbox()
    const put = await sandbox.fetch('/_sandbox/state/stubs', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([listNotes]),
    })
    expect([put.status, await put.json()]).toEqual([200, { stubs: [listNotes] }])
    const got = await sandbox.fetch('/_sandbox/state/stubs')
    expect(await got.json()).toEqual({ stubs: [listNotes] })
  })

  it('of a later document replace those of the same method and path', async () => {
    const other = { ...listNotes, path: '/v2/customers/{id}/notes', body: [] }
    const sandbox = await startSandbox({ fixtures: [{ stubs: [listNotes] }, { stubs: [other] }] })
    expect(sandbox.state.stubs()).toEqual([other])
  })

  it.each<[situation: string, stub: object, message: string]>([
    [
      'the path of an endpoint',
      { method: 'DELETE', path: '/v2/rewards/{id}', body: {} },
      'stubs[0].path: meets that of retrieveReward (GET /v2/rewards/{reward_id}), which the sandbox serves itself',
    ],
    [
      'a path that an endpoint would take',
      { method: 'GET', path: '/v2/{a}/{b}', body: {} },
      'stubs[0].path: meets that of retrieveTransactionIntent (GET /v2/transaction_intents/{intent_id}), which the sandbox serves itself',
    ],
    [
      'a path of the control plane',
      { method: 'GET', path: '/_sandbox/x' },
      'stubs[0].path: must not be one of the control plane',
    ],
    [
      'an id without a collection',
      { method: 'GET', path: '/v2/x', id: 'a' },
      'stubs[0].id: needs collection: it is the id of a row',
    ],
    [
      'a parameter that the path does not have',
      { method: 'GET', path: '/v2/x/{a}', collection: 'customers', id: '{b}' },
      'stubs[0].id: names no parameter of /v2/x/{a}',
    ],
    [
      'a body beside a row',
      { method: 'GET', path: '/v2/x', collection: 'customers', id: 'a', body: 1 },
      'stubs[0].body: must be omitted if there is a collection: a stub answers with one of the two',
    ],
    [
      'a body where there can be none',
      { method: 'DELETE', path: '/v2/x', status: 204, body: {} },
      'stubs[0].body: must be omitted: status 204 has none',
    ],
    [
      'an unknown field',
      { method: 'GET', path: '/v2/x', boddy: 1 },
      "stubs[0].boddy: unknown field, did you mean 'body'?",
    ],
  ])('with %s are refused', async (_situation, stub, message) => {
    await expect(startSandbox({ fixtures: [{ stubs: [stub] }] })).rejects.toThrow(message)
  })

  it('with the same method and path twice in one document are refused', async () => {
    const stubs = [listNotes, { ...listNotes, path: '/v2/customers/{id}/notes' }]
    await expect(startSandbox({ fixtures: [{ stubs }] })).rejects.toThrow(
      'stubs[1].path: is also the method and path of stubs[0]',
    )
  })
})
