import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { startSandbox, type Answered } from '../helpers/sandbox.ts'

async function post(
  sandbox: Sandbox,
  path: string,
  body: string | object,
): Promise<{ status: number; json: Answered['json'] }> {
  const response = await sandbox.fetch(`/_sandbox/simulate/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, json: await response.json() }
}

const bistro = { customer_id: 'cus_ada', amount: 1250, currency: 'USD', merchant_name: 'Corner Bistro' }

describe('POST /_sandbox/simulate/transaction', () => {
  it.each<[string, object, object]>([
    ['{intent_id}', { intent_id: 'int_ada_1' }, { intent: { id: 'int_ada_1' }, reward: { amount: 252 } }],
    ['a purchase nobody announced', bistro, { intent: null, reward: { amount: 37 } }],
    ['what is credited back', { ...bistro, amount: -1250 }, { intent: null, reward: null }],
  ])('%s -> 201 with what the library gives', async (_, body, expected) => {
    const [sandbox, library] = await Promise.all([startSandbox(), startSandbox()])
    const { status, json } = await post(sandbox, 'transaction', body)
    expect([status, Object.keys(json)]).toEqual([201, ['transaction', 'intent', 'reward']])
    expect(json).toMatchObject(expected)
    expect(json).toEqual(library.simulate.transaction(body as typeof bistro))
    expect(sandbox.state.document()).toEqual(library.state.document())
  })

  it('?workspace= -> that workspace only', async () => {
    const sandbox = await startSandbox()
    expect((await post(sandbox, 'transaction?workspace=w1', bistro)).status).toBe(201)
    const sizes = [sandbox, sandbox.workspace('w1')].map(({ state }) => state.size('transactions'))
    expect(sizes).toEqual([0, 1])
  })

  it('what is wrong with it -> 400 with every problem', async () => {
    const { status, json } = await post(await startSandbox(), 'transaction', {
      customer_id: 'cus_ada',
      amount: '12.50',
      curency: 'USD',
      merchant_name: 'Shop',
    })
    expect([status, json]).toEqual([
      400,
      {
        error: {
          type: 'INVALID',
          message:
            'transaction amount: must be an integer\ntransaction currency: is required\n' +
            "transaction curency: unknown field, did you mean 'currency'?",
          details: [
            { source: 'transaction', path: 'amount', message: 'must be an integer' },
            { source: 'transaction', path: 'currency', message: 'is required' },
            { source: 'transaction', path: 'curency', message: "unknown field, did you mean 'currency'?" },
          ],
        },
      },
    ])
  })

  it.each<[string, string, string]>([
    ['no JSON', '{', 'body:1:2: expected a key in double quotes or }, but the file ends here\n{\n ^'],
    ['nothing', '', 'The body is empty: send JSON.'],
    ['a list', '[]', 'transaction: must be a JSON object'],
    ['null', 'null', 'transaction: must be a JSON object'],
  ])('%s -> 400', async (_, body, message) => {
    const { status, json } = await post(await startSandbox(), 'transaction', body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
  })

  it('an unknown row -> 404', async () => {
    expect(await post(await startSandbox(), 'transaction', { intent_id: 'int_nobody' })).toEqual({
      status: 404,
      json: { error: { type: 'NOT_FOUND', message: "no transaction intent has the id 'int_nobody'" } },
    })
  })

  it('an intent the second time -> 409', async () => {
    const sandbox = await startSandbox()
    const first = await post(sandbox, 'transaction', { intent_id: 'int_ada_1' })
    expect(await post(sandbox, 'transaction', { intent_id: 'int_ada_1' })).toEqual({
      status: 409,
      json: {
        error: {
          type: 'CONFLICT',
          message: `intent 'int_ada_1' was matched to transaction '${first.json.transaction.id}'; an intent matches once`,
        },
      },
    })
  })
})

describe('POST /_sandbox/simulate/statement', () => {
  it('-> 201 with what the library gives, listed at once', async () => {
    const [sandbox, library] = await Promise.all([startSandbox(), startSandbox()])
    const { status, json } = await post(sandbox, 'statement', { account_id: 'acct_ada' })
    expect([status, json]).toEqual([201, library.simulate.statement({ account_id: 'acct_ada' })])
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
    expect((await sandbox.call('GET', path)).json.data).toMatchObject([json.statement])
  })

  it.each<[object, number, string]>([
    [{}, 400, 'statement account_id: is required'],
    [
      { acount_id: 'acct_ada', account_id: 1 },
      400,
      "statement account_id: must be a string\nstatement acount_id: unknown field, did you mean 'account_id'?",
    ],
    [{ account_id: 'acct_adda' }, 404, "no account has the id 'acct_adda', did you mean 'acct_ada'?"],
  ])('%j -> %i', async (body, status, message) => {
    const answer = await post(await startSandbox(), 'statement', body)
    expect([answer.status, answer.json.error.message]).toEqual([status, message])
  })

  it('a second time before the clock moves on -> 409, and then 201', async () => {
    const sandbox = await startSandbox()
    const first = await post(sandbox, 'statement', { account_id: 'acct_ada' })
    const { statement_id, period_end_date } = first.json.statement
    expect(await post(sandbox, 'statement', { account_id: 'acct_ada' })).toEqual({
      status: 409,
      json: {
        error: {
          type: 'CONFLICT',
          message: `the cycle after statement '${statement_id}', which closes at ${period_end_date}, has not begun: advance the clock first`,
        },
      },
    })
    sandbox.clock.advance({ seconds: 2 })
    expect((await post(sandbox, 'statement', { account_id: 'acct_ada' })).status).toBe(201)
  })
})

describe('other methods', () => {
  it.each(['transaction', 'statement'])('%s: GET, PUT, DELETE -> 405, and nothing happens', async (path) => {
    const sandbox = await startSandbox()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const response = await sandbox.fetch(`/_sandbox/simulate/${path}?intent_id=int_ada_1`, { method })
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST'])
    }
    expect(sandbox.state.size('transactions')).toBe(0)
  })
})
