import createClient from 'openapi-fetch'
import { describe, expect, it } from 'vitest'
import { startSandbox, testNow } from '../helpers/sandbox.ts'
import type { paths } from './typescript/control.generated.ts'

describe('a client that was generated from the OpenAPI document of the control plane', () => {
  it('writes a row, and resets the workspace', async () => {
    const sandbox = await startSandbox()
    const api = createClient<paths>({ baseUrl: 'http://localhost', fetch: sandbox.fetch })
    const written = await api.PATCH('/_sandbox/state/{collection}/{id}', {
      params: { path: { collection: 'rewards', id: 'rwd_ada_pending' } },
      body: { status: 'AVAILABLE' },
    })
    expect(written.data).toMatchObject({ status: 'AVAILABLE' })
    const { data, error } = await api.POST('/_sandbox/reset', { body: { ids: 'continue' } })
    expect([data, error]).toEqual([
      { workspace: 'default', rows: 105, clock: { now: testNow, frozen: true } },
      undefined,
    ])
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ status: 'PENDING' })
  })

  it('moves the clock of another workspace, and reads a refusal', async () => {
    const sandbox = await startSandbox()
    const api = createClient<paths>({ baseUrl: 'http://localhost', fetch: sandbox.fetch })
    const query = { workspace: 'w1' }
    const moved = await api.POST('/_sandbox/clock/advance', { params: { query }, body: { days: 1 } })
    expect(moved.data?.now).toBe(sandbox.workspace('w1').clock.now())
    expect(sandbox.clock.now()).toBe(testNow)
    const refused = await api.POST('/_sandbox/clock/advance', { body: { days: -1 } })
    expect(refused.error?.error).toMatchObject({
      type: 'INVALID',
      message: expect.stringMatching(/only moves forward/),
    })
  })
})
