import { once } from 'node:events'
import { createServer } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendToUrl } from '../../src/events/send-to-url.ts'
import { DocumentError } from '../../src/input/problems.ts'
import { serverCertificate } from '../../src/runtime/certificates.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { bin, launch } from '../helpers/processes.ts'

/** A receiver whose certificate nobody trusts. */
const receiver = createServer(
  serverCertificate(['localhost'], Date.now(), Buffer.alloc(16, 9)),
  (incoming, answer) => {
    incoming.resume().on('end', () => answer.writeHead(204).end())
  },
)
let port = 0

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  port = typeof address === 'object' && address ? address.port : 0
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})

describe('a receiver with a certificate of its own', () => {
  it('fails; with `insecure` it receives events', async () => {
    await using sandbox = await createSandbox({ webhooks: 'standard' })
    const url = `https://localhost:${port}/hook`
    sandbox.webhooks.add({ url })
    const added = sandbox.webhooks.add({ url, insecure: true })
    expect(added).toMatchObject({ insecure: true })
    expect(sandbox.webhooks.get(added.id)).toMatchObject({ insecure: true })
    const { id } = sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    const [checked, accepted] = sandbox.events.get(id)?.deliveries ?? []
    expect(checked).toMatchObject({ state: 'failed', reason: 'self-signed certificate in certificate chain' })
    expect(accepted).toMatchObject({ state: 'delivered', status: 204 })
  })

  it.each(['http://localhost:3000/', 'https://receiver.example/', 'https://10.0.0.1/'])(
    '%s with `insecure` -> refused: it is not https on this machine',
    async (url) => {
      await using sandbox = await createSandbox({ webhooks: 'standard' })
      expect(() => sandbox.webhooks.add({ url, insecure: true })).toThrow(DocumentError)
      expect(() => sandbox.webhooks.add({ url, insecure: true })).toThrow(
        'insecure: must be omitted, unless the url is https on this machine',
      )
    },
  )

  it('a name elsewhere is checked whatever the endpoint says, also if it leads to this machine', async () => {
    const sent = sendToUrl(
      `https://receiver.example:${port}/`,
      { headers: {}, body: '{}' },
      {
        allowed: { allows: () => true, refusal: () => '', refusalOf: () => undefined },
        resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
        insecure: true,
        signal: new AbortController().signal,
      },
    )
    await expect(sent).rejects.toThrow('self-signed certificate in certificate chain')
  })

  it('events listen --insecure forwards to it', { timeout: 60_000 }, async () => {
    await using sandbox = await createSandbox({ webhooks: 'standard' })
    const { url } = await sandbox.listen()
    const to = ['--forward-to', `https://localhost:${port}/hook`]
    const listener = launch([bin, 'events', 'listen', ...to, '--insecure', '--url', url])
    await listener.errUntil(/until Ctrl-C/)
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.waitFor({ type: 'reward.updated' })
    await sandbox.events.drain()
    listener.process.kill('SIGINT')
    await listener.ended
    expect(listener.out()).toMatch(/^evt_1 {2}reward\.updated {2}204 {2}/)
  })
})
