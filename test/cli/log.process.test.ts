import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { folderWith, serve, withKey } from '../helpers/fake-io.ts'
import { readToEnd } from '../helpers/raw.ts'

const hostile = { 'x\n\u001b[31m201 POST /forged 4242424242424242': 1 }

describe('what a client sends stays on one line and shows no secret', () => {
  test.each(['pretty', 'json'])('in format %s', async (format) => {
    const { stderr } = await serve(
      ['--log-format', format, '--assume', 'unknown_body_fields=refuse'],
      { cwd: await folderWith() },
      async ({ fetch }) => {
        await fetch('/v2/payment_methods/4242424242424242', withKey())
        await fetch('/v2/customers', {
          headers: { ...withKey().headers, 'x-service-version': 'sk_sandbox_none' },
        })
        await fetch('/v2/transaction_intents', {
          method: 'POST',
          headers: { ...withKey().headers, 'content-type': 'application/json' },
          body: JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD', ...hostile }),
        })
      },
    )
    const [, ...lines] = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.includes('payment methods') && !/\bStopped\b|"stop"|^Inspector:/.test(line))
    expect(lines).toHaveLength(3)
    expect(stderr).not.toContain('4242424242424242')
    expect(stderr).not.toContain('\u001b')
    expect(lines.join('\n')).not.toContain('sk_sandbox_none')
  })
})

test.each(['pretty', 'json'])(
  'an error answer that is no JSON is logged, and sent as it is: %s',
  async (format) => {
    const statuses: number[] = []
    const { stderr } = await serve(
      ['--log-format', format],
      { cwd: await folderWith() },
      async ({ fetch }) => {
        for (const scenario of ['html-gateway-error', 'truncated', 'rate-limited']) {
          const headers = { ...withKey().headers, 'x-sandbox-scenario': scenario }
          const answer = await fetch('/v2/rewards/rwd_ada_pending', { headers })
          statuses.push(answer.status)
          await answer.text().catch(() => '')
        }
      },
    )
    expect(statuses).toEqual([502, 200, 429])
    expect(stderr).toMatch(/502/)
    expect(stderr).not.toMatch(/bug/)
  },
)

test('why a call was refused, also where its answer is not shown or too long to be kept', async () => {
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`unknown_field_${at}`, 1]))
  const { stderr } = await serve(
    ['--assume', 'unknown_body_fields=refuse'],
    { cwd: await folderWith() },
    async ({ fetch }) => {
      await fetch('/v2/rewards/rwd_nobody', { ...withKey(), method: 'HEAD' })
      await fetch('/v2/transaction_intents', {
        method: 'POST',
        headers: { ...withKey().headers, 'content-type': 'application/json' },
        body: JSON.stringify(many),
      })
    },
  )
  expect(stderr).toMatch(
    /^404 HEAD \/v2\/rewards\/rwd_nobody \(default req_default_1\) No reward has this reward_id\.$/m,
  )
  expect(stderr).toMatch(
    /^400 POST \/v2\/transaction_intents \(default req_default_2\) customer_id: is required; /m,
  )
})

test.each([
  [
    'a method in lower case',
    'patch /v2/x HTTP/1.1\r\n\r\n',
    'patch /v2/x',
    'Methods are case-sensitive: PATCH, not patch.',
  ],
  ['TLS', '\u0016\u0003\u0001', '-', 'This port speaks http, not https: use http:// in the URL.'],
])('a request that is refused before it is read, %s, has a line', async (_what, bytes, call, why) => {
  const { stderr } = await serve([], { cwd: await folderWith() }, async ({ url }) => {
    const { port } = new URL(url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(Buffer.from(bytes, 'latin1'))
    await readToEnd(socket)
  })
  expect(stderr).toContain(`400 ${call} (default req_default_1) ${why}\n`)
})
