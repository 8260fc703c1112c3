import { describe, expect, it } from 'vitest'
import { askControl } from '../helpers/control.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

describe('GET /_sandbox/requests', () => {
  it('case 122: shows no Authorization and no card number, and no call of the control plane', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const pan = '4242424242424242'
    for (const authorization of [`Bearer ${fullKey}`, `Basic ${btoa(`${fullKey}:`)}`, 'Bearer nobody']) {
      await fetch(`${url}/v2/payment_methods?pan=${pan}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'x-seen': `card ${pan}` },
        body: JSON.stringify({ pan }),
      })
    }
    await askControl(sandbox, 'GET', '/requests')
    const text = await (await fetch(`${url}/_sandbox/requests`)).text()
    const { requests } = JSON.parse(text) as {
      requests: { id: string; request: { headers: object; body: unknown } }[]
    }
    expect(requests.map(({ id }) => id)).toEqual(['req_default_3', 'req_default_2', 'req_default_1'])
    for (const { request } of requests) {
      expect(request.headers).toMatchObject({ authorization: '***', 'x-seen': 'card ************4242' })
    }
    // A call that is refused for its key is not read any further.
    const masked = { pan: '************4242' }
    expect(requests.map(({ request }) => request.body)).toEqual([null, masked, masked])
    for (const hidden of [pan, fullKey, btoa(`${fullKey}:`), 'nobody']) expect(text).not.toContain(hidden)
  })
})
