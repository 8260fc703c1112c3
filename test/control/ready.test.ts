// GET /_sandbox/ready, and what a shared store makes of it and of health.
import { describe, expect, it, vi } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { monotonicNow } from '../../src/runtime/host.ts'
import { sandboxHealth } from '../../src/operations/sandbox-health.ts'
import { startSandbox } from '../helpers/sandbox.ts'

type StoreStatus = Parameters<typeof sandboxHealth>[0]['storage']

const ending = 'The sandbox is shutting down: it finishes calls in flight and takes no new ones.'

async function ask(sandbox: Pick<Awaited<ReturnType<typeof createSandbox>>, 'fetch'>, init?: RequestInit) {
  const answer = await sandbox.fetch('/_sandbox/ready', init)
  return [answer.status, answer.headers.get('content-type'), await answer.text()]
}

describe('GET /_sandbox/ready', () => {
  it('of a sandbox that serves -> 200 {"status":"ready"}; HEAD without the body', async () => {
    const sandbox = await startSandbox()
    expect(await ask(sandbox)).toEqual([200, 'application/json', '{"status":"ready"}'])
    expect(await ask(sandbox, { method: 'HEAD' })).toEqual([200, 'application/json', ''])
    expect(sandbox.ready()).toEqual({ ready: true })
  })

  it('of one that drains -> 503 with the reason, and calls are answered', async () => {
    const sandbox = await startSandbox()
    sandbox.drain()
    const body = JSON.stringify({ status: 'not_ready', reason: ending })
    expect(await ask(sandbox)).toEqual([503, 'application/json', body])
    expect(await ask(sandbox, { method: 'HEAD' })).toEqual([503, 'application/json', ''])
    expect(sandbox.ready()).toEqual({ ready: false, reason: ending })
    expect((await sandbox.call('GET', '/v2/customers')).status).toBe(200)
    expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
  })

  it('of one that closes -> 503', async () => {
    const sandbox = await startSandbox()
    const closed = sandbox.close()
    expect((await ask(sandbox))[0]).toBe(503)
    await closed
  })

  it('is open, also where the control plane is not, and in no audit trail', async () => {
    const onControl = vi.fn()
    const sandbox = await createSandbox({ admin: 'off' }, { onControl })
    expect((await ask(sandbox, { headers: { origin: 'https://evil.test' } }))[0]).toBe(200)
    expect((await ask(sandbox, { method: 'POST' }))[0]).toBe(405)
    expect((await sandbox.fetch('/_sandbox/ready?workspace=nobody')).status).toBe(200)
    expect(sandbox.workspaces.list()).toHaveLength(1)
    await sandbox.close()
  })
})

describe('with a store that several processes share', () => {
  const well: StoreStatus = { isWell: true, damaged: [], status: { status: 'ok' }, notCaughtUp: undefined }
  const stored = (storage: StoreStatus) =>
    sandboxHealth({
      started: monotonicNow(),
      storage,
      closing: new AbortController().signal,
    })
  const perReplica = ['findings', 'streams', 'metrics', 'uptime', 'audit log']
  const away = { status: 'away', reason: 'redis://localhost:6379 does not answer.' } as const

  it.each([
    ['there', { status: 'ok' }, true, 'ok'],
    ['away', away, false, 'degraded'],
    ['there, and a file is not', { status: 'ok' }, false, 'degraded'],
  ] as const)('that is %s -> health says so and what is per replica', (_what, store, isSaving, status) => {
    expect(stored({ ...well, isWell: isSaving, status: store }).health()).toEqual({
      status,
      version: expect.any(String),
      uptime_seconds: 0,
      store: { ...store, per_replica: perReplica },
    })
  })

  it('not caught up -> not ready, with its reason; caught up -> ready; draining -> not ready', () => {
    let notCaughtUp: string | undefined = 'Two workspaces are still read.'
    const store = Object.defineProperty({ ...well }, 'notCaughtUp', { get: () => notCaughtUp })
    const { ready, drain } = stored(store)
    expect(ready()).toEqual({ ready: false, reason: 'Two workspaces are still read.' })
    notCaughtUp = undefined
    expect(ready()).toEqual({ ready: true })
    drain()
    expect(ready()).toEqual({ ready: false, reason: ending })
  })
})
