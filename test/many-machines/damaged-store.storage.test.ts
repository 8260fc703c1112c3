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

describeWithEngine('a damaged store', () => {
  let engine: RunningEngine
  let a: Replica
  const started: Replica[] = []
  const problems: string[] = []

  async function replica(storePrefix = 'sandbox'): Promise<Replica> {
    const sandbox = await createSandbox(
      { clock: '2026-11-01T12:00:00Z', frozen: true, store: engine.url, storePrefix },
      { onBug: rethrow, onProblem: (line) => problems.push(line), onNotice: (line) => problems.push(line) },
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

  it.each([
    ['a log of another program', ['HSET', '{sandbox:w1}:log', 'field', 'value']],
    ['a lease of another program', ['SET', '{sandbox:w1}:lease', 'x']],
    ['a checkpoint that is no document', ['SET', '{sandbox:w1}:checkpoint', '{']],
    ['a delta that is no JSON', ['RPUSH', '{sandbox:w1}:log', '{']],
    ['a delta with another form of rows', ['RPUSH', '{sandbox:w1}:log', '{"at":1,"state":{"put":5}}']],
    ['deltas without a checkpoint', ['DEL', '{sandbox:w1}:checkpoint']],
  ])('%s -> only this workspace is refused, with the reason', async (_what, command) => {
    await call(a, 'PATCH', reward, 'w1')
    await call(a, 'PATCH', reward, 'w2')
    await a.close()
    if (command[0] === 'DEL') await engine.cli('RPUSH', '{sandbox:w1}:log', '{"at":1}')
    if (command[0] === 'HSET') await engine.cli('DEL', '{sandbox:w1}:log')
    await engine.cli(...command)
    const b = await replica()
    const refused = await call(b, 'GET', reward, 'w1')
    expect(refused).toMatchObject({ status: 503 })
    expect(await call(b, 'GET', '/_sandbox/state?workspace=w1')).toMatchObject({ status: 503 })
    expect(await listed(b)).toEqual(['default', 'w1, damaged', 'w2'])
    expect(await json(b, '/_sandbox/health')).toMatchObject({ status: 'degraded', damaged: ['w1'] })
    expect(await call(b, 'GET', '/_sandbox/health')).toMatchObject({ status: 200 })
    expect(problems).toContainEqual(expect.stringMatching(/'w1' cannot be used.*\{sandbox:w1\}/))
    expect(await call(b, 'GET', reward, 'w2')).toMatchObject({ status: 200 })
    await engine.cli('DEL', ...['log', 'checkpoint', 'lease'].map((key) => `{sandbox:w1}:${key}`))
    expect(await call(b, 'GET', reward, 'w1')).toMatchObject({ status: 200 })
    expect(await json(b, '/_sandbox/health')).toMatchObject({ status: 'ok' })
  })

  it.each([
    ['another format', ['HSET', '{sandbox}:baseline', 'format', '99'], 'of another version'],
    ['another digest', ['HSET', '{sandbox}:baseline', 'digest', 'x'], 'start all replicas alike'],
    ['another kind of value', ['SET', '{sandbox}:baseline', 'x'], 'a value of another kind'],
  ])('a baseline with %s -> a start is refused', async (_what, command, reason) => {
    if (command[0] === 'SET') await engine.cli('DEL', '{sandbox}:baseline')
    await engine.cli(...command)
    const refusal: unknown = await replica().catch((error: unknown) => error)
    if (!(refusal instanceof StoreError)) throw new Error('it was not refused', { cause: refusal })
    expect([refusal.exit, refusal.message]).toEqual([3, expect.stringContaining(reason)])
  })
})
