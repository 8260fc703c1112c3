import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { createSandbox as createTried } from '../../src/sandbox/index.ts'
import { idleCheckInterval } from '../../src/workspaces/eviction.ts'
import { EventReader } from '../helpers/event-stream.ts'
import { ask, bearer, operator, partnerOptions } from '../helpers/partners.ts'
import { patient } from '../helpers/patient.ts'
import { startSandbox } from '../helpers/sandbox.ts'
import { openUses } from '../helpers/uses.ts'

const hang = {
  name: 'hang',
  description: 'Calls that ask for it hang.',
  rules: [{ on: '*', when: { headers: { 'x-hang': 'yes' } }, effect: { transport: 'hang' } }],
}
const minute = 60_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Real time passes without a call. */
const pass = (milliseconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)
const names = ({ workspaces }: Sandbox): string[] => workspaces.list().map(({ name }) => name)
const start = (workspaceTtl: string, options: SandboxOptions = {}): ReturnType<typeof startSandbox> =>
  startSandbox({ workspaceTtl, ...options } as SandboxOptions)

/** Calls in a workspace, each a while after the one before, so that it is known who was idle for longest. */
async function callIn(sandbox: Sandbox, ...all: string[]): Promise<void> {
  for (const name of all) {
    await sandbox.fetch('/v2/customers', { headers: { authorization: `Bearer sk_sandbox_full.${name}` } })
    await pass(1)
  }
}

describe('--workspace-ttl', () => {
  it('a workspace that nobody used for so long -> it is gone, and begins anew; default stays', async () => {
    const sandbox = await start('15m')
    await callIn(sandbox, 'a')
    sandbox.workspace('a').state.delete('order_events', 'ord_ada_1')
    await pass(14 * minute)
    expect(names(sandbox)).toEqual(['default', 'a'])
    await pass(2 * minute)
    expect(names(sandbox)).toEqual(['default'])
    expect(sandbox.workspace('a').state.get('order_events', 'ord_ada_1')).toBeDefined()
  })

  it('the log names those that go, at most 20 in a line', async () => {
    const said: string[] = []
    const sandbox = await createTried({ workspaceTtl: '15m' }, { onNotice: (line) => said.push(line) })
    onTestFinished(() => sandbox.close())
    const all = Array.from({ length: 22 }, (_, index) => `w${index + 1}`)
    await pass(minute / 2)
    await callIn(sandbox, ...all)
    await pass(16 * minute)
    expect(names(sandbox)).toEqual(['default'])
    expect(said).toEqual([
      `these workspaces were idle for 15m (--workspace-ttl), so they are deleted: ${all.slice(0, 20).join(', ')} and 2 more`,
    ])
  })

  it.each<[string, (sandbox: Sandbox) => Promise<unknown>]>([
    ['a call of the API', (sandbox) => callIn(sandbox, 'a')],
    ['a refused call of the API', (sandbox) => sandbox.workspace('a').fetch('/v2/nothing')],
    ['a request of the control plane', (sandbox) => sandbox.fetch('/_sandbox/clock?workspace=a')],
    ['getting hold of it', async (sandbox) => sandbox.workspace('a')],
  ])('%s is a use', async (_, use) => {
    const sandbox = await start('15m')
    sandbox.workspace('a')
    await pass(10 * minute)
    await use(sandbox)
    await pass(10 * minute)
    expect(names(sandbox)).toEqual(['default', 'a'])
    await pass(6 * minute)
    expect(names(sandbox)).toEqual(['default'])
  })

  it('a use of the copy of a partner is one of the workspace that it is a copy of', async () => {
    const sandbox = await start('15m', partnerOptions)
    const { json: acme } = await ask(sandbox, 'POST', '/_sandbox/workspaces', operator, { name: 'acme' })
    const token = bearer(acme.admin_token)
    await ask(sandbox, 'GET', '/v2/customers', bearer(acme.api_key))
    await ask(sandbox, 'POST', '/_sandbox/requests/req_acme_1/replay', token)
    const both = ['default', 'acme', 'acme-replay-1']
    const signal = new AbortController()
    const stream = await sandbox.fetch('/_sandbox/stream?workspace=acme-replay-1', {
      headers: { authorization: token },
      signal: signal.signal,
    })
    expect(stream.status).toBe(200)
    await pass(60 * minute)
    expect(names(sandbox)).toEqual(both)
    signal.abort()
    await pass(10 * minute)
    await ask(sandbox, 'GET', '/v2/customers', bearer(`${acme.api_key}-replay-1`))
    await pass(10 * minute)
    expect(names(sandbox)).toEqual(both)
    await pass(10 * minute)
    expect(names(sandbox)).toEqual(['default'])
  })

  it.each<[string, (sandbox: Sandbox) => unknown]>([
    ['the list', (sandbox) => sandbox.fetch('/_sandbox/workspaces')],
    ['one of the list', (sandbox) => sandbox.fetch('/_sandbox/workspaces/a')],
    ['the clock of the sandbox', (sandbox) => sandbox.workspaces.get('a')],
    [
      'a key that nobody knows',
      (sandbox) => sandbox.fetch('/v2/customers', { headers: { authorization: 'Bearer no.a' } }),
    ],
  ])('%s is no use', async (_, look) => {
    const sandbox = await start('15m')
    sandbox.workspace('a')
    await pass(10 * minute)
    await look(sandbox)
    await pass(6 * minute)
    expect(names(sandbox)).toEqual(['default'])
  })

  it('a call that hangs -> its workspace stays for ever, and goes a while after its client did', async () => {
    const sandbox = await start('30s', { scenarios: [hang] })
    const client = new AbortController()
    const headers = { authorization: 'Bearer sk_sandbox_full.a', 'x-hang': 'yes' }
    const call = sandbox.fetch('/v2/customers', { headers, signal: client.signal }).catch(() => 'gone')
    await vi.waitFor(() => expect(openUses(sandbox)).toEqual({ a: 1 }), patient)
    await pass(10 * minute)
    expect(names(sandbox)).toEqual(['default', 'a'])
    client.abort()
    expect(await call).toBe('gone')
    await pass(15_000)
    expect(names(sandbox)).toEqual(['default', 'a'])
    await pass(30_000)
    expect(names(sandbox)).toEqual(['default'])
  })

  it('a stream -> its workspace stays for ever, and goes a while after it was left', async () => {
    const sandbox = await start('30s')
    const reader = new EventReader(await sandbox.fetch('/_sandbox/stream?workspace=a'))
    await pass(10 * minute)
    expect(names(sandbox)).toEqual(['default', 'a'])
    await reader.cancel()
    await pass(60_000)
    expect(names(sandbox)).toEqual(['default'])
  })

  it('the clock of a workspace -> it is idle in real time, whatever that shows', async () => {
    const sandbox = await start('1s')
    sandbox.workspace('a').clock.advance({ days: 400 })
    await pass(500)
    expect(names(sandbox)).toEqual(['default', 'a'])
    await pass(1_000)
    expect(names(sandbox)).toEqual(['default'])
  })

  it('no ttl -> they stay', async () => {
    const sandbox = await startSandbox()
    sandbox.workspace('a')
    await pass(365 * 24 * 60 * minute)
    expect(names(sandbox)).toEqual(['default', 'a'])
  })

  it('closed -> nothing looks any more', async () => {
    const sandbox = await start('1s')
    await sandbox.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('deleted by hand while it is used -> as without a ttl: the name is free at once', async () => {
    const sandbox = await start('30s', { scenarios: [hang] })
    const client = new AbortController()
    const headers = { authorization: 'Bearer sk_sandbox_full.a', 'x-hang': 'yes' }
    const call = sandbox.fetch('/v2/customers', { headers, signal: client.signal }).catch(() => 'gone')
    await vi.waitFor(() => expect(openUses(sandbox)).toEqual({ a: 1 }), patient)
    expect(sandbox.workspaces.delete('a')).toBe(true)
    await callIn(sandbox, 'a')
    expect(openUses(sandbox)).toEqual({})
    client.abort()
    expect(await call).toBe('gone')
    expect(openUses(sandbox)).toEqual({})
    await pass(minute)
    expect(names(sandbox)).toEqual(['default'])
  })

  it.each([
    [1_000, 250],
    [100, 100],
    [30_000, 7_500],
    [86_400_000, 60_000],
  ])('idle for %d ms -> it is looked every %d ms', (ttl, every) => {
    expect(idleCheckInterval(ttl)).toBe(every)
  })
})

describe('--max-workspaces with a ttl', () => {
  const full = { maxWorkspaces: 2 }

  it('one too many -> the longest idle one goes for it', async () => {
    const sandbox = await start('24h', full)
    await callIn(sandbox, 'a', 'b', 'a', 'c')
    expect(names(sandbox)).toEqual(['default', 'a', 'c'])
    await sandbox.workspaces.create({ name: 'd' })
    expect(names(sandbox)).toEqual(['default', 'c', 'd'])
    sandbox.workspace('e')
    expect(names(sandbox)).toEqual(['default', 'd', 'e'])
  })

  it('the log names the one that goes', async () => {
    const said: string[] = []
    const sandbox = await createTried(
      { maxWorkspaces: 1, workspaceTtl: '24h' },
      { onNotice: (line) => said.push(line) },
    )
    onTestFinished(() => sandbox.close())
    await callIn(sandbox, 'a', 'b')
    expect(said).toEqual([
      'no room for another workspace (--max-workspaces 1), so the workspace that was idle longest is deleted: a',
    ])
  })

  it('one that is in use -> the next one goes', async () => {
    const sandbox = await start('24h', full)
    const reader = new EventReader(await sandbox.fetch('/_sandbox/stream?workspace=a'))
    await callIn(sandbox, 'b', 'c')
    expect(names(sandbox)).toEqual(['default', 'a', 'c'])
    await reader.cancel()
  })

  it('all in use -> refused, as without a ttl', async () => {
    const sandbox = await start('24h', full)
    const readers = [
      new EventReader(await sandbox.fetch('/_sandbox/stream?workspace=a')),
      new EventReader(await sandbox.fetch('/_sandbox/stream?workspace=b')),
    ]
    const message = 'The limit --max-workspaces is reached. Delete a workspace, or raise the limit.'
    await expect(sandbox.workspaces.create({ name: 'c' })).rejects.toThrow(message)
    const { status, json } = await sandbox.call('GET', '/v2/customers', { key: 'sk_sandbox_full.c' })
    expect([status, json]).toEqual([503, { error: { type: 'SERVICE_UNAVAILABLE_ERROR', message } }])
    await Promise.all(readers.map((reader) => reader.cancel()))
  })

  it('without a ttl -> refused', async () => {
    const sandbox = await startSandbox(full)
    await callIn(sandbox, 'a', 'b')
    await expect(sandbox.workspaces.create({ name: 'c' })).rejects.toThrow('--max-workspaces')
    expect(names(sandbox)).toEqual(['default', 'a', 'b'])
  })

  it('what cannot be made -> nothing goes for it', async () => {
    const sandbox = await start('24h', full)
    await callIn(sandbox, 'a', 'b')
    const made = sandbox.workspaces.create({ name: 'c', fixtures: { customers: [{ id: '' }] } })
    await expect(made).rejects.toThrow('customers')
    expect(names(sandbox)).toEqual(['default', 'a', 'b'])
  })

  it('a copy, or a replay -> what it is made from does not go for it', async () => {
    const sandbox = await start('24h', full)
    await callIn(sandbox, 'a', 'b')
    await sandbox.workspaces.create({ name: 'c', from: 'a' })
    expect(names(sandbox)).toEqual(['default', 'a', 'c'])
    const one = sandbox.workspace('a')
    await callIn(sandbox, 'c')
    await one.requests.replay('req_a_1')
    expect(names(sandbox)).toEqual(['default', 'a', 'replay-1'])
  })
})
