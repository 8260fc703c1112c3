// Workspaces with one owner, as the clients of two processes see them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../../src/index.ts'
import { packageRoot } from '../../src/runtime/host.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'
import { operatorToken } from '../helpers/partners.ts'
import { httpReceiver } from '../helpers/receiver.ts'
import type { Answered } from '../helpers/sandbox.ts'
import { Cable } from './cable.ts'
import { served, startShared, type SharedSandbox } from './two-processes.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const key = 'sk_sandbox_full.acme'
const amountOf = ({ status, json }: Answered): unknown => (status === 200 ? json.amount : status)

describeWithEngine('two processes on one engine', { timeout: 30_000 }, () => {
  let engine: RunningEngine

  beforeAll(async () => {
    engine = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
  })
  beforeEach(() => engine.cli('FLUSHALL'))
  afterAll(() => engine.stop())

  const start = (options?: SandboxOptions): Promise<SharedSandbox> => startShared(engine.url, options)
  const write = ({ call }: SharedSandbox, amount: number): Promise<Answered> =>
    call('PATCH', reward, { key, json: { amount } })
  const read = ({ call }: SharedSandbox): Promise<Answered> => call('GET', reward, { key })

  /** A sandbox whose connection to the engine can be held. */
  async function cabled(options?: SandboxOptions): Promise<{ sandbox: SharedSandbox; cable: Cable }> {
    const cable = await Cable.to(engine.port)
    const sandbox = await startShared(`redis://127.0.0.1:${cable.port}`, options)
    return { sandbox, cable }
  }

  it('reads while a write is being persisted -> are answered without another write', async () => {
    const a = await start()
    await read(a)
    for (let amount = 1; amount <= 20; amount += 1) {
      const writing = write(a, amount)
      const state = { isOver: false }
      void writing.then(() => (state.isOver = true))
      const reading: Promise<Answered>[] = []
      while (!state.isOver) {
        reading.push(read(a))
        await new Promise(setImmediate)
      }
      expect((await Promise.all(reading)).map(({ status }) => status)).not.toContain(503)
    }
  })

  it('a call at a process that is not the owner -> 503 with the owner, until the owner was idle', async () => {
    const [a, b] = [await start(), await start()]
    expect(amountOf(await write(a, 7))).toBe(7)
    const refused = await read(b)
    expect([refused.status, refused.headers.get('retry-after'), refused.requestId]).toEqual([503, '1', null])
    expect(refused.json.error.message).toContain(`Workspace 'acme' is owned by process ${process.pid} on `)
    // It answers while it is in use.
    expect(amountOf(await read(a))).toBe(7)
    expect(amountOf(await served(() => read(b)))).toBe(7)
    expect((await read(a)).status).toBe(503)
  })

  it('the owner is closed -> the other process has all that it acknowledged', async () => {
    const [a, b] = [await start(), await start()]
    await write(a, 7)
    const control = (sandbox: SharedSandbox, method: string, path: string, json?: unknown) =>
      sandbox.call(method, `/_sandbox${path}?workspace=acme`, { key: null, json })
    await control(a, 'PUT', '/snapshots/seven')
    await control(a, 'PUT', '/clock', { now: '2030-01-01T00:00:00Z', frozen: true })
    const { json: made } = await a.call('POST', '/v2/keys', { key })
    await write(a, 8)
    await control(a, 'PUT', '/scenarios/active', ['rate-limited'])
    await a.close()
    expect((await control(b, 'GET', '/clock')).json).toMatchObject({ now: '2030-01-01T00:00:00.000Z' })
    expect((await control(b, 'GET', '/scenarios/active')).text).toContain('rate-limited')
    await control(b, 'PUT', '/scenarios/active', [])
    expect(amountOf(await read(b))).toBe(8)
    expect((await b.call('GET', reward, { key: made.key })).status).toBe(200)
    await control(b, 'POST', '/snapshots/seven/restore')
    expect(amountOf(await read(b))).toBe(7)
  })

  it('the owner loses its lease -> its late write is refused, and it answers nothing stale', async () => {
    const { sandbox: a, cable } = await cabled()
    const b = await start()
    expect(amountOf(await write(a, 7))).toBe(7)
    cable.hold()
    const late = write(a, 8)
    expect(amountOf(await served(() => read(b)))).toBe(7)
    expect(amountOf(await write(b, 9))).toBe(9)
    expect((await read(a)).status).toBe(503)
    cable.mend()
    expect((await late).status).toBe(503)
    expect(amountOf(await served(() => read(a)))).toBe(9)
    cable.close()
  })

  it('request ids never repeat, whoever owns the workspace', async () => {
    const ids: (string | null)[] = []
    const note = async (sandbox: SharedSandbox): Promise<void> => {
      for (let call = 0; call < 3; call += 1) ids.push((await served(() => read(sandbox))).requestId)
    }
    const { sandbox: a, cable } = await cabled()
    const b = await start()
    await note(a)
    cable.cut()
    await note(b)
    await b.close()
    const c = await start()
    await note(c)
    expect([ids.includes(null), new Set(ids).size]).toEqual([false, 9])
    expect(ids.slice(0, 3)).toEqual(['req_acme_1', 'req_acme_2', 'req_acme_3'])
    cable.close()
  })

  it.each(['sk_wrong.nowhere', 'sk_sandbox_full_.nowhere'])(
    'a wrong key of an unknown workspace -> 401 at each process, and no workspace: %s',
    async (wrong) => {
      const [a, b] = [await start(), await start()]
      for (const { call } of [a, b]) {
        expect((await call('GET', reward, { key: wrong })).status).toBe(401)
        const { workspaces } = (await call('GET', '/_sandbox/workspaces', { key: null })).json
        expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['default'])
      }
    },
  )

  it('a workspace with its own fixtures -> the other process serves them', async () => {
    const [a, b] = [await start(), await start()]
    const text = readFileSync(join(packageRoot(), 'fixtures', 'default.json'), 'utf8')
    const fixtures: unknown = JSON.parse(text.replace('"amount": 252', '"amount": 77'))
    const made = await a.call('POST', '/_sandbox/workspaces', {
      key: null,
      json: { name: 'acme', fixtures },
    })
    expect(made.status).toBe(201)
    await a.close()
    expect(amountOf(await read(b))).toBe(77)
    await b.call('PATCH', reward, { key, json: { amount: 5 } })
    await b.call('POST', '/_sandbox/reset?workspace=acme', { key: null })
    expect(amountOf(await read(b))).toBe(77)
  })

  it('the control plane: the workspace of another owner -> 503; lists come from the store', async () => {
    const [a, b] = [await start(), await start()]
    await write(a, 7)
    for (const [method, path] of [
      ['GET', '/_sandbox/clock?workspace=acme'],
      ['POST', '/_sandbox/reset?workspace=acme'],
      ['GET', '/_sandbox/state?workspace=acme'],
      ['GET', '/_sandbox/requests?workspace=acme'],
      ['DELETE', '/_sandbox/workspaces/acme'],
    ] as const) {
      const { status, headers, text } = await b.call(method, path, { key: null })
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1'])
      expect(text).toContain(`owned by process ${process.pid}`)
      await read(a)
    }
    const { workspaces } = (await b.call('GET', '/_sandbox/workspaces', { key: null })).json
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'acme'])
    expect((await b.call('GET', '/_sandbox/coverage', { key: null })).status).toBe(200)
    expect((await b.call('GET', '/_sandbox/health', { key: null })).json).toMatchObject({ status: 'ok' })
  })

  it('the engine is away -> 503; back -> the owner continues', async () => {
    const own = await startEngine({ args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
    try {
      const a = await startShared(own.url)
      await write(a, 7)
      await own.kill('SIGKILL')
      const refused = await write(a, 8)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      await own.restart()
      expect([7, 8]).toContain(amountOf(await served(() => read(a))))
      expect(amountOf(await served(() => write(a, 9)))).toBe(9)
      await a.close()
    } finally {
      await own.stop()
    }
  })

  it('the owner of waiting deliveries crashes -> the other process delivers', async () => {
    let isUp = false
    let onDelivered = (): void => undefined
    const delivered = new Promise<void>((resolve) => (onDelivered = resolve))
    const receiver = await httpReceiver((request, answer) => {
      request.resume()
      answer.writeHead(isUp ? 204 : 500).end()
      if (isUp) onDelivered()
    })
    const options = { webhooks: 'standard' } as const
    const { sandbox: a, cable } = await cabled(options)
    await start(options)
    const json = { url: receiver.url }
    const path = '/_sandbox/webhook_endpoints?workspace=acme'
    await read(a)
    expect((await a.call('POST', path, { key: null, json })).status).toBe(201)
    await a.call('PATCH', reward, { key, json: { status: 'AVAILABLE' } })
    await receiver.reached
    isUp = true
    cable.cut()
    await delivered
    cable.close()
  })

  it('a key that the owner revoked is refused at the next owner', async () => {
    const options: SandboxOptions = { isolation: 'partner', adminToken: operatorToken }
    const [a, b] = [await start(options), await start(options)]
    const { json: made } = await a.call('POST', '/_sandbox/workspaces', {
      key: operatorToken,
      json: { name: 'acme' },
    })
    const rotate = '/_sandbox/workspaces/acme/rotate'
    const { json: rotated } = await a.call('POST', rotate, { key: made.admin_token })
    await a.close()
    const statuses = async (credentials: { api_key: string; admin_token: string }): Promise<number[]> => [
      (await b.call('GET', '/v2/customers', { key: credentials.api_key })).status,
      (await b.call('GET', '/_sandbox/clock', { key: credentials.admin_token })).status,
    ]
    expect(await statuses(made)).toEqual([401, 401])
    expect(await statuses(rotated)).toEqual([200, 200])
  })

  describe('eviction', () => {
    const names = async ({ call }: SharedSandbox): Promise<string[]> =>
      (await call('GET', '/_sandbox/workspaces', { key: null })).json.workspaces.map(
        ({ name }: { name: string }) => name,
      )

    it('by --workspace-ttl -> a workspace that no process uses is gone for all', async () => {
      const options: SandboxOptions = { workspaceTtl: '2s' }
      const [a, b] = [await start(options), await start(options)]
      await write(a, 7)
      expect(await names(b)).toEqual(['default', 'acme'])
      for (const sandbox of [a, b]) while ((await names(sandbox)).length > 1);
      expect(amountOf(await read(b))).toBe(252)
    })

    it('by --max-workspaces -> the workspace that was idle for longest makes room', async () => {
      const [a, b] = [await start({ maxWorkspaces: 2 }), await start({ maxWorkspaces: 2 })]
      for (const name of ['one', 'two']) await a.call('GET', reward, { key: `sk_sandbox_full.${name}` })
      const third = () => b.call('GET', reward, { key: 'sk_sandbox_full.three' })
      expect((await served(third)).status).toBe(200)
      expect(await names(a)).toEqual(['default', 'two', 'three'])
    })
  })
})
