import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf, traceSource } from '../../../src/inspector/page/trace-source.ts'
import { Refused } from '../../../src/inspector/page/source.ts'
import type { Trace } from '../../../src/inspector/trace.ts'
import { createSandbox, type Sandbox } from '../../../src/index.ts'
import { partsOf } from '../../helpers/trace.ts'

let sandbox: Sandbox
let trace: Trace
let text: string

beforeAll(async () => {
  sandbox = await createSandbox({ clock: '2026-11-21T12:00:00Z', frozen: true })
  const key = { authorization: `Bearer ${sandbox.apiKey}` }
  for (const path of [
    '/v2/customers?limit=2',
    '/v2/custmers',
    '/v2/rewards/rwd_nope',
    '/v2/customers?limit=0',
  ]) {
    await sandbox.fetch(path, { headers: key })
  }
  await sandbox.scenarios.activate('slow')
  ;({ trace, data: text } = partsOf(await sandbox.trace()))
})

const live = async (path: string, query: Record<string, string>): Promise<unknown> => {
  const answer = await sandbox.fetch(`/_sandbox${path}?${new URLSearchParams(query)}`)
  return answer.json()
}

describe('what a trace answers is what the sandbox would have', () => {
  it.each<[string, Record<string, string>]>([
    ['/requests', {}],
    ['/requests', { status: '4xx' }],
    ['/requests', { status: '404', outcome: 'unmatched' }],
    ['/requests', { operation: 'searchCustomers' }],
    ['/requests', { text: 'CUSTMERS' }],
    ['/requests', { text: '404' }],
    ['/requests', { text: 'duration' }],
    ['/requests', { limit: '2' }],
    ['/requests', { before: 'req_default_3', limit: '1' }],
    ['/requests/req_default_3', {}],
    ['/state', { counts: 'true' }],
    ['/state/rewards', { limit: '3' }],
    ['/state/rewards', { after: 'rwd_ada_pending', limit: '2' }],
    ['/state/statements', { id_prefix: 'st', limit: '2' }],
    ['/state/rewards/rwd_ada_pending', {}],
    ['/state/account', {}],
    ['/state/stubs', {}],
    ['/scenarios', {}],
    ['/scenarios/active', {}],
    ['/scenarios/slow', {}],
    ['/clock', {}],
    ['/assumptions', {}],
    ['/assumptions/not_found_status', {}],
    ['/contract', {}],
    ['/snapshots', {}],
  ])('%s %j', async (path, query) => {
    const traced = answerOf(trace, path, 'default', query)
    const answered = await live(path, query)
    const withoutExplanation = (value: unknown): unknown =>
      path === '/requests'
        ? {
            ...(value as object),
            requests: (value as { requests: object[] }).requests.map((call) => ({
              ...call,
              explanation: undefined,
              reads: undefined,
            })),
          }
        : path === '/contract'
          ? (value as { points: { id: string }[] }).points.map(({ id }) => id)
          : value
    expect(withoutExplanation(traced)).toEqual(withoutExplanation(answered))
  })
})

it.each([
  ['another workspace', '/requests', 'w9', "The trace has no workspace 'w9'."],
  [
    'a request that is not in it',
    '/requests/req_default_99',
    'default',
    /^The trace has no request 'req_default_99': /,
  ],
  ['a row that is not in it', '/state/rewards/rwd_nope', 'default', /^The trace has no row 'rwd_nope': /],
  ['a collection that there is not', '/state/nope', 'default', "The trace has no collection 'nope'."],
  ['something else', '/openapi.json', 'default', 'A trace does not contain this.'],
])('%s -> refused, saying why', (_what, path, workspace, message) => {
  expect(() => answerOf(trace, path, workspace, {})).toThrow(Refused)
  expect(() => answerOf(trace, path, workspace, {})).toThrow(message)
})

it('a workspace that was gone at the end -> its calls, and of the rest that it was gone', () => {
  const gone = { ...trace, workspaces: trace.workspaces.map(({ remains: _remains, ...rest }) => rest) }
  expect(answerOf(gone, '/requests', 'default', { limit: 1 })).toMatchObject({
    requests: [{ id: 'req_default_4' }],
  })
  expect(() => answerOf(gone, '/state', 'default', { counts: 'true' })).toThrow(
    'it was gone at the end of the run',
  )
})

it('nothing of it can be changed', async () => {
  const source = traceSource(text)
  expect([source.isLive, source.home]).toEqual([false, 'default'])
  expect(source.about).toMatch(/^A trace of 4 calls, written by partner-rewards-sandbox \d/)
  await expect(source.ask('POST', '/reset')).rejects.toThrow('A trace is read-only.')
})
