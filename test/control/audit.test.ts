import { describe, expect, it } from 'vitest'
import type { ControlCall } from '../../src/control/audit.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { testNow } from '../helpers/sandbox.ts'

/** The audit trail of the calls that `act` makes, without their durations. */
async function trailOf(
  act: (sandbox: Sandbox) => Promise<unknown>,
  options: SandboxOptions = {},
): Promise<Omit<ControlCall, 'duration_ms'>[]> {
  const calls: ControlCall[] = []
  await using sandbox = await createSandbox(
    { clock: testNow, ...options },
    { onControl: (call) => calls.push(call) },
  )
  await act(sandbox)
  return calls.map(({ duration_ms: took, ...call }) => {
    expect(took).toBeGreaterThanOrEqual(0)
    return call
  })
}

describe('the audit trail of the control plane', () => {
  it('has each call that was to change something, and where', async () => {
    const trail = await trailOf(async (sandbox) => {
      await askControl(sandbox, 'POST', '/clock/advance?workspace=w1', { days: 1 })
      await askControl(sandbox, 'PATCH', '/state/rewards/nobody', {})
      await askControl(sandbox, 'DELETE', '/requests')
    })
    const ofCall = { workspace: 'default', query: '' }
    expect(trail).toEqual([
      {
        method: 'POST',
        path: '/_sandbox/clock/advance',
        query: 'workspace=w1',
        workspace: 'w1',
        status: 200,
        outcome: 'success',
      },
      {
        ...ofCall,
        method: 'PATCH',
        path: '/_sandbox/state/rewards/nobody',
        status: 404,
        outcome: 'not_found',
      },
      { ...ofCall, method: 'DELETE', path: '/_sandbox/requests', status: 204, outcome: 'success' },
    ])
  })

  it('has nothing of what only reads, nor of the API', async () => {
    const trail = await trailOf(async (sandbox) => {
      for (const path of ['', '/', '/clock', '/state', '/health', '/nothing'])
        await askControl(sandbox, 'GET', path)
      await askControl(sandbox, 'HEAD', '/clock')
      await askControl(sandbox, 'POST', '/requests/verify', {})
      await sandbox.workspace('default').fetch('/v2/keys', { method: 'POST' })
    })
    expect(trail).toEqual([])
  })

  it('has a call that was refused at the door, and never a token, key or card number', async () => {
    const trail = await trailOf(
      async (sandbox) => {
        await askControl(sandbox, 'POST', '/reset?token=t0ken&workspace=t0ken')
        await askControl(sandbox, 'DELETE', '/state/api_keys/sk_sandbox_full', undefined, {
          authorization: 'Bearer wrong',
        })
        await askControl(sandbox, 'DELETE', '/state/payment_methods/4242424242424242')
      },
      { adminToken: 't0ken' },
    )
    expect(trail.every(({ status, outcome }) => status === 401 && outcome === 'unauthenticated')).toBe(true)
    expect(trail.map(({ path, query, workspace }) => [path, query, workspace])).toEqual([
      ['/_sandbox/reset', 'token=***&workspace=***', '***'],
      ['/_sandbox/state/api_keys/***', '', 'default'],
      ['/_sandbox/state/payment_methods/************4242', '', 'default'],
    ])
  })
})
