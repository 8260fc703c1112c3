import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { request as rawRequest } from '../helpers/raw.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const large = Buffer.alloc(8 * 1024 * 1024, 'x')

/** A client that closes its connection after each call, as many do. */
function post(url: string, headers: Record<string, string>): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent: false, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    sent.end(large)
  })
}

test.each([
  ['another media type', 415, { authorization: 'Bearer sk_sandbox_full', 'content-type': 'text/plain' }],
  ['no usable key', 401, { authorization: 'Bearer nobody', 'content-type': 'application/json' }],
])('case 48: 8 MiB with %s -> %i, seen by each of 30 clients at once', async (_, status, headers) => {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => post(`${url}/v2/transaction_intents`, headers)),
  )
  expect(answers).toEqual(Array.from({ length: 30 }, () => status))
})

test.each<[string, string, number]>([
  ['DELETE', '/v2/order_events/ord_ada_1', 204],
  ['OPTIONS', '/v2/customers', 204],
  ['HEAD', '/v2/rewards/rwd_ada_pending', 200],
])('%s %s with a body that never comes -> %i at once', async (method, path, status) => {
  const sandbox = await startSandbox()
  const { port } = await sandbox.listen()
  const client = connect(port, '127.0.0.1')
  const headers = { Authorization: 'Bearer sk_sandbox_full', 'Content-Length': '5', Connection: null }
  client.write(rawRequest(method, path, headers))
  const [first] = (await once(client, 'data')) as [Buffer]
  expect(first.toString('latin1')).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  client.destroy()
})

test('case 17: POST /v2/keys with a chunked body of no bytes and no type -> 200', async () => {
  const sandbox = await startSandbox()
  const { url } = await sandbox.listen()
  const status = await new Promise((resolve) => {
    const sent = request(
      `${url}/v2/keys`,
      {
        method: 'POST',
        headers: { authorization: 'Bearer sk_sandbox_full', 'transfer-encoding': 'chunked' },
      },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    sent.end()
  })
  expect(status).toBe(200)
})
