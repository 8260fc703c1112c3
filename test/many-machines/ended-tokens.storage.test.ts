// The token of a partner is ended at one replica while a request with it waits at another one: it does nothing any more.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import { connect } from '../../src/storage/redis/connect.ts'
import type { StoreTestHooks } from '../../src/storage/redis/open-store.ts'
import { EngineUnavailableError } from '../../src/storage/redis/store-error.ts'
import type { WorkspaceCredentials } from '../../src/operations/workspace-credentials.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'
import { ask, bearer, operator, partnerOptions, wholeOf, type Replica } from '../helpers/partners.ts'

/** Asked before each script that a replica sends, with the workspace of its keys. */
type Before = (script: string, workspace: string, commits: number) => Promise<void> | undefined

describeWithEngine('what a partner began before its token was ended', () => {
  let engine: RunningEngine
  const started: Replica[] = []
  let here: Replica
  let there: Replica
  let before: Before = () => undefined
  let bob: WorkspaceCredentials

  async function replica(
    onScript?: Before,
    snapshotEvery?: StoreTestHooks['snapshotEvery'],
  ): Promise<Replica> {
    const sandbox = await createSandbox(
      { ...partnerOptions, store: engine.url },
      {
        onBug(error) {
          throw error instanceof Error ? error : new Error(String(error))
        },
        store: {
          ...(snapshotEvery && { snapshotEvery }),
          connect: async (...args) => {
            const reached = await connect(...args)
            const run = reached.run.bind(reached)
            reached.run = async (script, keys, values) => {
              const commits = script.name === 'sync' ? Number(values[9]) : 0
              await onScript?.(script.name, /^\{sandbox:(.*)\}/.exec(keys[0] ?? '')?.[1] ?? '', commits)
              return run(script, keys, values)
            }
            return reached
          },
        },
      },
    )
    started.push(sandbox)
    return sandbox
  }

  const make = async (): Promise<WorkspaceCredentials> =>
    (await ask(here, 'POST', '/_sandbox/workspaces', operator, { name: 'bob' })).json
  const rotate = async (): Promise<WorkspaceCredentials> =>
    (await ask(here, 'POST', '/_sandbox/workspaces/bob/rotate', operator)).json
  const remake = async (): Promise<WorkspaceCredentials> => {
    await ask(here, 'DELETE', '/_sandbox/workspaces/bob', operator)
    return make()
  }
  const works = async (of: Replica, { api_key: key, admin_token: token }: WorkspaceCredentials) => [
    (await ask(of, 'GET', '/v2/customers', bearer(key))).status,
    (await ask(of, 'GET', '/_sandbox/clock', bearer(token))).status,
  ]
  const called = async (of: Replica, { api_key: key }: WorkspaceCredentials): Promise<string> =>
    (await ask(of, 'GET', '/v2/customers', bearer(key))).headers['x-sandbox-request-id'] ?? ''

  /** Sends all of a body but for its end. */
  async function held(method: string, path: string, body: string) {
    let read = (): void => undefined
    let finish = (): void => undefined
    const isRead = new Promise<void>((resolve) => (read = resolve))
    const rest = new Promise<void>((resolve) => (finish = resolve))
    const stream = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          read()
          await rest
          controller.enqueue(Buffer.from(body))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization: bearer(bob.admin_token), 'content-type': 'application/json' }
    const answer = there.fetch(path, { method, headers, body: stream, duplex: 'half' } as RequestInit)
    await isRead
    return async () => {
      finish()
      const { status } = await answer
      return status
    }
  }

  beforeAll(async () => {
    engine = await startEngine()
  })
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    before = () => undefined
    here = await replica()
    there = await replica((...script) => before(...script))
    bob = await make()
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
  })
  afterAll(() => engine.stop())

  const ends = [
    ['rotated', rotate],
    ['deleted and made again', remake],
  ] as const
  const requests = [
    ['POST', '/_sandbox/workspaces/bob/rotate', '{}'],
    ['POST', '/_sandbox/requests/ID/replay', '{}'],
    ['PATCH', '/_sandbox/state/api_keys/key_full', '{"scopes":["ACCOUNT_READ"]}'],
    ['PATCH', '/_sandbox/state/customers/cus_ada', '{"first_name":"Mallory"}'],
    ['PUT', '/_sandbox/snapshots/evil', '{}'],
    ['PUT', '/_sandbox/clock', '{"now":"2030-01-01T00:00:00Z"}'],
    ['POST', '/_sandbox/reset', '{}'],
  ] as const

  describe.each(ends)('%s elsewhere', (_how, end) => {
    it.each(requests)('while its body is awaited: %s %s', async (method, path, body) => {
      const finish = await held(method, path.replace('ID', await called(there, bob)), body)
      const now = await end()
      await called(here, now)
      const whole = await wholeOf(here, 'bob')
      expect(await finish()).toBe(401)
      expect(await wholeOf(here, 'bob')).toEqual(whole)
      expect(await works(there, now)).toEqual([200, 200])
      expect(await works(there, bob)).toEqual([401, 401])
    })

    it.each(requests)('just before its turn is kept: %s %s', async (method, path, body) => {
      const target = path.replace('ID', await called(there, bob))
      let now: WorkspaceCredentials | undefined
      let whole: unknown
      before = async (_script, _workspace, commits) => {
        if (commits === 0 || now) return
        before = () => undefined
        now = await end()
        whole = await wholeOf(here, 'bob')
      }
      const { status } = await ask(there, method, target, bearer(bob.admin_token), body)
      expect(status).toBe(401)
      expect(await wholeOf(here, 'bob')).toEqual(whole)
      expect(await works(there, now ?? bob)).toEqual([200, 200])
      expect(await works(there, bob)).toEqual([401, 401])
    })
  })

  describe('deleted elsewhere', () => {
    const names = async (): Promise<string[]> =>
      (await ask(here, 'GET', '/_sandbox/workspaces', operator)).json.workspaces.map(
        ({ name }: { name: string }) => name,
      )
    const remove = () => ask(here, 'DELETE', '/_sandbox/workspaces/bob', operator)

    it.each(requests)('just before its turn is kept -> it does not come back: %s %s', async (...request) => {
      const [method, path, body] = request
      const target = path.replace('ID', await called(there, bob))
      before = async (_script, _workspace, commits) => {
        if (commits === 0) return
        before = () => undefined
        await remove()
      }
      expect((await ask(there, method, target, bearer(bob.admin_token), body)).status).toBe(401)
      expect(await names()).toEqual(['default'])
    })

    it('before whoever runs the sandbox asks -> 404, and it does not come back', async () => {
      await called(there, bob)
      await remove()
      for (const path of ['/_sandbox/state', '/_sandbox/stream', '/_sandbox/trace', '/_sandbox/clock']) {
        expect((await ask(there, 'GET', `${path}?workspace=bob`, operator)).status, path).toBe(404)
      }
      expect(await names()).toEqual(['default'])
    })

    it('before a call in its process -> 401 whatever its key, and it does not come back', async () => {
      const gone = there.workspace('bob')
      await called(there, bob)
      await remove()
      const headers = { authorization: 'Bearer sk_sandbox_full' }
      expect((await gone.fetch('/v2/customers', { headers })).status).toBe(401)
      await expect(there.workspace('bob').saved()).rejects.toThrow('bob')
      expect(await names()).toEqual(['default'])
    })
  })

  describe('a stream that is open', () => {
    /** The events of a stream with the token until it ends. */
    const watching = async (): Promise<{ shown: Promise<string> }> => {
      const headers = { authorization: bearer(bob.admin_token) }
      const { body, status } = await there.fetch('/_sandbox/stream', { headers })
      expect(status).toBe(200)
      return { shown: new Response(body).text() }
    }

    it.each(ends)('%s elsewhere -> ends, and shows no call of the next owner', async (_how, end) => {
      const { shown } = await watching()
      const now = await end()
      expect(await works(there, now)).toEqual([200, 200])
      expect(await shown).not.toContain('event: request')
    })

    it('rotated elsewhere, and caught up by a snapshot -> the same', async () => {
      here = await replica(undefined, { entries: 2, bytes: Infinity, kept: 0 })
      const { shown } = await watching()
      const now = await rotate()
      for (let made = 0; made < 8; made++) await ask(here, 'POST', '/v2/keys', bearer(now.api_key))
      expect(await engine.cli('EXISTS', '{sandbox:bob}:snapshot')).toBe('1')
      expect(await works(there, now)).toEqual([200, 200])
      expect(await shown).not.toContain('event: request')
    })

    it('caught up by a snapshot without a rotation -> goes on', async () => {
      here = await replica(undefined, { entries: 2, bytes: Infinity, kept: 0 })
      let hasEnded = false
      const { shown } = await watching()
      void shown.then(() => (hasEnded = true))
      for (let made = 0; made < 8; made++) await ask(here, 'POST', '/v2/keys', bearer(bob.api_key))
      await called(there, bob)
      expect(hasEnded).toBe(false)
    })
  })

  it('a copy that was made from what was ended meanwhile -> nobody opens it, not even the next owner', async () => {
    const path = `/_sandbox/requests/${await called(there, bob)}/replay`
    let now: WorkspaceCredentials | undefined
    before = async (_script, workspace) => {
      // Made is it, and then its process knows nothing any more.
      if (now && workspace === 'bob') throw new EngineUnavailableError('it is away.', false)
      if (workspace !== 'bob-replay-1' || now) return
      now = bob
      now = await remake()
    }
    expect((await ask(there, 'POST', path, bearer(bob.admin_token))).status).toBe(503)
    const named = (await ask(here, 'GET', '/_sandbox/workspaces', operator)).json.workspaces
    expect(named.map(({ name }: { name: string }) => name)).toEqual(['default', 'bob', 'bob-replay-1'])
    for (const { api_key: key, admin_token: token } of [bob, now ?? bob]) {
      const ofCopy = bearer(`${key}-replay-1`)
      expect((await ask(here, 'GET', '/v2/customers', ofCopy)).status).toBe(401)
      const state = await ask(here, 'GET', '/_sandbox/state?workspace=bob-replay-1', bearer(token))
      expect(state.status).toBe(token === bob.admin_token ? 401 : 403)
    }
    const own = (await ask(here, 'GET', '/_sandbox/workspaces', bearer(now?.admin_token ?? ''))).json
    expect(own.workspaces).toMatchObject([{ name: 'bob' }])
  })

  it('a body that does not end -> nobody else waits for it', async () => {
    await called(there, bob)
    const finish = await held('PATCH', '/_sandbox/state/account', '{}')
    expect(await works(there, bob)).toEqual([200, 200])
    for (const [method, path] of [
      ['GET', '/_sandbox/workspaces'],
      ['GET', '/_sandbox/coverage'],
      ['DELETE', '/_sandbox/workspaces/bob'],
    ] as const) {
      expect((await ask(there, method, path, operator)).status).toBeLessThan(300)
    }
    expect(await finish()).toBe(401)
  })

  it.each(ends)(
    'a call that waited, %s elsewhere -> stands in no journal of a partner',
    async (_how, end) => {
      const late = { name: 'late', description: 'late', rules: [{ on: '*', effect: { latency: 1 } }] }
      await ask(here, 'POST', '/_sandbox/scenarios', bearer(bob.admin_token), late)
      await called(there, bob)
      let turns = 0
      before = async (script, workspace) => {
        // It is judged and counted, and in its next turn it has waited.
        if (script === 'sync' && workspace === 'bob' && ++turns === 3) await end()
      }
      const secret = { customer_id: 'of-the-old-owner' }
      const intents = '/v2/transaction_intents'
      const answer = await ask(there, 'POST', intents, bearer(bob.api_key), secret, {
        'x-sandbox-scenario': 'late',
      })
      expect(answer.status).toBe(401)
      expect(turns).toBeGreaterThan(2)
      expect(answer.headers['x-sandbox-request-id']).toMatch(/^req_default_\d+$/)
      const of = async (workspace: string) =>
        (await ask(here, 'GET', `/_sandbox/requests?workspace=${workspace}`, operator)).text
      expect(await of('bob')).not.toContain(intents)
      expect(await of('default')).toContain(intents)
    },
  )
})
