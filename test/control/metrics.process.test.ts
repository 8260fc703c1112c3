import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { counted, samplesOf } from './metrics.ts'

describe('sandbox_requests_total', () => {
  it('counts over HTTP, in every workspace and over a reset; not the control plane and not what browsers send', async () => {
    const sandbox = await startSandbox()
    const { url } = await sandbox.listen()
    const headers = { authorization: 'Bearer sk_sandbox_full.w1' }
    await (await fetch(`${url}/v2/customers`, { headers })).text()
    sandbox.reset()
    sandbox.workspace('w1').reset()
    await sandbox.call('GET', '/v2/customers')
    await sandbox.fetch('/_sandbox/state')
    await sandbox.fetch('/favicon.ico')
    const preflight = { origin: 'http://localhost:3000', 'access-control-request-method': 'GET' }
    await sandbox.fetch('/v2/customers', { method: 'OPTIONS', headers: preflight })
    expect(await counted(sandbox)).toEqual({
      'sandbox_requests_total{operation="searchCustomers",status_class="2xx"}': 2,
    })
    const took = await samplesOf(sandbox, 'sandbox_request_duration_seconds')
    expect(took['sandbox_request_duration_seconds_count']).toBe(2)
    expect(took['sandbox_request_duration_seconds_bucket{le="+Inf"}']).toBe(2)
  })
})
