import { describe, expect, test } from 'vitest'
import type { Sandbox, SandboxOptions, SandboxWorkspace } from '../../src/index.ts'
import { watchCalls, withCalls, type DescribeCalls } from '../../src/testing/calls-of-test.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** A workspace that is watched from its beginning. */
async function watched(
  options: SandboxOptions = {},
): Promise<{ sandbox: Sandbox; workspace: SandboxWorkspace; saw: DescribeCalls }> {
  const sandbox = await startSandbox(options)
  const workspace = sandbox.workspace('w1')
  return { sandbox, workspace, saw: watchCalls(sandbox, workspace) }
}

const withKey = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } })

describe('what the sandbox saw', () => {
  test('nothing -> says whose calls it looks at', async () => {
    const { saw } = await watched()
    expect(saw('a client > asks')).toBe(
      [
        'What the sandbox saw in "a client > asks" (workspace w1):',
        '  nothing. It sees only calls with the key of the workspace (workspace.apiKey).',
      ].join('\n'),
    )
    expect(saw(undefined)).toMatch(/^What the sandbox saw \(workspace w1\):\n/)
  })

  test('each request with its query and answer, and why where it is no success', async () => {
    const { workspace, saw } = await watched()
    await workspace.scenarios.activate('commit-but-answer-lost', 'rate-limited')
    await workspace.fetch('/v2/customers')
    await workspace.scenarios.activate('commit-but-answer-lost')
    await workspace.fetch('/v2/customers?limit=1&partner_customer_id=shop%2017')
    await workspace.fetch('/v2/custmers')
    const body = JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' })
    const headers = { 'content-type': 'application/json' }
    await expect(
      workspace.fetch('/v2/transaction_intents', { method: 'POST', headers, body }),
    ).rejects.toThrow()
    expect(saw('a test')).toMatchInlineSnapshot(`
      "What the sandbox saw in "a test" (workspace w1):
        req_w1_1  GET /v2/customers                                        429   Scenario rule rate-limited#1 answered 429 (error: RATE_LIMIT_ERROR), on call 1 since the scenario was switched on, of calls "1..2".
        req_w1_2  GET /v2/customers?limit=1&partner_customer_id=shop%2017  200   success: 0 of 0
        req_w1_3  GET /v2/custmers                                         404   No endpoint is GET /v2/custmers; the nearest is GET /v2/customers: 'custmers' should be 'customers'.
        req_w1_4  POST /v2/transaction_intents                             lost  Scenario rule commit-but-answer-lost#1 broke the connection (reset) after the commit: the client got no answer instead of a 200, and its writes were committed."
    `)
  })

  test('a scenario that was active and never acted -> named', async () => {
    const { workspace, saw } = await watched()
    await workspace.scenarios.activate('reward-vanishes', 'rate-limited')
    await workspace.fetch('/v2/rewards/rwd_ada_pending')
    expect(saw('a test')).toMatch(/\nActive scenarios that never acted: reward-vanishes\.$/)
    await workspace.scenarios.deactivate()
    workspace.requests.clear()
    await workspace.fetch('/v2/rewards/rwd_ada_pending')
    expect(saw('a test')).not.toContain('never acted')
  })

  test('calls that reached no workspace, or another, since then -> below, marked', async () => {
    const sandbox = await startSandbox()
    await sandbox.fetch('/v2/customers?before=1', withKey('sk_wrong'))
    await sandbox.fetch('/v2/customers?before=2', withKey('sk_sandbox_full'))
    const workspace = sandbox.workspace('w1')
    const saw = watchCalls(sandbox, workspace)
    await sandbox.fetch('/v2/customers', withKey('sk_sandbox_full'))
    await sandbox.fetch('/v2/customers?limit=1', withKey('sk_wrong'))
    await sandbox.fetch('/v2/rewards/rwd_1')
    await sandbox.fetch('/v2/rewards/rwd_1', withKey(sandbox.apiKey))
    await workspace.fetch('/v2/customers', withKey('sk_wrong'))
    expect(saw('a test')).toMatchInlineSnapshot(`
      "What the sandbox saw in "a test" (workspace w1):
        req_w1_1  GET /v2/customers  401  No key here matches the one that was sent.
      Calls that reached no workspace, made by this test or a concurrent one:
        req_default_4  GET /v2/customers?limit=1  401  No key here matches the one that was sent.
        req_default_5  GET /v2/rewards/rwd_1      401  No credential was sent: there is no Authorization header.
      Calls that reached workspace default, made by this test or a concurrent one (use workspace.apiKey):
        req_default_3  GET /v2/customers      200  success: 10 of 26, more to come
        req_default_6  GET /v2/rewards/rwd_1  404  There was no reward 'rwd_1': no reward had this id since the journal began."
    `)
  })

  test('many calls that reached workspace default -> the newest 30', async () => {
    const { sandbox, saw } = await watched({ journalSize: 40 })
    for (let made = 0; made < 35; made++) await sandbox.fetch('/v2/customers', withKey('sk_sandbox_full'))
    const [, , , older, first, ...others] = saw('a test').split('\n')
    expect(older).toBe('  … 5 older')
    expect(first).toMatch(/^ {2}req_default_6 {2,}GET/)
    expect(others).toHaveLength(29)
  })

  test('a journal that is emptied meanwhile -> those that came since', async () => {
    const sandbox = await startSandbox()
    await sandbox.fetch('/v2/customers?before=1')
    const saw = watchCalls(sandbox, sandbox.workspace('w1'))
    sandbox.requests.clear()
    await sandbox.fetch('/v2/customers?after=1')
    expect(saw('a test')).toMatch(/GET \/v2\/customers\?after=1 {2}401/)
  })

  test('a test that loops -> the newest 30, and how many there were before', async () => {
    const { workspace, saw } = await watched({ journalSize: 40 })
    for (let made = 0; made < 50; made++) await workspace.fetch('/v2/customers')
    const [, older, first, ...others] = saw('a test').split('\n')
    expect(older).toBe('  … 20 older')
    expect(first).toBe('  req_w1_21  GET /v2/customers  200  success: 10 of 26, more to come')
    expect(others).toHaveLength(29)
  })

  test('card numbers and keys stay hidden, also in the query', async () => {
    const { sandbox, workspace, saw } = await watched()
    await workspace.fetch(`/v2/rewards/4242424242424242?key=${workspace.apiKey}&pan=4242424242424242`)
    await sandbox.fetch('/v2/customers?cvv=999&api_key=sk_sandbox_full')
    const text = saw('a test')
    expect(text).toContain('GET /v2/rewards/')
    expect(text).toContain('GET /v2/customers?cvv=***&api_key=***')
    expect(text).not.toMatch(/4242424242424242|sk_sandbox|999/)
  })
})

describe('an error with the calls', () => {
  test('is the same, with the same message, and a stack that ends with them', () => {
    const error = new RangeError('mine')
    const { stack } = error
    expect(withCalls(error, 'the calls')).toBe(error)
    expect(error.message).toBe('mine')
    expect(error.stack).toBe(`${stack}\n\nthe calls`)
  })

  test.each([
    ['a copy without a stack', { message: 'mine' }, 'mine\n\nthe calls'],
    ['a text', 'mine', /^Error: mine\n[^]*\n\nthe calls$/],
    ['nothing', undefined, /^Error: undefined\n[^]*\n\nthe calls$/],
  ])('%s', (_, thrown, stack) => {
    const error = withCalls(thrown, 'the calls')
    expect(error).toMatchObject({ stack: expect.stringMatching(stack) })
  })

  test('one that is frozen -> stays as it is', () => {
    const error = Object.freeze({ message: 'mine', stack: 'Error: mine' })
    expect(withCalls(error, 'the calls')).toBe(error)
    expect(error.stack).toBe('Error: mine')
  })
})
