// Values in the store that no sandbox wrote: one workspace is refused with the reason, the others are served.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { StoreError } from '../../src/workspaces/storage.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'

type Replica = Awaited<ReturnType<typeof createSandbox>>

const reward = '/v2/rewards/rwd_ada_pending'
const rethrow = (error: unknown): never => {
  throw error
}

const reasonOf = (keys: string): string =>
  `The store holds values under ${keys} that no sandbox of this format wrote: delete them, or use another --store-prefix.`

describeWithEngine('a damaged store', () => {
  let engine: RunningEngine
  let a: Replica
  const started: Replica[] = []
  const problems: string[] = []

  async function replica(storePrefix = 'sandbox'): Promise<Replica> {
    const sandbox = await createSandbox(
      { clock: '2026-11-01T12:00:00Z', frozen: true, store: engine.url, storePrefix },
      { onBug: rethrow, onProblem: (line) => problems.push(line) },
    )
    started.push(sandbox)
    return sandbox
  }

  async function call(of: Replica, method: string, path: string, workspace = 'default') {
    const response = await of.fetch(path, {
      method,
      headers: {
        authorization: `Bearer sk_sandbox_full${workspace === 'default' ? '' : `.${workspace}`}`,
        ...(method === 'PATCH' && { 'content-type': 'application/json' }),
      },
      ...(method === 'PATCH' && { body: JSON.stringify({ status: 'AVAILABLE' }) }),
    })
    const text = await response.text()
    return { status: response.status, text }
  }

  const json = async (of: Replica, path: string): Promise<unknown> =>
    JSON.parse((await call(of, 'GET', path)).text)

  const listed = async (of: Replica): Promise<unknown> => {
    const { workspaces } = (await json(of, '/_sandbox/workspaces')) as {
      workspaces?: { name: string; damaged?: true }[]
    }
    return workspaces?.map(({ name, damaged }) => (damaged ? `${name}, damaged` : name))
  }

  beforeAll(async () => {
    engine = await startEngine()
  })
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    problems.length = 0
    a = await replica()
    return async () => {
      await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
    }
  })
  afterAll(() => engine.stop())

  it('the log of one workspace -> health names it, the list has all, and all is well without it', async () => {
    await call(a, 'PATCH', reward, 'w1')
    await call(a, 'PATCH', reward, 'w2')
    await engine.cli('XADD', '{sandbox:w1}:log', '9-0', 'n', 'x', 'p', 'y', 'e', '{')
    const b = await replica()
    expect(await listed(b)).toEqual(['default', 'w1, damaged', 'w2'])
    expect(await json(b, '/_sandbox/health')).toMatchObject({ status: 'degraded', damaged: ['w1'] })
    expect(await call(b, 'GET', '/_sandbox/health')).toMatchObject({ status: 200 })
    expect(problems).toEqual([`workspace 'w1' cannot be used: ${reasonOf('{sandbox:w1}:*')}`])
    const refused = await call(b, 'GET', reward, 'w1')
    expect(refused).toMatchObject({ status: 503, text: expect.stringContaining(reasonOf('{sandbox:w1}:*')) })
    expect(await call(b, 'GET', reward, 'w2')).toMatchObject({ status: 200 })
    expect(await call(b, 'GET', '/_sandbox/coverage')).toMatchObject({ status: 200 })
    await engine.cli('DEL', '{sandbox:w1}:log', '{sandbox:w1}:snapshot')
    expect(await call(b, 'GET', reward, 'w1')).toMatchObject({ status: 200 })
    expect(await listed(b)).toEqual(['default', 'w2', 'w1'])
    expect(await json(b, '/_sandbox/health')).toMatchObject({ status: 'ok' })
  })

  it.each([
    ['the clock', ['HSET', '{sandbox}:baseline', 'clock', '{'], "field 'clock'"],
    ['the kind of the clock', ['HSET', '{sandbox}:baseline', 'clock', '{"at":"noon"}'], "field 'clock'"],
    ['no clock', ['HDEL', '{sandbox}:baseline', 'clock'], "field 'clock'"],
    ['the seed', ['HSET', '{sandbox}:baseline', 'seed', 'x'], "field 'seed'"],
    ['the rows', ['HSET', '{sandbox}:baseline', 'rows', 'x'], "field 'rows'"],
  ])('%s of the baseline -> a start is refused with the field', async (_what, command, field) => {
    await engine.cli(...command)
    const refusal: unknown = await replica().catch((error: unknown) => error)
    if (!(refusal instanceof StoreError)) throw new Error('it was not refused', { cause: refusal })
    expect([refusal.exit, refusal.message]).toEqual([
      3,
      `--store ${engine.url}: under the prefix 'sandbox' the ${field} of the baseline is damaged: delete the keys of this prefix, or start this one with another --store-prefix`,
    ])
  })

  const log = '{sandbox:default}:log'
  it.each([
    ['the count of requests', ['HSET', '{sandbox:default}:counts', 'requests', 'x']],
    ['the size of the journal', ['HSET', '{sandbox:default}:counts', 'journal_bytes', 'x']],
    ['the last reset', ['HSET', '{sandbox:default}:counts', 'reset_at', 'x']],
    ['the next entry is missing', ['XADD', log, '9-0', 'n', 'x', 'p', 'y', 'e', '{"at":1}']],
    ['the next entry is no commit', ['XADD', log, '4-0', 'n', 'x', 'p', 'LAST', 'e', '5']],
    [
      'the next entry has no rows where rows are',
      ['XADD', log, '4-0', 'n', 'x', 'p', 'LAST', 'e', '{"at":1,"state":{"ids":1,"put":{"rewards":5}}}'],
    ],
    [
      'the next entry has another clock',
      ['XADD', log, '4-0', 'n', 'x', 'p', 'LAST', 'e', '{"at":1,"clock":5}'],
    ],
  ])('%s -> no start, and 503 with the reason for a replica that runs', async (_what, command) => {
    await call(a, 'PATCH', reward)
    await call(a, 'POST', '/_sandbox/reset')
    const [, last = ''] = (await engine.cli('XREVRANGE', log, '+', '-', 'COUNT', '1')).split('\n').slice(1)
    await engine.cli(...command.map((word) => word.replace('LAST', last)))
    const entries = await engine.cli('XLEN', log)
    const reason = reasonOf('{sandbox:default}:*')
    const refusal: unknown = await replica().catch((error: unknown) => error)
    expect(refusal instanceof StoreError && [refusal.exit, refusal.message]).toEqual([
      3,
      `--store ${engine.url}: ${reason}`,
    ])
    expect(await call(a, 'PATCH', reward)).toMatchObject({
      status: 503,
      text: expect.stringContaining(reason),
    })
    expect(await call(a, 'GET', '/_sandbox/state')).toMatchObject({
      status: 503,
      text: expect.stringContaining(reason),
    })
    expect(await json(a, '/_sandbox/health')).toMatchObject({ status: 'degraded', damaged: ['default'] })
    expect(await engine.cli('XLEN', log)).toBe(entries)
  })

  it('an entry is missing in the middle -> no start', async () => {
    await call(a, 'PATCH', reward)
    await call(a, 'POST', '/_sandbox/reset')
    await engine.cli('XDEL', log, '2-0')
    await expect(replica()).rejects.toMatchObject({ exit: 3 })
  })

  it('the snapshot of a trimmed log -> no start', async () => {
    await call(a, 'PATCH', reward)
    const [, nonce = ''] = (await engine.cli('XREVRANGE', log, '+', '-', 'COUNT', '1')).split('\n').slice(1)
    await engine.cli('SET', '{sandbox:default}:snapshot', `2 ${nonce} {"at":1,"born":5}`)
    await engine.cli('XDEL', log, '1-0')
    await expect(replica()).rejects.toMatchObject({ exit: 3 })
  })

  it('a count of coverage -> 503 for the calls that it counts, which change nothing, and for the report', async () => {
    await call(a, 'PATCH', reward)
    const [field = ''] = (await engine.cli('HKEYS', '{sandbox:default}:coverage')).split('\n')
    await engine.cli('HSET', '{sandbox:default}:coverage', field, 'x')
    await call(a, 'POST', '/_sandbox/reset')
    const entries = await engine.cli('XLEN', log)
    expect(await call(a, 'PATCH', reward)).toMatchObject({
      status: 503,
      text: expect.stringContaining(reasonOf('{sandbox:default}:*')),
    })
    expect(await engine.cli('XLEN', log)).toBe(entries)
    const reason = reasonOf('{sandbox:default}:coverage')
    for (const path of ['/_sandbox/coverage', '/_sandbox/coverage?workspace=default']) {
      expect(await call(a, 'GET', path)).toMatchObject({ status: 503, text: expect.stringContaining(reason) })
    }
  })

  it('an entry of the journal -> 503 with the reason', async () => {
    await engine.cli('LPUSH', '{sandbox:default}:journal', 'x')
    expect(await call(a, 'GET', '/_sandbox/requests')).toMatchObject({
      status: 503,
      text: expect.stringContaining(reasonOf('{sandbox:default}:journal')),
    })
  })

  it('a workspace with a damaged count of coverage -> it can be deleted', async () => {
    await call(a, 'GET', reward, 'w1')
    await engine.cli('HSET', '{sandbox:w1}:coverage', 'x', 'y')
    expect(await call(a, 'DELETE', '/_sandbox/workspaces/w1')).toMatchObject({ status: 204 })
  })
})
