import { describe, expect, test } from 'vitest'
import { whatItSaw } from '../../src/testing/what-it-saw.ts'
import { startSandbox } from '../helpers/sandbox.ts'

describe('what the sandbox saw', () => {
  test('nothing -> says whose calls it looks at', async () => {
    expect(whatItSaw((await startSandbox()).workspace('w1'))).toBe(
      [
        'What the sandbox saw (workspace w1):',
        '  nothing. Only calls with the key of the workspace (workspace.apiKey) are in it.',
      ].join('\n'),
    )
  })

  test('each request with its answer, and why where it is no success', async () => {
    const workspace = (await startSandbox()).workspace('w1')
    await workspace.scenarios.activate('commit-but-answer-lost', 'rate-limited')
    await workspace.fetch('/v2/customers')
    await workspace.scenarios.activate('commit-but-answer-lost')
    await workspace.fetch('/v2/customers?limit=1')
    await workspace.fetch('/v2/custmers')
    const body = JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' })
    const headers = { 'content-type': 'application/json' }
    await expect(
      workspace.fetch('/v2/transaction_intents', { method: 'POST', headers, body }),
    ).rejects.toThrow()
    expect(whatItSaw(workspace)).toMatchInlineSnapshot(`
      "What the sandbox saw (workspace w1):
        req_w1_1  GET /v2/customers             429   Scenario rule rate-limited#1 answered 429 (error: RATE_LIMIT_ERROR), on call 1 of calls "1..2".
        req_w1_2  GET /v2/customers             200   success
        req_w1_3  GET /v2/custmers              404   No endpoint is GET /v2/custmers; the nearest is GET /v2/customers: 'custmers' should be 'customers'.
        req_w1_4  POST /v2/transaction_intents  lost  Scenario rule commit-but-answer-lost#1 spoilt the connection (reset) after the commit: the client got no answer in place of a 201, and what it wrote stands."
    `)
  })

  test('a test that loops -> the newest 30, and how many there were before', async () => {
    const workspace = (await startSandbox({ journalSize: 40 })).workspace('w1')
    for (let made = 0; made < 50; made++) await workspace.fetch('/v2/customers')
    const [, older, first, ...others] = whatItSaw(workspace).split('\n')
    expect(older).toBe('  … 20 older')
    expect(first).toBe('  req_w1_21  GET /v2/customers  200  success')
    expect(others).toHaveLength(29)
  })

  test('card numbers and keys stay hidden', async () => {
    const workspace = (await startSandbox()).workspace('w1')
    await workspace.fetch(`/v2/rewards/4242424242424242?key=${workspace.apiKey}`)
    const text = whatItSaw(workspace)
    expect(text).toContain('GET /v2/rewards/')
    expect(text).not.toMatch(/4242424242424242|sk_sandbox/)
  })
})
