import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { patient } from '../helpers/patient.ts'
import { parseAnswers, readToEnd, request } from '../helpers/raw.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
const unusable = { error: { type: 'UNAUTHORIZED_ERROR', message: 'The API key is not usable here.' } }

describe('a call whose body is still coming', () => {
  it('over a socket, as the bytes come in', async () => {
    const sandbox = await startSandbox()
    const { key } = (await sandbox.call('POST', '/v2/keys')).json
    const { port } = await sandbox.listen()
    let probes = 0
    const calls = [key, fullKey].map((bearer) => {
      const body = JSON.stringify(intent)
      const bytes = request(
        'POST',
        intents,
        {
          Authorization: `Bearer ${bearer}`,
          'Content-Type': 'application/json',
          'Content-Length': String(body.length),
        },
        body,
      )
      const socket = connect(port, '127.0.0.1')
      socket.write(bytes.slice(0, -10))
      return { socket, rest: bytes.slice(-10), answer: readToEnd(socket) }
    })
    // Calls are numbered as they are judged: the key, these two, and the one that asks.
    await vi.waitFor(async () => {
      const { requestId } = await sandbox.call('GET', '/v2/customers')
      expect(Number(requestId?.split('_').at(-1))).toBeGreaterThan(calls.length + 1 + probes++)
    }, patient)
    sandbox.reset()
    for (const { socket, rest } of calls) socket.write(rest)
    const [gone, fine] = await Promise.all(calls.map(async ({ answer }) => parseAnswers(await answer)[0]))
    expect([gone?.status, gone?.json]).toEqual([401, unusable])
    expect([fine?.status, sandbox.state.size('transaction_intents')]).toEqual([
      200,
      (await startSandbox()).state.size('transaction_intents') + 1,
    ])
  })
})
