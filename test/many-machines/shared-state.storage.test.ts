// Changes of one replica are visible to the next call of others: rows, clocks, scenarios, snapshots, workspaces, journals.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createSandbox } from '../../src/sandbox/index.ts'
import type { ReceiverPoint } from '../../src/events/receiver-points.ts'
import type { WebhookEvent } from '../../src/operations/workspace-events.ts'
import type { SandboxOptions } from '../../src/options/index.ts'
import { StoreError } from '../../src/workspaces/storage.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'

type Replica = Awaited<ReturnType<typeof createSandbox>>

const frozenOptions: SandboxOptions = { clock: '2026-11-01T12:00:00Z', frozen: true }
const reward = '/v2/rewards/rwd_ada_pending'
const rethrow = (error: unknown): never => {
  throw error
}

/** The rows of a list in a body. */
function listOf(body: Record<string, unknown> | undefined, name: string): { id?: string; name?: string }[] {
  return body?.[name] as { id?: string; name?: string }[]
}

describeWithEngine('two replicas on one engine', () => {
  let engine: RunningEngine
  let a: Replica
  let b: Replica
  const started: Replica[] = []

  async function replica(options: SandboxOptions = {}, prefix = 'sandbox'): Promise<Replica> {
    const sandbox = await createSandbox(
      { ...frozenOptions, store: engine.url, storePrefix: prefix, ...options },
      { onBug: rethrow },
    )
    started.push(sandbox)
    return sandbox
  }

  async function call(of: Replica, method: string, path: string, json?: unknown, key = 'sk_sandbox_full') {
    const response = await of.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      commit: response.headers.get('x-sandbox-commit'),
      id: response.headers.get('x-sandbox-request-id'),
      version: response.headers.get('x-service-version'),
      retryAfter: response.headers.get('retry-after'),
      body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
    }
  }

  beforeAll(async () => {
    engine = await startEngine()
  })
  beforeEach(async () => {
    await engine.cli('FLUSHALL')
    a = await replica()
    b = await replica()
    return async () => {
      await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
    }
  })
  afterAll(() => engine.stop())

  it('a write -> the next read anywhere has it, with its version and the next number', async () => {
    expect(await call(a, 'GET', reward)).toMatchObject({ status: 200, commit: '1', id: 'req_default_1' })
    const written = await call(b, 'PATCH', reward, { status: 'AVAILABLE' })
    expect(written).toMatchObject({ status: 200, commit: '2', id: 'req_default_2' })
    const read = await call(a, 'GET', reward)
    expect(read).toMatchObject({ status: 200, commit: '2', id: 'req_default_3', body: written.body })
  })

  it('a refused write -> no version', async () => {
    expect(await call(b, 'PATCH', reward, { status: 'NOPE' })).toMatchObject({ status: 400, commit: '1' })
    expect(await call(a, 'GET', reward)).toMatchObject({ commit: '1' })
  })

  it('ids made here and there -> one sequence, that of one process', async () => {
    const alone = await createSandbox(frozenOptions)
    started.push(alone)
    const made = async (of: Replica): Promise<unknown> =>
      (await call(of, 'POST', '/v2/customers/cus_ada/transaction_intents', { amount: 100, currency: 'USD' }))
        .body
    const expected = [await made(alone), await made(alone), await made(alone)]
    expect([await made(a), await made(b), await made(a)]).toEqual(expected)
  })

  it('a reset -> rows, numbers and journal begin again for all', async () => {
    await call(a, 'PATCH', reward, { status: 'AVAILABLE' })
    expect(await call(b, 'POST', '/_sandbox/reset')).toMatchObject({ status: 200, commit: '3' })
    expect(await call(a, 'GET', reward)).toMatchObject({ id: 'req_default_1', body: { status: 'PENDING' } })
    const { body } = await call(b, 'GET', '/_sandbox/requests')
    expect(body).toMatchObject({ requests: [{ id: 'req_default_1' }], dropped: 0 })
  })

  it('a snapshot taken here -> restored, shown, compared and deleted there', async () => {
    await call(a, 'PUT', '/_sandbox/snapshots/before')
    await call(b, 'PATCH', reward, { status: 'AVAILABLE' })
    const diff = await call(a, 'GET', '/_sandbox/snapshots/before/diff')
    expect(diff.body).toMatchObject({ rewards: { changed: [{ id: 'rwd_ada_pending' }] } })
    await call(b, 'POST', '/_sandbox/snapshots/before/restore')
    expect((await call(a, 'GET', reward)).body).toMatchObject({ status: 'PENDING' })
    expect(await call(a, 'DELETE', '/_sandbox/snapshots/before')).toMatchObject({ status: 204 })
    expect(await call(b, 'GET', '/_sandbox/snapshots/before')).toMatchObject({ status: 404 })
  })

  it('a clock moved here -> shown there', async () => {
    await call(a, 'POST', '/_sandbox/clock/advance', { days: 1 })
    expect((await call(b, 'GET', '/_sandbox/clock')).body).toEqual({
      now: '2026-11-02T12:00:00.000Z',
      frozen: true,
    })
  })

  it('stubs set here -> answered there, shown there, and gone there after a reset', async () => {
    const stub = { method: 'GET', path: '/v2/partners/me', status: 200, body: { id: 'partner_1' } }
    expect(await call(a, 'PUT', '/_sandbox/state/stubs', [stub])).toMatchObject({ status: 200 })
    expect(await call(b, 'GET', stub.path)).toMatchObject({ status: 200, body: stub.body })
    expect((await call(b, 'GET', '/_sandbox/state/stubs')).body).toEqual(
      (await call(a, 'GET', '/_sandbox/state/stubs')).body,
    )
    await call(b, 'POST', '/_sandbox/reset')
    expect(await call(a, 'GET', stub.path)).toMatchObject({ status: 404 })
  })

  /** A replica on a machine whose clock the test sets. */
  async function replicaOn(machine: { at: number }): Promise<Replica> {
    const real = Date.now
    Date.now = () => machine.at
    try {
      const sandbox = await createSandbox({ store: engine.url, storePrefix: 'clocks' }, { onBug: rethrow })
      started.push(sandbox)
      return sandbox
    } finally {
      Date.now = real
    }
  }

  it('a replica whose machine is behind -> shows no instant before that of the last write elsewhere', async () => {
    const [ahead, behind] = [{ at: Date.UTC(2026, 10, 1, 13) }, { at: Date.UTC(2026, 10, 1, 12) }]
    const [first, second] = [await replicaOn(ahead), await replicaOn(behind)]
    await call(first, 'PATCH', reward, { status: 'AVAILABLE' })
    const shown = { now: '2026-11-01T13:00:00.000Z', frozen: false }
    expect((await call(second, 'GET', '/_sandbox/clock')).body).toEqual(shown)
    behind.at = Date.UTC(2026, 10, 1, 14)
    expect((await call(second, 'GET', '/_sandbox/clock')).body).toMatchObject({
      now: '2026-11-01T14:00:00.000Z',
    })
  })

  it('a machine whose clock is set back after a write -> its replica shows no earlier instant', async () => {
    const machine = { at: Date.UTC(2026, 10, 1, 13) }
    const only = await replicaOn(machine)
    await call(only, 'PATCH', reward, { status: 'AVAILABLE' })
    machine.at -= 3_600_000
    expect((await call(only, 'GET', '/_sandbox/clock')).body).toEqual({
      now: '2026-11-01T13:00:00.000Z',
      frozen: false,
    })
  })

  it('a scenario registered here -> active there, and its calls are counted together', async () => {
    const scenario = {
      name: 'twice',
      description: 'The first two reads fail.',
      rules: [{ on: 'retrieveReward', calls: '1..2', effect: { error: 'INTERNAL_ERROR' } }],
    }
    const registered = await call(a, 'POST', '/_sandbox/scenarios', scenario)
    expect(registered.status, JSON.stringify(registered.body)).toBe(201)
    await call(b, 'PUT', '/_sandbox/scenarios/active', ['twice'])
    const statuses = [
      (await call(a, 'GET', reward)).status,
      (await call(b, 'GET', reward)).status,
      (await call(a, 'GET', reward)).status,
    ]
    expect(statuses).toEqual([500, 500, 200])
    expect((await call(b, 'GET', '/_sandbox/scenarios/twice')).body).toMatchObject({ active: true })
  })

  it('a workspace made here with things of its own -> there, and gone when it is deleted there', async () => {
    const own = { name: 'own', fixtures: { customers: [{ id: 'cus_own' }] }, clock: '2030-01-01T00:00:00Z' }
    expect(await call(a, 'POST', '/_sandbox/workspaces', own)).toMatchObject({ status: 201 })
    expect(await call(b, 'POST', '/_sandbox/workspaces', { name: 'own' })).toMatchObject({ status: 409 })
    expect(await call(b, 'GET', '/_sandbox/state/customers/cus_own?workspace=own')).toMatchObject({
      status: 200,
    })
    const { body } = await call(b, 'GET', '/_sandbox/workspaces')
    expect(body).toMatchObject({ workspaces: [{ name: 'default' }, { name: 'own' }] })
    expect(await call(b, 'DELETE', '/_sandbox/workspaces/own')).toMatchObject({ status: 204 })
    expect(await call(a, 'GET', '/_sandbox/workspaces/own')).toMatchObject({ status: 404 })
    expect(await call(a, 'GET', '/v2/customers/cus_own', undefined, 'sk_sandbox_full.own')).toMatchObject({
      status: 404,
      id: 'req_own_1',
    })
    expect(JSON.parse(await engine.cli('--json', 'KEYS', '{sandbox:own}*'))).not.toContain(
      '{sandbox:own}:snapshot',
    )
  })

  it('the journal -> calls of both, verified, explained and replayed at either', async () => {
    await call(a, 'GET', reward)
    await call(b, 'PATCH', reward, { status: 'AVAILABLE' })
    const listed = await call(a, 'GET', '/_sandbox/requests')
    expect(listed.body).toMatchObject({
      requests: [{ id: 'req_default_2' }, { id: 'req_default_1' }],
      dropped: 0,
    })
    expect((await call(a, 'GET', '/_sandbox/requests/req_default_2')).body).toEqual(
      (await call(b, 'GET', '/_sandbox/requests/req_default_2')).body,
    )
    const verified = await call(b, 'POST', '/_sandbox/requests/verify', {
      operation: 'retrieveReward',
      count: 1,
    })
    expect(verified).toMatchObject({ status: 200, body: { count: 1 } })
    const replayed = await call(b, 'POST', '/_sandbox/requests/req_default_1/replay')
    expect(replayed).toMatchObject({ status: 201, body: { workspace: 'replay-1', status: 200 } })
    const again = await call(a, 'POST', '/_sandbox/requests/req_default_1/replay')
    expect(again).toMatchObject({ status: 201, body: { workspace: 'replay-2', status: 200 } })
  })

  it('coverage -> the calls of both, also of workspaces that are gone, until it is cleared', async () => {
    const hits = async (of: Replica): Promise<number> => {
      const { body } = await call(of, 'GET', '/_sandbox/coverage')
      const points = body?.['points'] as { id: string; hits: number }[]
      return points.find(({ id }) => id === 'retrieveReward/success')?.hits ?? -1
    }
    const before = await call(a, 'GET', '/_sandbox/coverage')
    const points = before.body?.['points'] as { id: string }[]
    expect(points.map(({ id }) => id)).toContain('retrieveReward/success')
    await call(a, 'GET', reward)
    await call(b, 'GET', reward, undefined, 'sk_sandbox_full.w1')
    expect([await hits(a), await hits(b)]).toEqual([2, 2])
    await call(a, 'DELETE', '/_sandbox/workspaces/w1')
    expect([await hits(a), await hits(b)]).toEqual([2, 2])
    await call(b, 'DELETE', '/_sandbox/coverage')
    expect([await hits(a), await hits(b)]).toEqual([0, 0])
  })

  it('points of a receiver, and counts of event rules -> those of both', async () => {
    const options = { webhooks: 'standard', scenarios: 'event-unknown-type' } as const
    const [one, other] = [await replica(options, 'events'), await replica(options, 'events')]
    one.webhooks.add({ handler: () => new Response(null, { status: 204 }) })
    const post = (of: Replica, path: string, json?: object) =>
      call(of, 'POST', `/_sandbox/events/${path}`, json)
    const reward_updated = { type: 'reward.updated', id: 'rwd_ada_pending' }
    await post(one, 'trigger', reward_updated)
    await post(one, 'drain')
    await post(one, 'evt_1/resend')
    await post(other, 'trigger', reward_updated)
    const { body: listed } = await call(one, 'GET', '/_sandbox/events')
    const events = listed?.['events'] as WebhookEvent[]
    expect(events.map(({ id, scenario_rules: rules }) => [id, rules])).toEqual([
      ['evt_2', undefined],
      ['evt_1', ['event-unknown-type#1']],
    ])
    for (const of of [one, other]) {
      for (const query of ['', '?workspace=default']) {
        const { body } = await call(of, 'GET', `/_sandbox/coverage${query}`)
        const points = body?.['receiver'] as ReceiverPoint[]
        expect(points.flatMap(({ id, hits }) => (hits > 0 ? [[id, hits]] : []))).toEqual([
          ['accepted', 2],
          ['duplicate_accepted', 1],
          ['unknown_type_accepted', 2],
        ])
      }
    }
    await call(other, 'DELETE', '/_sandbox/coverage')
    const { body } = await call(one, 'GET', '/_sandbox/coverage')
    const points = body?.['receiver'] as ReceiverPoint[]
    expect(points.filter(({ covered }) => covered)).toEqual([])
  })

  it('coverage cleared at a replica that served nothing -> cleared, all of it or of one workspace', async () => {
    const covered = async (query = ''): Promise<unknown> =>
      (await call(a, 'GET', `/_sandbox/coverage${query}`)).body?.['covered']
    await call(a, 'GET', reward, undefined, 'sk_sandbox_full.w1')
    await call(a, 'GET', reward, undefined, 'sk_sandbox_full.w2')
    await call(b, 'DELETE', '/_sandbox/coverage?workspace=w1')
    expect(await covered('?workspace=w1')).toBe(0)
    expect(await covered('?workspace=w2')).not.toBe(0)
    await call(b, 'DELETE', '/_sandbox/coverage')
    expect([await covered(), await covered('?workspace=w2')]).toEqual([0, 0])
  })

  it('a wrong key of a workspace -> takes no number of it; one made elsewhere takes one', async () => {
    const numberOf = async (of: Replica, key: string) => (await call(of, 'GET', reward, undefined, key)).id
    expect(await numberOf(a, 'sk_sandbox_full.w1')).toBe('req_w1_1')
    expect(await numberOf(a, 'nobody.w1')).toBe('req_default_1')
    expect(await numberOf(b, 'nobody.w1')).toBe('req_default_2')
    const key = { api_key: 'sk_new', environment: 'sandbox' }
    expect(await call(a, 'PUT', '/_sandbox/state/api_keys/key_new?workspace=w1', key)).toMatchObject({
      status: 200,
    })
    expect(await numberOf(b, 'sk_new.w1')).toBe('req_w1_2')
  })

  it('workspaces and replays without a name, at the same time at both -> each has one of its own', async () => {
    await call(a, 'GET', reward)
    const six = [a, b, a, b, a, b]
    const made = await Promise.all(six.map((of) => call(of, 'POST', '/_sandbox/workspaces', {})))
    expect(made.map(({ status }) => status)).toEqual(six.map(() => 201))
    expect(new Set(made.map(({ body }) => body?.['name'])).size).toBe(6)
    const replays = await Promise.all(
      six.map((of) => call(of, 'POST', '/_sandbox/requests/req_default_1/replay', {})),
    )
    expect(new Set(replays.map(({ body }) => body?.['workspace'])).size).toBe(6)
    expect(replays.map(({ body }) => body?.['request_id'])).toEqual(
      replays.map(({ body }) => `req_${String(body?.['workspace'])}_1`),
    )
  })

  it('a replay into a workspace that this replica has not seen -> goes there', async () => {
    await call(a, 'GET', reward)
    await call(a, 'GET', reward, undefined, 'sk_sandbox_full.w7')
    const replayed = await call(b, 'POST', '/_sandbox/requests/req_default_1/replay', { workspace: 'w7' })
    expect(replayed).toMatchObject({ status: 201, body: { workspace: 'w7', request_id: 'req_w7_2' } })
  })

  it('more workspaces than allowed, over both -> 503 B without a version', async () => {
    await engine.cli('FLUSHALL')
    // Without a ttl none makes room.
    const options = { maxWorkspaces: 1, workspaceTtl: 'none' }
    const few = await replica(options, 'few')
    const other = await replica(options, 'few')
    expect(await call(few, 'GET', reward, undefined, 'sk_sandbox_full.w1')).toMatchObject({ status: 200 })
    expect(await call(other, 'GET', reward, undefined, 'sk_sandbox_full.w2')).toMatchObject({
      status: 503,
      version: null,
      body: { error: { type: 'SERVICE_UNAVAILABLE_ERROR' } },
    })
    expect(await call(other, 'GET', reward, undefined, 'sk_sandbox_full.w1')).toMatchObject({ status: 200 })
  })

  it('everything of the store flushed -> the next call finds the baseline again, at any replica', async () => {
    await call(a, 'PATCH', reward, { status: 'AVAILABLE' })
    await engine.cli('FLUSHALL')
    expect(await call(b, 'GET', reward)).toMatchObject({
      commit: '1',
      id: 'req_default_1',
      body: { status: 'PENDING' },
    })
    expect(await call(a, 'GET', reward)).toMatchObject({
      commit: '1',
      id: 'req_default_2',
      body: { status: 'PENDING' },
    })
    const third = await replica()
    expect(await call(third, 'GET', reward)).toMatchObject({ id: 'req_default_3' })
  })

  it.each<[string, SandboxOptions, string]>([
    ['fixtures', { fixtures: { customers: [{ id: 'cus_1' }] } }, 'fixtures'],
    ['a population', { generate: { customers: 3 } }, 'generate'],
    ['a seed', { seed: 7 }, 'seed'],
    ['a scenario', { scenarios: 'slow' }, 'scenarios'],
    ['a clock', { clock: '2027-01-01T00:00:00Z' }, 'clock'],
    ['an assumption', { assume: { not_found_status: 410 } }, 'assumptions'],
    ['fixtures and a seed', { seed: 7, fixtures: { customers: [] } }, 'fixtures, seed'],
  ])('a replica that begins with another %s -> refused, and told in what', async (_, options, names) => {
    const refusal: unknown = await replica(options).catch((error: unknown) => error)
    if (!(refusal instanceof StoreError)) throw new Error('it was not refused', { cause: refusal })
    expect(refusal.exit).toBe(3)
    expect(refusal.message).toMatch(
      new RegExp(
        `^--store redis://127\\.0\\.0\\.1:\\d+: under the prefix 'sandbox' a sandbox began at .+Z with another ${names}: start all replicas alike, or start this one with another --store-prefix$`,
      ),
    )
  })

  it('a store of another version -> refused with both formats, and how to take the state over', async () => {
    await engine.cli('hset', '{sandbox}:baseline', 'digest:format', '1')
    const refusal: unknown = await replica().catch((error: unknown) => error)
    await engine.cli('hset', '{sandbox}:baseline', 'digest:format', '2')
    if (!(refusal instanceof StoreError)) throw new Error('it was not refused', { cause: refusal })
    expect(refusal.exit).toBe(3)
    expect(refusal.message.replace(engine.url, 'STORE').replace(/\d{4}-\S+Z/, 'TIME')).toBe(
      "--store STORE: under the prefix 'sandbox' a sandbox of another version began at TIME: its values have format 1, and this version reads format 2: to take the state over, run 'partner-rewards-sandbox state dump -o state.json' against the other version, and start this one with --fixtures state.json and another --store-prefix; else start this one with another --store-prefix",
    )
  })

  it.each(['{sandbox:default}:log', '{sandbox:default}:journal', '{sandbox:default}:counts'])(
    'a value of another kind at %s -> 503 B, nothing is written, and well again without it',
    async (name) => {
      await engine.cli('SET', name, 'x')
      const patch = (): ReturnType<typeof call> => call(a, 'PATCH', reward, { status: 'AVAILABLE' })
      expect(await patch()).toMatchObject({ status: 503, version: null, retryAfter: '1' })
      await engine.cli('DEL', name)
      expect(await call(b, 'GET', reward)).toMatchObject({ body: { status: 'PENDING' } })
      expect(await patch()).toMatchObject({ status: 200 })
    },
  )

  it.each<[string, string[]]>([
    ['a text where the log is', ['SET', '{other:default}:log', 'x']],
    ['a text where the baseline is', ['SET', '{other}:baseline', 'x']],
    ['a stream of somebody else', ['XADD', '{other:default}:log', '5-0', 'foo', 'bar']],
    ['an entry that is none', ['XADD', '{other:default}:log', '1-0', 'n', 'a', 'p', '', 'e', 'x']],
  ])('%s at the start -> refused, and left as it is', async (_, command) => {
    await engine.cli(...command)
    const refusal: unknown = await replica({}, 'other').catch((error: unknown) => error)
    expect(refusal).toMatchObject({ name: 'StoreError', exit: 3 })
    expect(await engine.cli('EXISTS', command[1] ?? '')).toBe('1')
  })

  it('the store begun anew with other fixtures -> no answer, and not ready, whichever workspace finds it', async () => {
    const reason =
      'The store was reset with another baseline than that of this replica: restart it, or give it another --store-prefix.'
    const notAlike = { status: 'not_ready', reason }
    await engine.cli('FLUSHALL')
    const other = await replica({ fixtures: { customers: [{ id: 'cus_other' }] } })
    expect(await call(a, 'GET', '/v2/customers')).toMatchObject({ status: 503, commit: null })
    expect(await call(other, 'GET', '/v2/customers')).toMatchObject({ status: 200 })
    expect(await call(a, 'GET', '/_sandbox/ready')).toMatchObject({ status: 503, body: notAlike })
    expect(await call(other, 'GET', '/_sandbox/ready')).toMatchObject({ status: 200 })
    expect(await call(b, 'GET', '/_sandbox/ready')).toMatchObject({ status: 200 })
    expect(await call(b, 'GET', reward, undefined, 'sk_sandbox_full.w1')).toMatchObject({ status: 503 })
    expect(await call(b, 'GET', '/_sandbox/ready')).toMatchObject({ status: 503, body: notAlike })
  })

  it('the store begun anew alike -> those that were there go on', async () => {
    await engine.cli('FLUSHALL')
    const again = await replica()
    expect(await call(again, 'GET', reward)).toMatchObject({ status: 200, id: 'req_default_1' })
    expect(await call(a, 'GET', reward, undefined, 'sk_sandbox_full.w1')).toMatchObject({ status: 200 })
    expect(await call(a, 'GET', reward)).toMatchObject({ status: 200, id: 'req_default_2' })
  })

  it('resets among reads of both -> no number twice in the journal', async () => {
    for (let round = 0; round < 10; round++) {
      const reads = Array.from({ length: 20 }, (_, at) => call(at % 2 ? a : b, 'GET', reward))
      await Promise.all([...reads, call(b, 'POST', '/_sandbox/reset')])
      await Promise.all(Array.from({ length: 10 }, (_, at) => call(at % 2 ? a : b, 'GET', reward)))
      const { body } = await call(a, 'GET', '/_sandbox/requests')
      const ids = listOf(body, 'requests').map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('a workspace deleted again and again among calls and verbs -> made anew, and never a failure', async () => {
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([
        call(a, 'GET', reward, undefined, 'sk_sandbox_full.d1'),
        call(b, 'PATCH', reward, { status: 'AVAILABLE' }, 'sk_sandbox_full.d1'),
        call(a, 'DELETE', '/_sandbox/workspaces/d1'),
        call(b, 'POST', '/_sandbox/reset?workspace=d1'),
        call(b, 'GET', '/_sandbox/state/rewards/rwd_ada_pending?workspace=d1'),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
    const { body } = await call(a, 'GET', '/_sandbox/workspaces')
    const listed = listOf(body, 'workspaces').some(({ name }) => name === 'd1')
    expect(listed).toBe((await engine.cli('EXISTS', '{sandbox:d1}:log')) === '1')
  })

  it('the engine is away -> 503 B before anybody looks at the key, and by itself well again', async () => {
    await engine.kill('SIGKILL')
    const refused = await call(a, 'GET', reward, undefined, 'nobody')
    expect(refused).toMatchObject({ status: 503, commit: null, id: null, version: null, retryAfter: '1' })
    expect(refused.body).toMatchObject({ error: { type: 'SERVICE_UNAVAILABLE_ERROR' } })
    expect(await call(a, 'GET', '/_sandbox/requests')).toMatchObject({ status: 503, retryAfter: '1' })
    const health = await call(a, 'GET', '/_sandbox/health')
    expect(health).toMatchObject({ status: 503, body: { status: 'degraded', store: { status: 'away' } } })
    await engine.restart()
    while ((await call(a, 'GET', '/_sandbox/health')).status !== 200)
      await new Promise((wake) => setImmediate(wake))
    expect(await call(a, 'GET', reward)).toMatchObject({ status: 200, commit: '1' })
  })
})
