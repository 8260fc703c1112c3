// Idle workspaces are deleted for all replicas, and a concurrent call is before or after that.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { connect } from '../../src/storage/redis/connect.ts'
import type { Engine } from '../../src/storage/redis/store-engine.ts'
import { EngineUnavailableError } from '../../src/storage/redis/store-error.ts'
import { ask as tell, bearer, operator, partnerOptions } from '../helpers/partners.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'
import { patient } from '../helpers/patient.ts'

const minute = 60_000
const hang = {
  name: 'hang',
  description: 'Calls that ask for it hang.',
  rules: [{ on: '*', when: { headers: { 'x-hang': 'yes' } }, effect: { transport: 'hang' } }],
}

/** Makes all uses older than they are. */
const age = {
  name: 'age',
  text: `
    for _, key in ipairs(redis.call('KEYS', '*:counts')) do
      if redis.call('HEXISTS', key, 'used_at') == 1 then redis.call('HINCRBY', key, 'used_at', -ARGV[1]) end
    end
    for _, key in ipairs(KEYS) do
      for _, name in ipairs(redis.call('ZRANGE', key, 0, -1)) do redis.call('ZINCRBY', key, -ARGV[1], name) end
    end
    return 0`,
}

describeWithEngine('forgetting with a store', () => {
  let engine: RunningEngine
  const started: Sandbox[] = []
  const bugs: unknown[] = []
  const said: string[] = []
  let ask: Engine['run'] | undefined
  let asking = 0

  /** @param before asked before each script that it sends. */
  async function replica(
    options: SandboxOptions = {},
    before: (script: string, workspace: string) => Promise<void> | undefined = () => undefined,
  ): Promise<Sandbox> {
    const settings = {
      store: engine.url,
      workspaceTtl: '1h',
      scenarios: [hang],
      ...options,
    } as SandboxOptions
    const testHooks: NonNullable<Parameters<typeof createSandbox>[1]> = {
      onBug: (error) => bugs.push(error),
      onNotice: (line) => said.push(line),
      store: {
        connect: async (...args) => {
          const reached = await connect(...args)
          const run = reached.run.bind(reached)
          reached.run = async (script, keys, values) => {
            await before(script.name, /^\{sandbox:(.*)\}/.exec(keys[0] ?? '')?.[1] ?? '')
            asking += 1
            return run(script, keys, values).finally(() => (asking -= 1))
          }
          ask = run
          return reached
        },
      },
    }
    const sandbox = await createSandbox(settings, testHooks)
    started.push(sandbox)
    return sandbox
  }

  async function call(of: Sandbox, workspace: string, method = 'GET', json?: object, signal?: AbortSignal) {
    const response = await of.fetch(method === 'GET' ? '/v2/customers' : '/v2/rewards/rwd_ada_pending', {
      method,
      headers: {
        authorization: `Bearer sk_sandbox_full.${workspace}`,
        ...(signal && { 'x-hang': 'yes' }),
        ...(json && { 'content-type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
      ...(signal && { signal }),
    })
    return { status: response.status, id: response.headers.get('x-sandbox-request-id') }
  }

  async function names(of: Sandbox): Promise<string[]> {
    const listed = (await (await of.fetch('/_sandbox/workspaces')).json()) as {
      workspaces: { name: string }[]
    }
    return listed.workspaces.map(({ name }) => name)
  }

  /** Time passes for the engine and here, and only the check for idle workspaces runs. */
  async function pass(milliseconds: number): Promise<void> {
    // An access is reported within the first minute.
    for (const part of [minute, milliseconds - minute].filter((each) => each > 0)) {
      await passAtOnce(part)
    }
  }

  async function passAtOnce(milliseconds: number): Promise<void> {
    await looked()
    await ask?.(age, ['{sandbox}:used', '{sandbox}:held'], [milliseconds])
    vi.advanceTimersByTime(milliseconds)
    await looked()
  }

  /** Time passes, in the steps in which replicas tell of uses, until this settles: two seconds at most. */
  async function soon<T>(answer: Promise<T>, between = (): unknown => undefined): Promise<T> {
    const settled = vi.fn()
    const answered = answer.finally(settled)
    answered.catch(() => undefined)
    await looked()
    for (let steps = 0; settled.mock.calls.length === 0; steps++) {
      if (steps > 8) throw new Error('nobody waits for so long')
      await between()
      await passAtOnce(250)
    }
    return answered
  }

  /** Nothing is asked of the engine any more. */
  async function looked(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet++) {
      await new Promise(setImmediate)
      if (asking > 0) quiet = 0
    }
  }

  beforeAll(async () => {
    engine = await startEngine()
  })
  beforeEach(async () => {
    said.length = 0
    await engine.cli('FLUSHALL')
    vi.useFakeTimers({
      toFake: ['performance', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
    })
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
    vi.useRealTimers()
    expect(bugs.splice(0)).toEqual([])
  })
  afterAll(() => engine.stop())

  it('nobody used it anywhere -> it is gone for all, and begins anew; default stays', async () => {
    const [a, b] = [await replica(), await replica()]
    await call(a, 'w')
    await call(b, 'w')
    expect(await call(b, 'w')).toEqual({ status: 200, id: 'req_w_3' })
    await pass(59 * minute)
    expect(await names(a)).toEqual(['default', 'w'])
    await pass(3 * minute)
    expect([await names(a), await names(b)]).toEqual([['default'], ['default']])
    expect(await call(b, 'w')).toEqual({ status: 200, id: 'req_w_1' })
    expect(await engine.cli('ZRANGE', '{sandbox}:used', '0', '-1')).toBe('w')
  })

  it.each<[string, SandboxOptions]>([
    ['a read', {}],
    ['a read that nobody keeps', { journalSize: 0 }],
  ])('%s at another replica is a use', async (_, options) => {
    const [a, b] = [await replica(options), await replica(options)]
    await call(a, 'w')
    await pass(40 * minute)
    await call(b, 'w')
    await pass(40 * minute)
    expect(await names(a)).toEqual(['default', 'w'])
    await pass(40 * minute)
    expect(await names(a)).toEqual(['default'])
  })

  it('a use of the copy of a partner at another replica is one of the workspace that it is a copy of', async () => {
    const [a, b] = [await replica(partnerOptions), await replica(partnerOptions)]
    const { json: acme } = await tell(a, 'POST', '/_sandbox/workspaces', operator, { name: 'acme' })
    await tell(a, 'GET', '/v2/customers', bearer(acme.api_key))
    await tell(a, 'POST', '/_sandbox/requests/req_acme_1/replay', bearer(acme.admin_token))
    const inCopy = () => tell(b, 'GET', '/v2/customers', bearer(`${acme.api_key}-replay-1`))
    for (let times = 0; times < 3; times++) {
      expect((await inCopy()).status).toBe(200)
      await pass(40 * minute)
    }
    const { workspaces } = (await tell(a, 'GET', '/_sandbox/workspaces', operator)).json
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['default', 'acme', 'acme-replay-1'])
  })

  it('lists, and keys that nobody knows, are no use', async () => {
    const [a, b] = [await replica(), await replica()]
    await call(a, 'w')
    await pass(40 * minute)
    expect(await names(b)).toEqual(['default', 'w'])
    await b.fetch('/v2/customers', { headers: { authorization: 'Bearer nobody.w' } })
    await b.fetch('/_sandbox/coverage')
    await pass(40 * minute)
    expect(await names(b)).toEqual(['default'])
  })

  it('a call that hangs at one replica -> no other one forgets its workspace, however long it lasts', async () => {
    const [a, b] = [await replica(), await replica()]
    const client = new AbortController()
    const hanging = call(b, 'w', 'GET', undefined, client.signal).catch(() => 'gone')
    await vi.waitFor(async () => expect(await names(a)).toEqual(['default', 'w']), patient)
    for (let times = 0; times < 6; times++) await pass(30 * minute)
    expect(await names(a)).toEqual(['default', 'w'])
    client.abort()
    expect(await hanging).toBe('gone')
    await pass(minute)
    await pass(90 * minute)
    expect(await names(a)).toEqual(['default'])
  })

  it('names from before uses were counted -> idle from now on', async () => {
    const a = await replica()
    await call(a, 'w')
    await pass(50 * minute)
    await engine.cli('DEL', '{sandbox}:used')
    await engine.cli('HDEL', '{sandbox:w}:counts', 'used_at')
    await pass(20 * minute)
    expect(await names(a)).toEqual(['default', 'w'])
    await pass(62 * minute)
    await pass(62 * minute)
    expect(await names(a)).toEqual(['default'])
  })

  /** Logged evictions since the last call. */
  const gone = (): (string | undefined)[] =>
    said.splice(0).map((line) => /\(--max-workspaces \d\).* is deleted: (.*)/.exec(line)?.[1])
  const create = (of: Sandbox, name: string) =>
    tell(of, 'POST', '/_sandbox/workspaces', undefined, { name }).then(({ status }) => status)

  it('one more in a row than there may be -> the longest idle one goes each time', async () => {
    const a = await replica({ maxWorkspaces: 3 })
    for (const name of ['u', 'v', 'w']) expect(await call(a, name)).toMatchObject({ status: 200 })
    expect(gone()).toEqual([])
    expect(await soon(call(a, 'x'))).toEqual({ status: 200, id: 'req_x_1' })
    expect(await soon(create(a, 'y'))).toBe(201)
    expect(gone()).toEqual(['u', 'v'])
    expect(await names(a)).toEqual(['default', 'w', 'x', 'y'])
  })

  it('those that were idle for long go at once, for any number of new ones', async () => {
    const a = await replica({ maxWorkspaces: 3 })
    for (const name of ['u', 'v', 'w']) await call(a, name)
    await passAtOnce(1000)
    for (const name of ['x', 'y', 'z']) expect(await call(a, name)).toMatchObject({ status: 200 })
    expect(gone()).toEqual(['u', 'v', 'w'])
  })

  it('used at the other replica just before -> another one was idle for longer', async () => {
    const [a, b] = [await replica({ maxWorkspaces: 3 }), await replica({ maxWorkspaces: 3 })]
    for (const name of ['u', 'v', 'w']) await call(a, name)
    for (const name of ['u', 'v', 'u']) {
      await call(b, name)
      // So soon after the first one the engine hears nothing of the last one in a turn.
      await passAtOnce(10)
    }
    await call(a, 'w')
    expect(await soon(call(a, 'x'))).toMatchObject({ status: 200 })
    expect(await soon(call(b, 'y'))).toMatchObject({ status: 200 })
    expect(gone()).toEqual(['v', 'u'])
    for (const of of [a, b]) expect((await names(of)).toSorted()).toEqual(['default', 'w', 'x', 'y'])
  })

  it('a workspace that waited for room -> is idle from when it came into being', async () => {
    const [a, b] = [await replica({ maxWorkspaces: 1 }), await replica({ maxWorkspaces: 1 })]
    await call(a, 'u')
    expect(await soon(create(a, 'v'))).toBe(201)
    let waited = 0
    expect(await soon(create(b, 'w'), () => (waited += 250))).toBe(201)
    expect(waited).toBeGreaterThanOrEqual(750)
    expect(gone()).toEqual(['u', 'v'])
  })

  it('a turn that tells of an earlier use -> it is surely idle from its own on', async () => {
    const [a, b] = [await replica({ maxWorkspaces: 1 }), await replica({ maxWorkspaces: 1 })]
    const { body } = await a.fetch('/_sandbox/stream?workspace=u')
    await passAtOnce(600)
    await body?.cancel()
    await passAtOnce(2000)
    await call(a, 'u')
    let waited = 0
    expect(await soon(call(b, 'v'), () => (waited += 250))).toMatchObject({ status: 200 })
    expect(waited).toBeGreaterThanOrEqual(750)
    expect(gone()).toEqual(['u'])
  })

  /** Opens something in a workspace at a replica. Gives what ends it. */
  const opening: [string, (at: Sandbox, name: string) => Promise<() => Promise<unknown>>][] = [
    [
      'a call that hangs',
      async (at, name) => {
        const client = new AbortController()
        const hanging = call(at, name, 'GET', undefined, client.signal).catch(() => 'gone')
        await looked()
        return () => (client.abort(), hanging)
      },
    ],
    [
      'a stream',
      async (at, name) => {
        const { body } = await at.fetch(`/_sandbox/stream?workspace=${name}`)
        return () => body?.cancel() ?? Promise.reject(new Error('no stream'))
      },
    ],
  ]

  it.each(opening)('%s at the other replica -> the next one goes, however long', async (_, open) => {
    const [a, b] = [await replica({ maxWorkspaces: 2 }), await replica({ maxWorkspaces: 2 })]
    const end = await open(b, 'v')
    expect(await call(a, 'w')).toMatchObject({ status: 200 })
    expect(await soon(call(a, 'x'))).toMatchObject({ status: 200 })
    await pass(50 * minute)
    // A workspace that stayed open is reported again.
    await passAtOnce(250)
    expect(await call(a, 'y')).toMatchObject({ status: 200 })
    expect((await names(a)).toSorted()).toEqual(['default', 'v', 'y'])
    await end()
    await passAtOnce(1000)
    // Since the end of what was open.
    await call(a, 'y')
    expect(await call(a, 'z')).toMatchObject({ status: 200 })
    expect(gone()).toEqual(['w', 'x', 'v'])
  })

  it.each(opening)('%s in all there may be -> 503 and 409, after two seconds', async (_, open) => {
    const [a, b] = [await replica({ maxWorkspaces: 1 }), await replica({ maxWorkspaces: 1 })]
    const end = await open(b, 'v')
    await passAtOnce(10_000)
    for (const of of [a, b]) {
      expect(await soon(call(of, 'x'))).toMatchObject({ status: 503 })
      expect(await soon(create(of, 'x'))).toBe(409)
    }
    await end()
    expect(await soon(call(a, 'x'))).toMatchObject({ status: 200 })
  })

  it.each(opening)(
    '%s, opened a moment before somebody needs room -> its workspace stays',
    async (_, open) => {
      const [a, b] = [await replica({ maxWorkspaces: 1 }), await replica({ maxWorkspaces: 1 })]
      await call(b, 'v')
      await passAtOnce(2000)
      // The other replica learns of the access only from the report that followed its opening.
      const end = await open(b, 'v')
      expect(await soon(call(a, 'x'))).toMatchObject({ status: 503 })
      await end()
    },
  )

  it('copies of partners: a use of one is one of its original, and none makes room', async () => {
    const options = { ...partnerOptions, maxWorkspaces: 2 }
    const [a, b] = [await replica(options), await replica(options)]
    const make = (name: string) => tell(a, 'POST', '/_sandbox/workspaces', operator, { name })
    const { json: acme } = await make('acme')
    await tell(a, 'GET', '/v2/customers', bearer(acme.api_key))
    await tell(a, 'POST', '/_sandbox/requests/req_acme_1/replay', bearer(acme.admin_token))
    await passAtOnce(1000)
    await make('beta')
    await passAtOnce(1000)
    await tell(b, 'GET', '/v2/customers', bearer(`${acme.api_key}-replay-1`))
    await passAtOnce(1000)
    expect((await make('gamma')).status).toBe(201)
    await passAtOnce(1000)
    // Now its copy is idle for longest.
    await tell(a, 'GET', '/v2/customers', bearer(acme.api_key))
    await passAtOnce(1000)
    expect((await make('delta')).status).toBe(201)
    expect(gone()).toEqual(['beta', 'gamma'])
  })

  it('used all the time -> 503 and 409, after two seconds', async () => {
    const [a, b] = [await replica({ maxWorkspaces: 1 }), await replica({ maxWorkspaces: 1 })]
    await call(b, 'v')
    expect(await soon(call(a, 'x'), () => call(b, 'v'))).toMatchObject({ status: 503 })
    expect(await soon(create(a, 'x'), () => call(b, 'v'))).toBe(409)
    expect(await names(a)).toEqual(['default', 'v'])
  })

  it('a replica that is gone holds what was open there for 10 seconds more', async () => {
    let isGone = false
    const a = await replica({ maxWorkspaces: 1 })
    const b = await replica({ maxWorkspaces: 1 }, () => {
      if (isGone) throw new EngineUnavailableError('gone', false)
      return undefined
    })
    const [[, open] = []] = opening
    const end = await open?.(b, 'v')
    await passAtOnce(250)
    isGone = true
    await passAtOnce(7_000)
    expect(await soon(call(a, 'x'))).toMatchObject({ status: 503 })
    await passAtOnce(1_000)
    expect(await call(a, 'x')).toMatchObject({ status: 200 })
    expect(gone()).toEqual(['v'])
    await end?.()
  })

  it('a replica that ends holds nothing', async () => {
    const a = await replica({ maxWorkspaces: 1 })
    const b = await replica({ maxWorkspaces: 1 })
    await b.fetch('/_sandbox/stream?workspace=v')
    await passAtOnce(2000)
    expect(await soon(call(a, 'x'))).toMatchObject({ status: 503 })
    await b.close()
    expect(await call(a, 'x')).toMatchObject({ status: 200 })
  })

  it('the sandbox ends -> nobody waits for room any more', async () => {
    const a = await replica({ maxWorkspaces: 1 })
    await call(a, 'v')
    const waiting = call(a, 'x')
    await looked()
    await a.close()
    expect(await waiting).toMatchObject({ status: 503 })
  })

  it('a name that another replica takes just now is no room', async () => {
    const a = await replica({ maxWorkspaces: 1 })
    let isTaken = false
    const b = await replica({ maxWorkspaces: 1 }, async (name, workspace) => {
      if (name === 'open') isTaken = true
      if (name !== 'sync' || workspace !== 'v' || !isTaken) return
      isTaken = false
      const inTheWay = await soon(call(a, 'x'))
      expect(inTheWay).toMatchObject({ status: 503 })
    })
    expect(await call(b, 'v')).toMatchObject({ status: 200 })
    expect(await names(a)).toEqual(['default', 'v'])
  })

  /** Where the other replica forgets it: before the nth script of a kind that the call sends. */
  it.each<[string, { script: string; nth: number }, string | null]>([
    ['before the call is in its turn', { script: 'sync', nth: 1 }, 'req_w_1'],
    ['between its judgment and its commit', { script: 'sync', nth: 2 }, 'req_w_1'],
    ['before it takes the name anew', { script: 'open', nth: 1 }, 'req_w_1'],
  ])('forgotten %s -> all of the call is in the new one', async (_, { script, nth }, id) => {
    let count = -1
    let forgetNow = (): Promise<void> => Promise.resolve()
    // It tells of its uses, and leaves the forgetting to the other one.
    const b = await replica({ workspaceTtl: '7d' }, (name, workspace) => {
      // An open call is reported to other replicas, and protects its workspace.
      if (name === 'uses') throw new EngineUnavailableError('cut off', false)
      if (count < 0 || name !== script || (workspace !== 'w' && name !== 'open')) return undefined
      count += 1
      return count === nth ? forgetNow() : undefined
    })
    const a = await replica()
    await call(b, 'w', 'PATCH', { amount: 7 })
    forgetNow = () => pass(2 * 60 * minute)
    if (script === 'open') await pass(2 * 60 * minute)
    count = 0
    expect(await call(b, 'w', 'PATCH', { status: 'AVAILABLE' })).toEqual({ status: 200, id })
    count = -1
    expect([await names(a), await names(b)]).toEqual([
      ['default', 'w'],
      ['default', 'w'],
    ])
    for (const of of [a, b]) {
      const row = await (
        await of.fetch('/v2/rewards/rwd_ada_pending', {
          headers: { authorization: 'Bearer sk_sandbox_full.w' },
        })
      ).json()
      expect(row).toMatchObject({ amount: 252, status: 'AVAILABLE' })
    }
  })

  it.each(['drop', 'closeEvicted'])(
    'a call that comes before the other replica sends %s -> none of it is lost, and its name is kept',
    async (script) => {
      let callNow = (): Promise<unknown> => Promise.resolve()
      const a = await replica({}, async (name) => {
        if (name === script) await callNow()
      })
      const b = await replica({ workspaceTtl: '7d' })
      await call(b, 'w', 'PATCH', { amount: 7 })
      let answer: unknown
      callNow = async () => {
        callNow = () => Promise.resolve()
        answer = await call(b, 'w', 'PATCH', { status: 'AVAILABLE' })
      }
      await pass(2 * 60 * minute)
      await vi.waitFor(() => expect(answer).toBeDefined(), patient)
      // Its turn was before that of the script, which then leaves all as it is; or after, in a new one.
      const isBefore = script === 'drop'
      expect(answer).toEqual({ status: 200, id: isBefore ? 'req_w_2' : 'req_w_1' })
      await looked()
      expect([await names(a), await names(b)]).toEqual([
        ['default', 'w'],
        ['default', 'w'],
      ])
      expect(
        await b
          .fetch('/v2/rewards/rwd_ada_pending', { headers: { authorization: 'Bearer sk_sandbox_full.w' } })
          .then((response) => response.json()),
      ).toMatchObject({ amount: isBefore ? 7 : 252, status: 'AVAILABLE' })
    },
  )

  it('a request that leaves nothing to keep, before the other replica forgets -> its workspace stays', async () => {
    let callNow = (): Promise<unknown> => Promise.resolve()
    const a = await replica({}, async (name) => {
      if (name === 'drop') await callNow()
    })
    const b = await replica({ workspaceTtl: '7d' })
    await call(b, 'w', 'PATCH', { amount: 7 })
    callNow = async () => {
      callNow = () => Promise.resolve()
      await b.fetch('/_sandbox/clock?workspace=w')
    }
    await pass(2 * 60 * minute)
    expect(await names(a)).toEqual(['default', 'w'])
  })
})
