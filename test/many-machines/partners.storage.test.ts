// Two partners of two replicas on one store: what one tries at a replica on what the other did at the other one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SandboxOptions } from '../../src/index.ts'
import { createSandbox as create } from '../../src/sandbox/index.ts'
import { describeWithEngine, startEngine, type RunningEngine } from '../helpers/engine.ts'
import { expectRefused, victimsState } from '../helpers/partner-outcomes.ts'
import { stranger, tries, victim } from '../helpers/partner-tries.ts'
import {
  ask as askOnce,
  bearer,
  operator,
  partnerOptions,
  twoPartners,
  type World,
} from '../helpers/partners.ts'
import { served, shortTimes } from './two-processes.ts'

const hooks = { storage: { engine: { times: { renewEvery: shortTimes.renewEvery } } } }
const createSandbox = (options: SandboxOptions) => create(options, hooks)

/** Sends a call again for as long as it is answered 503, as clients do. */
const ask: typeof askOnce = (...call) => served(() => askOnce(...call))

describeWithEngine('partners of two replicas', () => {
  let engine: RunningEngine
  let world: World
  let before: unknown
  beforeAll(async () => {
    engine = await startEngine()
    world = await twoPartners({ store: engine.url }, hooks)
    before = await victimsState(world)
  }, 60_000)
  afterAll(async () => {
    await world.close()
    await engine.stop()
  })

  it.each(tries.map((one) => [one.what, one] as const))(
    '%s',
    async (_what, one) => {
      await expectRefused(one, world, victim, stranger)
      expect(await victimsState(world)).toEqual(before)
    },
    60_000,
  )

  it('the next call of the other has the next number: no try took one', async () => {
    const { there, beta } = world
    const { requests } = (await ask(there, 'GET', '/_sandbox/requests', bearer(beta.admin_token))).json
    const { headers } = await ask(there, 'GET', '/v2/customers', bearer(beta.api_key))
    expect(headers['x-sandbox-request-id']).toBe(`req_beta_${requests.length + 1}`)
  })

  it('keys, tokens, cursors and links of one replica are good at the other, and ended there by a rotation here', async () => {
    const { here, there, acme } = world
    const calls = (replica: typeof here, { api_key: key, admin_token: token }: typeof acme.ended) =>
      Promise.all([
        ask(replica, 'GET', '/v2/customers', bearer(key)),
        ask(replica, 'GET', '/_sandbox/clock', bearer(token)),
      ]).then((reported) => reported.map(({ status }) => status))
    const link = new URL(acme.pdfUrl)
    const linked = async () => (await ask(there, 'GET', link.pathname + link.search)).status
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1&starting_after='
    expect(await calls(there, acme)).toEqual([200, 200])
    expect((await ask(there, 'GET', path + acme.cursor, bearer(acme.api_key))).status).toBe(200)
    expect(await linked()).toBe(200)
    // The first copies went as others were made.
    const { workspaces: own } = (await ask(here, 'GET', '/_sandbox/workspaces', bearer(acme.admin_token)))
      .json
    const keyOfCopy = acme.api_key.replace(/acme$/, own.at(-1).name)
    const headers = { authorization: bearer(acme.admin_token) }
    const stream = await served(() => there.fetch('/_sandbox/stream', { headers }))
    const copy = await ask(there, 'GET', `/v2/customers`, bearer(keyOfCopy))
    expect(copy.status).toBe(200)

    const { json, status } = await ask(
      there,
      'POST',
      '/_sandbox/workspaces/acme/rotate',
      bearer(acme.admin_token),
    )
    expect(status).toBe(200)
    expect(await calls(there, acme)).toEqual([401, 401])
    expect(await calls(here, acme)).toEqual([401, 401])
    expect(await calls(there, json)).toEqual([200, 200])
    expect(await calls(here, json)).toEqual([200, 200])
    expect(await linked()).toBe(403)
    expect((await ask(there, 'GET', path + acme.cursor, bearer(json.api_key))).status).toBe(400)
    const gone = await ask(there, 'GET', `/v2/customers`, bearer(keyOfCopy))
    expect(gone.status).toBe(401)
    // It ended: there is an end to read.
    expect(await stream.text()).not.toContain('error')
    // Their owner removes the copies once it knows of the rotation.
    const left = async (): Promise<string[]> => {
      const { json: list } = await ask(there, 'GET', '/_sandbox/workspaces', operator)
      return list.workspaces.map(({ name }: { name: string }) => name)
    }
    await expect.poll(left, { timeout: 10_000 }).toEqual(['default', 'acme', 'beta', 'beta-replay-1'])
  })

  it('two processes that rotate concurrently: the keys of the later rotation are good, at both', async () => {
    const { here, there, beta } = world
    const rotated = await Promise.all(
      [here, there].map((replica) => ask(replica, 'POST', '/_sandbox/workspaces/beta/rotate', operator)),
    )
    const keys = rotated.map(({ json }) => bearer(json.api_key))
    for (const replica of [here, there]) {
      const reported = await Promise.all(keys.map((key) => ask(replica, 'GET', '/v2/customers', key)))
      expect(reported.map(({ status }) => status).toSorted()).toEqual([200, 401])
    }
    expect((await ask(here, 'GET', '/v2/customers', bearer(beta.api_key))).status).toBe(401)
  })

  it('a workspace that is deleted and made again has none of the keys it had', async () => {
    const { here, there } = world
    const make = async () =>
      (await ask(here, 'POST', '/_sandbox/workspaces', operator, { name: 'gone' })).json
    const first = await make()
    expect((await ask(there, 'GET', '/v2/customers', bearer(first.api_key))).status).toBe(200)
    await ask(here, 'DELETE', '/_sandbox/workspaces/gone', operator)
    expect((await ask(there, 'GET', '/v2/customers', bearer(first.api_key))).status).toBe(401)
    const second = await make()
    expect((await ask(there, 'GET', '/v2/customers', bearer(first.api_key))).status).toBe(401)
    expect((await ask(there, 'GET', '/_sandbox/clock', bearer(first.admin_token))).status).toBe(401)
    expect((await ask(there, 'GET', '/v2/customers', bearer(second.api_key))).status).toBe(200)
  })

  it('some are deleted at once -> each answer is given once its own keys open nothing anywhere', async () => {
    const { here, there } = world
    const make = async (name: string) =>
      (await ask(here, 'POST', '/_sandbox/workspaces', operator, { name })).json
    const made = await Promise.all(['one', 'two', 'three'].map(make))
    for (const { api_key: key } of made) await ask(there, 'GET', '/v2/customers', bearer(key))
    const reported = await Promise.all(
      made.map(async ({ name, api_key: key }) => [
        (await ask(here, 'DELETE', `/_sandbox/workspaces/${name}`, operator)).status,
        (await ask(there, 'GET', '/v2/customers', bearer(key))).status,
      ]),
    )
    expect(reported).toEqual(made.map(() => [204, 401]))
  })

  it('deleted at the other replica -> its name and its room are free at once, at both', async () => {
    const own = {
      ...partnerOptions,
      store: engine.url,
      storePrefix: 'again',
      maxWorkspaces: 1,
      workspaceTtl: 'none',
    }
    const [here, there] = await Promise.all([createSandbox(own), createSandbox(own)])
    try {
      const make = (name: string, at: typeof here) =>
        ask(at, 'POST', '/_sandbox/workspaces', operator, { name })
      for (const name of ['acme', 'acme', 'bolt']) {
        const made = await make(name, there)
        expect([name, made.status]).toEqual([name, 201])
        expect((await ask(there, 'GET', '/v2/customers', bearer(made.json.api_key))).status).toBe(200)
        expect((await ask(here, 'DELETE', `/_sandbox/workspaces/${name}`, operator)).status).toBe(204)
      }
    } finally {
      await Promise.all([here.close(), there.close()])
    }
  })

  it.each([
    ['that keeps nobody apart', { isolation: 'test' }, 'isolation'],
    ['with another secret', { isolationSecret: 'another-secret-of-the-sandbox' }, '--isolation-secret'],
  ] as const)('a replica %s is refused, and told in what', async (_what, options, differs) => {
    const refused = createSandbox({ ...partnerOptions, ...options, store: engine.url })
    await expect(refused).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining(`Z with another ${differs}: start all replicas alike`) as string,
    })
  })

  it('copies take no room of what an operator makes, at any replica', async () => {
    const own = {
      ...partnerOptions,
      store: engine.url,
      storePrefix: 'room',
      maxWorkspaces: 2,
      workspaceTtl: 'none',
    }
    const [here, there] = await Promise.all([createSandbox(own), createSandbox(own)])
    try {
      const make = (name: string, at = here) => ask(at, 'POST', '/_sandbox/workspaces', operator, { name })
      const { json: acme } = await make('acme')
      await ask(here, 'GET', '/v2/customers', bearer(acme.api_key))
      const replay = (at: typeof here) =>
        ask(at, 'POST', '/_sandbox/requests/req_acme_1/replay', bearer(acme.admin_token))
      expect([(await replay(here)).status, (await replay(here)).status]).toEqual([201, 201])
      expect((await make('beta')).status).toBe(201)
      expect((await replay(here)).status).toBe(201)
      expect((await make('gamma', there)).status).toBe(409)
      await ask(there, 'DELETE', '/_sandbox/workspaces/acme', operator)
      expect((await make('gamma', there)).status).toBe(201)
      expect((await make('delta', there)).status).toBe(409)
    } finally {
      await Promise.all([here.close(), there.close()])
    }
  })

  it('a store that is away -> 503 for all that must look there, and health tells of it', async () => {
    const bugs: unknown[] = []
    const own = await startEngine()
    const replica = await create({ ...partnerOptions, store: own.url }, { onBug: (bug) => bugs.push(bug) })
    try {
      const { json: acme } = await ask(replica, 'POST', '/_sandbox/workspaces', operator, { name: 'acme' })
      await own.kill('SIGKILL')
      const token = bearer(acme.admin_token)
      for (const [path, authorization] of [
        ['/_sandbox/workspaces', token],
        ['/_sandbox/clock?workspace=acme-replay-1', token],
        ['/_sandbox/clock', bearer(`token_${'a'.repeat(24)}.other`)],
      ] as const) {
        const { status, headers, json } = await askOnce(replica, 'GET', path, authorization)
        expect([path, status, headers['retry-after'], json.error.type]).toEqual([
          path,
          503,
          '1',
          'UNAVAILABLE',
        ])
      }
      expect((await askOnce(replica, 'GET', '/_sandbox/health', token)).json.status).toBeDefined()
      expect(bugs).toEqual([])
    } finally {
      await replica.close()
      await own.stop()
    }
  }, 60_000)
})
