import { describe, expect, it } from 'vitest'
import { readTestHeader } from '../../src/call/test-of-call.ts'
import { askControl } from '../helpers/control.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const long = 'x'.repeat(401)

describe('the header x-sandbox-test', () => {
  it.each<[header: string, name: string, file: string | null]>([
    ['pays', 'pays', null],
    ['checkout%20%3E%20pays', 'checkout > pays', null],
    ['%C3%BCber%3B', 'über;', null],
    ['pays; file=test/pay.test.ts', 'pays', 'test/pay.test.ts'],
    ['pays ;file=a%20b.py', 'pays', 'a b.py'],
    ["it's(a)test!*~", "it's(a)test!*~", null],
    ['x'.repeat(400), 'x'.repeat(400), null],
    [`pays; file=${'x'.repeat(400)}`, 'pays', 'x'.repeat(400)],
  ])('%j -> %j, %j', (header, name, file) => {
    expect(readTestHeader(header)).toEqual({ name, file })
  })

  it.each([
    '',
    ' ',
    'two words',
    'pays, ships',
    '%',
    '%zz',
    '%ff',
    'ünder',
    ';file=a',
    'pays; file=',
    'pays; path=a',
    'pays; file=a; file=b',
    long,
    `pays; file=${long}`,
    // A hundred signs of four bytes each are 1,200 bytes as sent.
    encodeURIComponent('😀'.repeat(100)),
  ])('malformed or too long: %j -> none', (header) => {
    expect(readTestHeader(header)).toBeNull()
  })
})

describe('the test of a call', () => {
  const header = { 'x-sandbox-test': 'by%20header; file=a.py' }
  const byHeader = { name: 'by header', file: 'a.py' }
  const ofWorkspace = { name: 'of the workspace', file: null }

  it('is that of its header, else that of its workspace; a malformed header names none', async () => {
    const sandbox = await startSandbox()
    const workspace = await sandbox.workspaces.create({ test: { name: 'of the workspace' } })
    for (const headers of [{}, header, { 'x-sandbox-test': 'two words' }])
      await workspace.fetch('/v2/customers', { headers })
    expect(workspace.requests.list().map((entry) => entry.test)).toEqual([null, byHeader, ofWorkspace])
    expect(workspace.requests.list({ test: 'HEADER' })).toHaveLength(1)
    expect(workspace.requests.list({ test: 'a.py' })).toHaveLength(1)
    expect(workspace.requests.list({ test: 'the', outcome: 'success' })).toHaveLength(1)
    workspace.reset()
    await workspace.fetch('/v2/customers')
    expect(workspace.requests.list()).toMatchObject([{ test: ofWorkspace }])
  })

  it('changes nothing else: answer, assumptions, coverage and explanation are the same', async () => {
    const seen = async (headers: Record<string, string>): Promise<unknown> => {
      const sandbox = await startSandbox()
      const answer = await sandbox.call('GET', '/v2/customers?limit=1', { headers })
      const entry = sandbox.requests.get('req_default_1')
      const report = await sandbox.coverage.report('json')
      const received = [...answer.headers]
      return { body: answer.json, received, outcome: entry?.outcome, explanation: entry?.explanation, report }
    }
    expect(await seen(header)).toEqual(await seen({}))
  })

  it('a secret in the name is hidden', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/customers', { headers: { 'x-sandbox-test': `uses-${fullKey}` } })
    expect(sandbox.requests.list()[0]?.test).toEqual({ name: 'uses-***', file: null })
  })

  it('a workspace for a test, over HTTP; a bad one is refused', async () => {
    const sandbox = await startSandbox()
    const post = (body: object) => askControl(sandbox, 'POST', '/workspaces', body)
    expect((await post({ name: 'w1', test: { name: 'a', file: 'b.py' } })).status).toBe(201)
    await sandbox.workspace('w1').fetch('/v2/customers')
    expect((await askControl(sandbox, 'GET', '/requests?workspace=w1&test=B.PY')).json).toMatchObject({
      requests: [{ test: { name: 'a', file: 'b.py' } }],
    })
    for (const test of [{}, { name: '' }, 'a', { name: 'a', line: 1 }])
      expect((await post({ test })).status).toBe(400)
  })
})
