import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { asFetch } from '../../../../src/inspector/page/copies/as-fetch.ts'
import { lookedAt, type Sent } from './called.ts'

const run = promisify(execFile)
const reward = '/v2/rewards/rwd_ada_pending'
const patch = { method: 'PATCH', path: reward }
const basic = `Basic ${Buffer.from('sk_sandbox_full:').toString('base64')}`

const calls: [string, Sent][] = [
  ['a read', { path: reward }],
  ['Basic', { path: reward, headers: { authorization: basic } }],
  ['no key', { path: reward, key: null }],
  ['a change', { ...patch, body: { amount: 7, 'odd name': `it's "quoted" \${HOME} \\ é 😀 \u2028` } }],
  ['a name that objects inherit by', { ...patch, body: '{"__proto__":{"a":1}}' }],
  ['a text', { ...patch, body: "first\n'second'\\" }],
  ['exact numbers', { ...patch, body: '{"amount":12345678901234567890}' }],
  ['headers', { path: reward, headers: { 'x-service-version': '2025-05-05', 'x-note': "it's" } }],
]

describe('fetch', () => {
  it('writes a program as people would', async () => {
    const { entryOf } = await lookedAt()
    const entry = await entryOf({ ...patch, body: { amount: 7, metadata: { 'a b': [] } } })
    expect(asFetch(entry, 'http://localhost:4010')).toBe(
      `const response = await fetch('http://localhost:4010/v2/rewards/rwd_ada_pending', {
  method: 'PATCH',
  headers: {
    authorization: \`Bearer \${process.env.SANDBOX_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    amount: 7,
    metadata: {
      'a b': [],
    },
  }),
})
console.log(response.status, await response.text())
`,
    )
  })

  it.each(calls)('%s', async (_what, sent) => {
    const { sandbox, entryOf, last } = await lookedAt()
    const first = await entryOf(sent)
    const { url } = await sandbox.listen({ port: 0 })
    const program = ['--input-type=module', '-e', asFetch(first, url)]
    const { stdout } = await run(process.execPath, program, {
      env: { ...process.env, SANDBOX_API_KEY: 'sk_sandbox_full' },
    })
    const again = await last()
    expect(again.id).not.toBe(first.id)
    expect(stdout).toMatch(new RegExp(`^${again.status} `))
    const reported = ({ method, path, query, key_id: key, request }: typeof first) => {
      return { method, path, query, key, body: request.body, note: request.headers['x-note'] }
    }
    expect(reported(again)).toEqual(reported(first))
  })
})
