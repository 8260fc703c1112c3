import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { asCurl } from '../../../../src/inspector/page/copies/as-curl.ts'
import { lookedAt, type Sent } from './called.ts'

const run = promisify(execFile)
const reward = '/v2/rewards/rwd_ada_pending'
const patch = { method: 'PATCH', path: reward }
const basic = `Basic ${Buffer.from('sk_sandbox_full:').toString('base64')}`
const pair = `Basic ${Buffer.from('key_full:secret_full').toString('base64')}`

const lines: [string, Sent, string][] = [
  ['a read', { path: reward }, `-H "Authorization: Bearer $SANDBOX_API_KEY"`],
  ['Basic', { path: reward, headers: { authorization: basic } }, `-u "$SANDBOX_API_KEY:"`],
  ['a key id and its secret', { path: reward, headers: { authorization: pair } }, `-u "$SANDBOX_API_KEY:"`],
  ['no key', { path: reward, key: null }, 'curl -i \\\n  http'],
  ['a change', { ...patch, body: { amount: 7 } }, `-X PATCH`],
  [
    'a post',
    { method: 'POST', path: '/v2/payment_methods', body: { customer_id: 'cus_ada' } },
    `--data-raw '{"customer_id":"cus_ada"}'`,
  ],
  ['a HEAD', { method: 'HEAD', path: reward }, '--head'],
  [
    'quotes',
    { ...patch, body: { metadata: { a: `it's "quoted" $HOME \`id\` \\ !x` } } },
    String.raw`it'\''s`,
  ],
  ['Unicode', { ...patch, body: { metadata: { a: 'Zoë 😀 \u2028 \u0007 \u007f' } } }, 'Zoë 😀'],
  ['several lines', { ...patch, body: 'first\nsecond\n' }, "'first\nsecond\n'"],
  ['control characters', { ...patch, body: "a\r\n\t\0b'\\" }, String.raw`$'a\015\012\011\000b\'\\'`],
  ['an @ in front', { ...patch, body: '@/etc/passwd' }, '--data-raw @/etc/passwd'],
  ['exact numbers', { ...patch, body: '{"amount":12345678901234567890}' }, '12345678901234567890'],
  [
    'a header',
    { path: reward, headers: { 'x-service-version': '2025-05-05' } },
    `-H 'x-service-version: 2025-05-05'`,
  ],
  ['an empty header', { path: reward, headers: { 'x-note': '' } }, `-H 'x-note;'`],
  ['brackets', { path: '/v2/customers?a[b]=%7B{c}&d=%20e' }, '--globoff'],
]

describe('curl', () => {
  it.each(lines)('%s', async (_what, sent, part) => {
    const { sandbox, entryOf, last } = await lookedAt()
    const first = await entryOf(sent)
    const { url } = await sandbox.listen({ port: 0 })
    const line = asCurl(first, url)
    expect(line).toContain(part)
    expect(line).not.toContain('sk_sandbox_full')
    // A text with a NUL cannot be an argument of a program.
    if (line.includes(String.raw`\000`)) return
    sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'PENDING' })
    await run('bash', ['-c', line], { env: { ...process.env, SANDBOX_API_KEY: 'sk_sandbox_full' } })
    const again = await last()
    expect(again.id).not.toBe(first.id)
    const reported = ({ method, path, query, status, key_id: key, request }: typeof first) => {
      return { method, path, query, status, key, body: request.body, note: request.headers['x-note'] }
    }
    expect(reported(again)).toEqual(reported(first))
    expect(again.request.headers['content-type']).toBe(first.request.headers['content-type'])
  })
})
