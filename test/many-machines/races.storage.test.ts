// Lost races, lost answers, other histories, and logs that were trimmed: what a replica makes of each.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { SandboxOptions } from '../../src/options/index.ts'
import { connect } from '../../src/storage/redis/connect.ts'
import type { StoreTestHooks } from '../../src/storage/redis/open-store.ts'
import type { Engine, Reply, ScriptArgument } from '../../src/storage/redis/store-engine.ts'
import { EngineUnavailableError } from '../../src/storage/redis/store-error.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'

type Replica = Awaited<ReturnType<typeof createSandbox>>

const frozenOptions: SandboxOptions = { clock: '2026-11-01T12:00:00Z', frozen: true }
const reward = '/v2/rewards/rwd_ada_pending'
const log = '{sandbox:default}:log'

/** The bytes that run a script; `send` runs it. */
type Tamper = (args: ScriptArgument[], send: (args: ScriptArgument[]) => Promise<Reply>) => Promise<Reply>

/** Tampers with turns that have commits; all others pass. */
function tampered(tamper: Tamper): StoreTestHooks {
  return {
    connect: async (address, options) => {
      const engine = await connect(address, options)
      const run: Engine['run'] = (script, keys, args) => {
        const hasCommits = script.name === 'sync' && Number(args[9]) > 0 && Number(args[0]) > 0
        if (!hasCommits) return engine.run(script, keys, args)
        return tamper([...args], (sent) => engine.run(script, keys, sent))
      }
      return new Proxy(engine, {
        get: (of, name) => (name === 'run' ? run : bound(of, name)),
      })
    },
  }
}

/** A member of a connection, whose private fields a proxy does not have. */
function bound(engine: Engine, name: string | symbol): unknown {
  const value: unknown = Reflect.get(engine, name, engine)
  return typeof value === 'function' ? value.bind(engine) : value
}

describeWithEngine('a replica on an engine', () => {
  let engine: RunningEngine
  const started: Replica[] = []

  async function replica(testHooks: StoreTestHooks = {}, options: SandboxOptions = {}): Promise<Replica> {
    const onBug = (error: unknown): never => {
      throw error
    }
    const sandbox = await createSandbox(
      { ...frozenOptions, store: engine.url, ...options },
      { onBug, store: testHooks },
    )
    started.push(sandbox)
    return sandbox
  }

  async function ask(
    of: Replica,
    path: string,
    init: RequestInit = {},
  ): Promise<[number, string | null, unknown]> {
    const headers = { authorization: 'Bearer sk_sandbox_full', 'content-type': 'application/json' }
    const response = await of.fetch(path, { headers, ...init })
    const text = await response.text()
    return [
      response.status,
      response.headers.get('x-sandbox-commit'),
      text === '' ? undefined : JSON.parse(text),
    ]
  }

  const patch = (status: string): RequestInit => ({ method: 'PATCH', body: JSON.stringify({ status }) })
  const marked = (of: Replica, metadata: object): Promise<[number, string | null, unknown]> =>
    ask(of, '/_sandbox/state/rewards/rwd_ada_pending', {
      method: 'PATCH',
      body: JSON.stringify({ metadata }),
    })
  const statusOf = async (of: Replica): Promise<unknown> => {
    const [, , body] = await ask(of, '/_sandbox/state/rewards/rwd_ada_pending')
    return (body as { status: string }).status
  }
  const figureOf = async (of: Replica, name: string): Promise<number> =>
    Number(new RegExp(`^sandbox_store_${name} (\\d+)$`, 'm').exec(await of.metrics())?.[1])

  beforeAll(async () => {
    engine = await startEngine()
  })
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    return async () => {
      await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
    }
  })
  afterAll(() => engine.stop())

  it('loses a race once -> judges again on the state as now, and makes one version', async () => {
    const other = await replica()
    let races = 0
    const slow = await replica(
      tampered(async (args, send) => {
        if (races++ === 0) await ask(other, reward, patch('AVAILABLE'))
        return send(args)
      }),
    )
    const [status, commit, body] = await marked(slow, { a: 'b' })
    expect([status, commit, races]).toEqual([200, '3', 2])
    expect(body).toMatchObject({ status: 'AVAILABLE', metadata: { a: 'b' } })
    expect(await figureOf(slow, 'retries_total')).toBe(1)
  })

  it('loses each race -> 503 after 20 times, and nothing is changed', async () => {
    let races = 0
    const unlucky = await replica(
      tampered((args, send) => {
        races += 1
        args[1] = 'another'
        return send(args)
      }),
    )
    const [status, commit, body] = await ask(unlucky, reward, patch('AVAILABLE'))
    expect([status, commit, races]).toEqual([503, null, 20])
    const message = 'Other replicas wrote first 20 times in a row, so nothing was changed: retry.'
    expect(body).toEqual({ error: { type: 'SERVICE_UNAVAILABLE_ERROR', message } })
    expect(await statusOf(unlucky)).toBe('PENDING')
    expect(await engine.cli('XLEN', log)).toBe('1')
  })

  it('hears nothing of what was done -> finds it by its own nonce, and does it once', async () => {
    let lost = 0
    const deaf = await replica(
      tampered(async (args, send) => {
        const reply = await send(args)
        if (lost++ === 0) throw new EngineUnavailableError('the answer was lost.', true)
        return reply
      }),
    )
    const [status, commit] = await ask(deaf, reward, patch('AVAILABLE'))
    expect([status, commit, lost]).toEqual([200, '2', 2])
    expect(await engine.cli('XLEN', log)).toBe('2')
    const [, , journal] = await ask(deaf, '/_sandbox/requests')
    expect(journal).toMatchObject({ requests: [{ id: 'req_default_1' }] })
    expect((journal as { requests: unknown[] }).requests).toHaveLength(1)
  })

  it('hears nothing of it, and the engine stays away -> 503 that says so; what was done is there later', async () => {
    const testHooks = tampered(async (args, send) => {
      await send(args)
      throw new EngineUnavailableError('The store does not answer.', true)
    })
    const connected = testHooks.connect ?? connect
    const deaf = await replica({
      connect: async (...args) => {
        const reached = await connected(...args)
        const untilBack = (): Promise<boolean> => Promise.resolve(false)
        return new Proxy(reached, { get: (of, name) => (name === 'untilBack' ? untilBack : bound(of, name)) })
      },
    })
    const [status, commit, body] = await ask(deaf, reward, patch('AVAILABLE'))
    const message = 'The store does not answer. The outcome is unknown: check it before you retry.'
    expect([status, commit]).toEqual([503, null])
    expect(body).toEqual({ error: { type: 'SERVICE_UNAVAILABLE_ERROR', message } })
    expect((await ask(deaf, reward)).slice(0, 2)).toEqual([200, '2'])
    expect(await statusOf(deaf)).toBe('AVAILABLE')
  })

  it('hears nothing of it, and others went on -> finds it behind theirs', async () => {
    const other = await replica()
    let lost = 0
    const deaf = await replica(
      tampered(async (args, send) => {
        const reply = await send(args)
        if (lost++ > 0) return reply
        await marked(other, { a: 'b' })
        throw new EngineUnavailableError('the answer was lost.', true)
      }),
    )
    expect((await ask(deaf, reward, patch('AVAILABLE'))).slice(0, 2)).toEqual([200, '2'])
    expect((await ask(deaf, reward)).slice(0, 2)).toEqual([200, '3'])
    expect(await engine.cli('XLEN', log)).toBe('3')
  })

  it('another history at the same version -> takes that one up, and counts it', async () => {
    const stale = await replica()
    const other = await replica()
    await ask(stale, reward, patch('AVAILABLE'))
    await engine.cli('DEL', log)
    await marked(other, { new: 'one' })
    const [status, commit, body] = await ask(stale, reward)
    expect([status, commit]).toEqual([200, '2'])
    expect(body).toMatchObject({ status: 'PENDING', metadata: { new: 'one' } })
    expect(await figureOf(stale, 'histories_total')).toBe(1)
  })

  const often = { snapshotEvery: { entries: 3, bytes: 1 << 20, kept: 1 } }

  async function busy(of: Replica): Promise<void> {
    for (let each = 0; each < 6; each++) {
      await marked(of, { each })
    }
  }

  it('behind a trimmed log -> goes on from the snapshot, in the same history', async () => {
    const behind = await replica()
    const ahead = await replica(often)
    await ask(behind, reward)
    await busy(ahead)
    expect(Number(await engine.cli('XLEN', log))).toBeLessThan(7)
    const [status, commit, body] = await ask(behind, reward)
    expect([status, commit]).toEqual([200, '7'])
    expect(body).toMatchObject({ metadata: { each: 5 } })
    expect(await figureOf(behind, 'histories_total')).toBe(0)
  })

  it('a state that grows -> a snapshot for each doubling, and not for each few entries', async () => {
    const writing = await replica({ snapshotEvery: { entries: 3, bytes: 2_000, kept: 1 } })
    await engine.cli('CONFIG', 'RESETSTAT')
    for (let at = 0; at < 60; at++) {
      await ask(writing, `/_sandbox/state/customers/cus_${at}`, { method: 'PUT', body: '{}' })
    }
    const [, snapshots] = /^cmdstat_set:calls=(\d+)/m.exec(await engine.cli('INFO', 'commandstats')) ?? []
    // 2,000 bytes are four rows: after 3 and 6 entries, and then 12, 24, 48.
    expect(Number(snapshots)).toBeGreaterThan(3)
    expect(Number(snapshots)).toBeLessThan(9)
  })

  it('starts from a snapshot -> has all that the log had', async () => {
    const first = await replica(often)
    const own = { name: 'w1', fixtures: { customers: [{ id: 'cus_own' }] }, scenarios: ['slow'] }
    await ask(first, '/_sandbox/workspaces', { method: 'POST', body: JSON.stringify(own) })
    const at = (path: string): string => `/_sandbox${path}?workspace=w1`
    await ask(first, at('/snapshots/one'), { method: 'PUT' })
    await ask(first, at('/clock/advance'), { method: 'POST', body: '{"days":3}' })
    const scenario = { name: 'mine', description: 'Mine.', rules: [{ on: '*', effect: { latency: 1 } }] }
    await ask(first, at('/scenarios'), { method: 'POST', body: JSON.stringify(scenario) })
    await ask(first, at('/scenarios/active'), { method: 'PUT', body: '["mine"]' })
    await ask(first, at('/state/customers/cus_two'), { method: 'PUT', body: '{}' })
    await ask(first, at('/snapshots/two'), { method: 'PUT' })
    await ask(first, at('/state/customers/cus_three'), { method: 'PUT', body: '{}' })
    expect(await engine.cli('EXISTS', '{sandbox:w1}:snapshot')).toBe('1')
    const second = await replica()
    for (const path of [
      '/state',
      '/clock',
      '/scenarios/mine',
      '/scenarios/active',
      '/snapshots',
      '/snapshots/two',
    ]) {
      expect(await ask(second, at(path)), path).toEqual(await ask(first, at(path)))
    }
    await ask(second, at('/reset'), { method: 'POST' })
    expect(await ask(first, at('/scenarios/active'))).toMatchObject([
      200,
      expect.anything(),
      { active: ['slow'] },
    ])
    expect(await ask(first, at('/state'))).toEqual(await ask(second, at('/state')))
  })

  it('a log whose beginning is lost with its snapshot -> begins anew', async () => {
    const first = await replica(often)
    await busy(first)
    await engine.cli('DEL', '{sandbox:default}:snapshot')
    const second = await replica()
    expect((await ask(second, reward)).slice(0, 2)).toEqual([200, '1'])
    expect((await ask(first, reward)).slice(0, 2)).toEqual([200, '1'])
    expect(await figureOf(first, 'histories_total')).toBe(1)
  })

  it('a snapshot of an earlier life -> not taken up', async () => {
    const first = await replica(often)
    await busy(first)
    await engine.cli('DEL', log)
    const second = await replica()
    expect((await ask(second, reward)).slice(0, 2)).toEqual([200, '1'])
    expect(await statusOf(first)).toBe('PENDING')
    expect(await engine.cli('EXISTS', '{sandbox:default}:snapshot')).toBe('0')
  })
})
