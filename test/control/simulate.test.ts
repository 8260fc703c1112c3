import { describe, expect, it } from 'vitest'
import type { NetworkTransaction, Sandbox } from '../../src/index.ts'
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
  const next = { transaction_id: 'txn_ada_1' }

  it.each<[string, NetworkTransaction, object, object | null, object | null]>([
    [
      '{intent_id}',
      { intent_id: 'int_ada_1' },
      { status: 'CAPTURED', amount: 8400 },
      { id: 'int_ada_1' },
      { amount: 252 },
    ],
    [
      'a purchase that no intent announced',
      bistro,
      { status: 'CAPTURED', amount: 1250 },
      null,
      { amount: 37 },
    ],
    [
      'an authorisation',
      {
        customer_id: 'cus_ada',
        amount: 1250,
        currency: 'USD',
        status: 'APPROVED',
        purchase_method: 'ONLINE',
        authorization_code: 'A1',
        merchant: { name: 'Corner Bistro', address: { city: 'Oslo' } },
      },
      { status: 'APPROVED', purchase_method: 'ONLINE', merchant: { address: { city: 'Oslo' } } },
      null,
      null,
    ],
    ['a credit', { ...bistro, amount: -1250 }, { amount: -1250 }, null, null],
    ['{transaction_id}', next, { status: 'CAPTURED', amount: 5000 }, null, { amount: 150 }],
    [
      '{transaction_id, status, amount}',
      { ...next, status: 'UPDATED', amount: 4000, posted_at: '2026-11-21T00:00:00Z' },
      { status: 'UPDATED', amount: 4000, updated_at: '2026-11-21T00:00:00Z' },
      null,
      null,
    ],
    ['{transaction_id, status}', { ...next, status: 'VOIDED' }, { status: 'VOIDED' }, null, null],
    [
      '{transaction_id, status, event_id, amount}',
      { transaction_id: 'txn_ada_2', status: 'REFUNDED', event_id: 'txe_ada_2_captured', amount: 500 },
      { status: 'REFUNDED', amount: 500 },
      null,
      null,
    ],
  ])('%s -> 201 with what the library gives', async (_, body, transaction, intent, reward) => {
    const row = { customer_id: 'cus_ada', currency: 'USD', merchant_name: 'Corner Bistro', amount: 5000 }
    const transactions = [
      { ...row, id: 'txn_ada_1', status: 'APPROVED', created_at: '2026-11-20T00:00:00Z' },
      { ...row, id: 'txn_ada_2', status: 'CAPTURED', created_at: '2026-11-20T00:00:00Z' },
    ]
    const options = { fixtures: ['fixtures/default.json', { transactions }] }
    const [sandbox, library] = await Promise.all([startSandbox(options), startSandbox(options)])
    const { status, json } = await post(sandbox, 'transaction', body)
    expect([status, Object.keys(json)]).toEqual([201, ['transaction', 'event', 'intent', 'reward']])
    expect(json.transaction).toMatchObject(transaction)
    expect([json.intent, json.reward]).toEqual(
      [intent, reward].map((part) => part && expect.objectContaining(part)),
    )
    expect(json).toEqual(library.simulate.transaction(body))
    expect(sandbox.state.document()).toEqual(library.state.document())
  })

  it('steps on a frozen clock -> numbered, at one instant; none before the one before it', async () => {
    const sandbox = await startSandbox()
    const { json: first } = await post(sandbox, 'transaction', { ...bistro, status: 'APPROVED' })
    const of = { transaction_id: first.transaction.id }
    const { json: second } = await post(sandbox, 'transaction', of)
    const posted_at = '2026-11-21T12:00:00.000Z'
    const own = { id: expect.stringMatching(/^txe_\w{12}$/), ...of, amount: 1250, posted_at }
    expect([first.event, second.event]).toStrictEqual([
      { ...own, n: 1, status: 'APPROVED' },
      {
        ...own,
        n: 2,
        status: 'CAPTURED',
        account_id: 'acct_ada',
        earn_rate: '3.00',
        reward_amount: 37,
        reward_id: second.reward.id,
      },
    ])
    const refund = { ...of, status: 'REFUNDED', posted_at: '2026-11-21T11:59:59.999Z' }
    const { status, json } = await post(sandbox, 'transaction', refund)
    const message = `must not be before ${posted_at}, the time of the step before it`
    expect([status, json]).toEqual([
      400,
      {
        error: {
          type: 'INVALID',
          message: `transaction posted_at: ${message}`,
          details: [{ source: 'transaction', path: 'posted_at', message }],
        },
      },
    ])
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

  it.each<[object, string]>([
    [{ intent_id: 'int_nobody' }, "no transaction intent has the id 'int_nobody'"],
    [{ transaction_id: 'txn_nobody' }, "no transaction has the id 'txn_nobody'"],
  ])('%j, an unknown row -> 404', async (body, message) => {
    expect(await post(await startSandbox(), 'transaction', body)).toEqual({
      status: 404,
      json: { error: { type: 'NOT_FOUND', message } },
    })
  })

  it('a step that cannot follow -> 409, and nothing changes', async () => {
    const sandbox = await startSandbox()
    const { transaction } = sandbox.simulate.transaction({ ...bistro, status: 'APPROVED' })
    const before = sandbox.state.document()
    const body = { transaction_id: transaction.id, status: 'REFUNDED' }
    expect(await post(sandbox, 'transaction', body)).toEqual({
      status: 409,
      json: {
        error: {
          type: 'CONFLICT',
          message: `transaction '${transaction.id}' is APPROVED: only UPDATED, VOIDED or CAPTURED can follow, not REFUNDED`,
        },
      },
    })
    expect(sandbox.state.document()).toEqual(before)
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

describe('POST /_sandbox/simulate/reward', () => {
  it('-> 201 with what the library gives', async () => {
    const [sandbox, library] = await Promise.all([startSandbox(), startSandbox()])
    for (const { simulate } of [sandbox, library]) simulate.transaction(bistro)
    const body = { customer_id: 'cus_ada', reward_type: 'STATEMENT' } as const
    const { status, json } = await post(sandbox, 'reward', body)
    expect([status, json]).toEqual([201, library.simulate.reward(body)])
    expect(json.rewards.map(({ status: of }: { status: string }) => of)).toEqual([
      'DEDUCTED',
      'AVAILABLE',
      'AVAILABLE',
      'AVAILABLE',
    ])
    expect(sandbox.state.document()).toEqual(library.state.document())
  })

  it.each<[object, number, string, string]>([
    [{}, 400, 'INVALID', 'reward customer_id: is required\nreward reward_type: is required'],
    [
      { customer_id: 'cus_ada', reward_type: 'OFFER', type: 'STATEMENT' },
      400,
      'INVALID',
      'reward reward_type: must be one of STATEMENT, DELAYED\n' +
        'reward type: unknown field, expected one of: customer_id, reward_type',
    ],
    [
      { customer_id: 'cus_ada', reward_type: 'DELAYED' },
      400,
      'INVALID',
      "reward reward_type: must be STATEMENT, as the accrual of product 'mk_summit' is statement",
    ],
    [
      { customer_id: 'cus_adda', reward_type: 'STATEMENT' },
      404,
      'NOT_FOUND',
      "no customer has the id 'cus_adda', did you mean 'cus_ada'?",
    ],
  ])('%j -> %i', async (body, status, type, message) => {
    const answer = await post(await startSandbox(), 'reward', body)
    expect([answer.status, answer.json.error.type, answer.json.error.message]).toEqual([
      status,
      type,
      message,
    ])
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
  it.each(['transaction', 'reward', 'statement'])(
    '%s: GET, PUT, DELETE -> 405, and nothing happens',
    async (path) => {
      const sandbox = await startSandbox()
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
        const response = await sandbox.fetch(`/_sandbox/simulate/${path}?intent_id=int_ada_1`, { method })
        expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST'])
      }
      expect(sandbox.state.size('transactions')).toBe(0)
    },
  )
})
