import { describe, expect, it } from 'vitest'
import { startSandbox } from '../helpers/sandbox.ts'
import { raw, request } from '../helpers/raw.ts'

describe('case 112: preflight', () => {
  it('two Origin headers on the wire -> none of them is allowed', async () => {
    const sandbox = await startSandbox()
    const answer = await raw(
      await sandbox.listen(),
      request('OPTIONS', '/v2/customers', {
        Origin: 'http://localhost:5173',
        origin: 'https://evil.example',
        'Access-Control-Request-Method': 'GET',
      }),
    )
    expect(answer.status).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })
})
