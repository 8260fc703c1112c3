import { describe, expect, it } from 'vitest'
import { askControl } from '../helpers/control.ts'
import { startSandbox } from '../helpers/sandbox.ts'

describe('POST /_sandbox/simulate/transaction', () => {
  it('what is wrong with it -> 400 with every problem', async () => {
    const { status, json } = await askControl(await startSandbox(), 'POST', '/simulate/transaction', {
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
})

describe('POST /_sandbox/simulate/statement', () => {
  it.each<[object, number, string]>([
    [{}, 400, 'statement account_id: is required'],
    [
      { acount_id: 'acct_ada', account_id: 1 },
      400,
      "statement account_id: must be a string\nstatement acount_id: unknown field, did you mean 'account_id'?",
    ],
    [{ account_id: 'acct_adda' }, 404, "no account has the id 'acct_adda', did you mean 'acct_ada'?"],
  ])('%j -> %i', async (body, status, message) => {
    const answer = await askControl(await startSandbox(), 'POST', '/simulate/statement', body)
    expect([answer.status, answer.json.error.message]).toEqual([status, message])
  })

  it('a second time before the clock moves on -> 409, and then 201', async () => {
    const sandbox = await startSandbox()
    const close = () => askControl(sandbox, 'POST', '/simulate/statement', { account_id: 'acct_ada' })
    const { statement_id, period_end_date } = (await close()).json.statement
    expect(await close()).toMatchObject({
      status: 409,
      json: {
        error: {
          type: 'CONFLICT',
          message: `the cycle after statement '${statement_id}', which closes at ${period_end_date}, has not begun: advance the clock first`,
        },
      },
    })
    sandbox.clock.advance({ seconds: 2 })
    expect((await close()).status).toBe(201)
  })
})
