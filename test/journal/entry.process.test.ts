import { describe, expect, it } from 'vitest'
import { sendRaw } from '../helpers/wire.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'

describe('an entry', () => {
  it('of a header that was sent twice over a socket: both values', async () => {
    const sandbox = await startSandbox()
    const server = await sandbox.listen()
    const lines = [
      'Host: localhost',
      `Authorization: Bearer ${fullKey}`,
      'X-Run: a',
      'x-RUN: b',
      'Connection: close',
    ]
    await sendRaw(server, [`GET ${reward}?q=1 HTTP/1.1`, ...lines, '', ''].join('\r\n'))
    expect(sandbox.requests.list()[0]?.request).toEqual({
      headers: { host: 'localhost', authorization: '***', 'x-run': ['a', 'b'], connection: 'close' },
      query: { q: '1' },
      body: null,
    })
  })
})

describe('what is journalled', () => {
  it('case 122: no call of the control plane, no document, nothing that is not of the API', async () => {
    const sandbox = await startSandbox()
    const { json } = await sandbox.call('GET', '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1')
    sandbox.requests.clear()
    const { url } = await sandbox.listen()
    for (const door of [sandbox.fetch, (path: string) => fetch(new URL(path, url))]) {
      expect((await door(new URL(json.data[0].pdf_url).href.replace(/^https?:\/\/[^/]+/, ''))).status).toBe(
        200,
      )
      expect((await door('/_sandbox/health')).status).toBe(200)
      expect((await door('/_sandbox/requests')).status).toBe(200)
      expect((await door('/_sandbox/nothing')).status).toBe(404)
      expect((await door('/')).status).toBe(200)
    }
    expect(sandbox.requests.list()).toEqual([])
  })
})
