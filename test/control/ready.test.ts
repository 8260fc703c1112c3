// GET /_sandbox/ready, and what storage makes of health.
import { describe, expect, it, vi } from 'vitest'
import { createSandbox as buildSandbox } from '../../src/sandbox/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { monotonicNow } from '../../src/runtime/host.ts'
import { sandboxHealth } from '../../src/operations/health.ts'
import type { Ownership } from '../../src/workspaces/ownership.ts'
import { startSandbox } from '../helpers/sandbox.ts'

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

describe('with storage', () => {
  const healthOf = (isShared: boolean, away: string | undefined, damaged: ReadonlyMap<string, string>) => {
    const ownership = { isShared, health: { away, damaged, figures: {} } } as unknown as Ownership
    const { signal: closing } = new AbortController()
    return sandboxHealth({ started: monotonicNow(), workspaces: { ownership }, closing }).health()
  }
  const about = { version: expect.any(String), uptime_seconds: 0 }
  const none = new Map<string, string>()
  const some = new Map([['acme', 'acme.json: is damaged']])
  const why = 'redis://localhost:6379 does not answer'

  it.each([
    ['a store that answers', true, undefined, none, { status: 'ok', store: { status: 'ok' } }],
    ['a store that is away', true, why, none, { status: 'degraded', store: { status: 'away', reason: why } }],
    ['files', false, undefined, none, { status: 'ok' }],
    ['files of which one is damaged', false, undefined, some, { status: 'degraded', damaged: ['acme'] }],
  ] as const)('%s -> health says so', (_what, isShared, away, damaged, expected) => {
    expect(healthOf(isShared, away, damaged)).toEqual({ ...about, ...expected })
  })
})

describe('GET /_sandbox/health', () => {
  it('of a sandbox that cannot serve -> 503 with the mark of a sandbox, whatever the query', async () => {
    const sandbox = await buildSandbox()
    Object.assign(sandbox, { isServing: () => false })
    for (const path of ['/_sandbox/health', '/_sandbox/health?probe=1']) {
      const answer = await sandbox.fetch(path)
      expect([answer.status, answer.headers.get('x-sandbox')]).toEqual([503, 'partner-rewards-sandbox'])
      expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(sandbox.health())))
    }
  })
})
