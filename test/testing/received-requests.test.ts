import { describe, expect, test } from 'vitest'
import { DocumentError, type SandboxWorkspace } from '../../src/index.ts'
import {
  checkNoUnmatchedRequests,
  checkReceived,
  checkReceivedInOrder,
  type Checked,
} from '../../src/testing/received-requests.ts'
import { startSandbox } from '../helpers/sandbox.ts'

/** A workspace that saw a link, a search and an update. */
async function busy(): Promise<SandboxWorkspace> {
  const workspace = (await startSandbox()).workspace('w1')
  const send = (method: string, path: string, json: object) =>
    workspace.fetch(path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
  await send('POST', '/v2/customers/cus_ben/link', { partner_customer_id: 'shop-17' })
  await workspace.fetch('/v2/customers?partner_customer_id=shop-17')
  await send('PATCH', '/v2/rewards/rwd_ada_pending', { status: 'DEDUCTED' })
  return workspace
}

describe('what was received', () => {
  const cases: [string, (workspace: SandboxWorkspace) => Checked, boolean, string][] = [
    [
      'once where nothing is said of it',
      (workspace) => checkReceived(workspace, { operation: 'linkCustomer' }),
      true,
      'expected the sandbox not to have received {"operation":"linkCustomer"}, but 1 request matched',
    ],
    [
      'as often as it must be',
      (workspace) => checkReceived(workspace, { query: { partner_customer_id: 'shop-*' }, count: 1 }),
      true,
      'expected the sandbox not to have received {"query":{"partner_customer_id":"shop-*"},"count":1}, but 1 request matched',
    ],
    [
      'another body -> what came nearest, and in what it differs',
      (workspace) => checkReceived(workspace, { operation: 'updateReward', body: { status: 'AVAILABLE' } }),
      false,
      [
        'expected the sandbox to have received {"operation":"updateReward","body":{"status":"AVAILABLE"}}: at least 1 expected, 0 of 3 requests matched',
        '',
        'nearest:',
        '  req_w1_3 PATCH /v2/rewards/rwd_ada_pending 200 updateReward',
        '    body.status: expected "AVAILABLE", it was "DEDUCTED"',
        '  req_w1_1 POST /v2/customers/cus_ben/link 200 linkCustomer',
        '    operation: expected "updateReward", it was "linkCustomer"',
        '    body.status: expected "AVAILABLE", there was none',
        '  req_w1_2 GET /v2/customers 200 searchCustomers',
        '    operation: expected "updateReward", it was "searchCustomers"',
        '    body: expected {"status":"AVAILABLE"}, there was none',
      ].join('\n'),
    ],
    [
      'too many',
      (workspace) => checkReceived(workspace, { operation: 'linkCustomer', count: 0 }),
      false,
      [
        'expected the sandbox to have received {"operation":"linkCustomer","count":0}: exactly 0 expected, 1 of 3 requests matched',
        '',
        'nearest:',
        '  req_w1_1 POST /v2/customers/cus_ben/link 200 linkCustomer',
      ].join('\n'),
    ],
    [
      'in order',
      (workspace) =>
        checkReceivedInOrder(workspace, [{ operation: 'linkCustomer' }, { operation: 'updateReward' }]),
      true,
      'expected the sandbox not to have received [{"operation":"linkCustomer"},{"operation":"updateReward"}], but 2 requests matched',
    ],
    [
      'in another order',
      (workspace) =>
        checkReceivedInOrder(workspace, [{ operation: 'updateReward' }, { operation: 'linkCustomer' }]),
      false,
      [
        'expected the sandbox to have received [{"operation":"updateReward"},{"operation":"linkCustomer"}]: in_order[1]: no request matched after req_w1_3; req_w1_1 matches, but came before',
        '',
        'nearest:',
        '  req_w1_1 POST /v2/customers/cus_ben/link 200 linkCustomer',
        '  req_w1_2 GET /v2/customers 200 searchCustomers',
        '    operation: expected "linkCustomer", it was "searchCustomers"',
        '  req_w1_3 PATCH /v2/rewards/rwd_ada_pending 200 updateReward',
        '    operation: expected "linkCustomer", it was "updateReward"',
      ].join('\n'),
    ],
    [
      'every request met an endpoint',
      (workspace) => checkNoUnmatchedRequests(workspace),
      true,
      'expected a request that matches no endpoint, but every request matched one',
    ],
  ]
  test.each(cases)('%s', async (_, check, holds, message) => {
    expect(check(await busy())).toEqual({ holds, message })
  })

  test('requests that met no endpoint -> which, and what was near', async () => {
    const workspace = await busy()
    await workspace.fetch('/v2/custmers?limit=1')
    await workspace.fetch('/v2/customers', { method: 'DELETE' })
    const { holds, message } = checkNoUnmatchedRequests(workspace)
    expect(holds).toBe(false)
    expect(message.split('\n')).toEqual([
      'expected every request to match an endpoint; these did not:',
      expect.stringMatching(
        /^ {2}req_w1_4 GET \/v2\/custmers\?limit=1 404: .*the nearest is GET \/v2\/customers/,
      ),
      expect.stringMatching(/^ {2}req_w1_5 DELETE \/v2\/customers 405: /),
    ])
  })

  test.each([undefined, null, 3, 'w1', {}, { requests: null }, { requests: {} }])(
    'of %j, which is no workspace -> says what is expected',
    (subject) => {
      expect(() => checkReceived(subject, {})).toThrow(
        /^toHaveReceived: expected a workspace or a sandbox, as in expect\(workspace\)\.toHaveReceived\(…\), got /,
      )
    },
  )

  test('an unknown operation -> says which there are', async () => {
    const { requests } = await startSandbox()
    const matcher = { operation: 'updateRewards' as 'updateReward' }
    expect(() => checkReceived({ requests }, matcher)).toThrow(DocumentError)
    expect(() => checkReceived({ requests }, matcher)).toThrow(/did you mean 'updateReward'\?/)
  })
})
