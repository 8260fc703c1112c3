import { describe, expect, it } from 'vitest'
import { allEndpoints } from '../../src/endpoints/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const rule = { on: 'retrieveReward', effect: 'not_found' }
const reward = '/v2/rewards/rwd_ada_pending'

/** A scenario as an object, with these rules. */
const scenario = (name: string, ...rules: object[]): Record<string, unknown> => ({
  name,
  description: 'd',
  rules,
})

describe('rules that never fired', () => {
  const reasons = (sandbox: Awaited<ReturnType<typeof startSandbox>>): string[] =>
    sandbox.findings.unfiredRules().map(({ id, reason }) => `${id}: ${reason}`)

  it('nothing active -> none, whatever the catalogue holds', async () => {
    const sandbox = await startSandbox()
    await sandbox.scenarios.list()
    await sandbox.fetch(reward)
    expect(sandbox.findings.unfiredRules()).toEqual([])
  })

  it.each<[string, object, number, string[]]>([
    ['no call for its operation', { ...rule, on: 'updateReward' }, 1, ['x#1: no call was for updateReward']],
    [
      'two operations',
      { on: ['updateReward', 'linkCustomer'], effect: 'unauthenticated' },
      1,
      ['x#1: no call was for updateReward or linkCustomer'],
    ],
    [
      'another reward',
      { ...rule, when: { params: { reward_id: 'rwd_x' } } },
      2,
      ["x#1: 2 calls for retrieveReward, and none matched its 'when'"],
    ],
    [
      'a later call',
      { ...rule, calls: '2..' },
      1,
      ["x#1: 1 call matched it, and none is among its 'calls: 2..'"],
    ],
    [
      'no call of its share',
      { ...rule, calls: '1%' },
      2,
      ["x#1: 2 calls matched it, and the seed chose none of them with its 'calls: 1%'"],
    ],
    ['it fired', rule, 1, []],
  ])('%s', async (_what, one, calls, expected) => {
    const sandbox = await startSandbox({ scenarios: scenario('x', one) })
    for (let count = 0; count < calls; count++) await sandbox.call('GET', reward)
    expect(reasons(sandbox)).toEqual(expected)
  })

  it('every operation -> "its operations"; all of a rule is told', async () => {
    const sandbox = await startSandbox({ scenarios: scenario('x', { on: '*', effect: 'unauthenticated' }) })
    expect(sandbox.findings.unfiredRules()).toEqual([
      {
        id: 'x#1',
        scenario: 'x',
        operations: sandbox.findings.unfiredRules()[0]?.operations,
        asked: 0,
        calls: 0,
        reason: 'no call was for its operations',
      },
    ])
    expect(sandbox.findings.unfiredRules()[0]?.operations).toHaveLength(allEndpoints.length)
  })

  it.each(['header', 'key', 'active list', 'workspace'])(
    'active by %s -> its rule that did not fire is told',
    async (how) => {
      const fixtures =
        how === 'key'
          ? {
              api_keys: [
                {
                  id: 'k',
                  secret: 's_1',
                  api_key: 'sk_1',
                  environment: 'sandbox',
                  scenarios: ['reward-vanishes'],
                },
              ],
            }
          : {}
      const sandbox = await startSandbox({ fixtures })
      expect(sandbox.findings.unfiredRules()).toEqual([])
      const key = how === 'key' ? 'sk_1' : 'sk_sandbox_full'
      const headers: Record<string, string> = {
        authorization: `Bearer ${key}`,
        ...(how === 'header' ? { 'x-sandbox-scenario': 'reward-vanishes' } : {}),
      }
      if (how === 'active list') await sandbox.scenarios.activate('reward-vanishes')
      if (how === 'workspace') await sandbox.workspaces.create({ scenarios: ['reward-vanishes'] })
      await sandbox.fetch('/v2/customers', { headers })
      expect(sandbox.findings.unfiredRules().map(({ id }) => id)).toEqual(['reward-vanishes#1'])
    },
  )

  it('a reset and the end of a workspace take nothing away', async () => {
    const sandbox = await startSandbox()
    const w1 = await sandbox.workspaces.create({
      scenarios: [scenario('mine', rule, { ...rule, calls: '9' })],
    })
    expect((await w1.fetch(reward)).status).toBe(404)
    w1.reset()
    sandbox.workspaces.delete(w1.name)
    expect(reasons(sandbox)).toEqual(["mine#2: 1 call matched it, and none is among its 'calls: 9'"])
  })

  it('the same scenario in two workspaces counts as one; another of its name does not', async () => {
    const sandbox = await startSandbox()
    const own = [scenario('mine', rule)]
    const [a, b] = [
      await sandbox.workspaces.create({ scenarios: own }),
      await sandbox.workspaces.create({ scenarios: own }),
    ]
    await sandbox.workspaces.create({ scenarios: [scenario('mine', { ...rule, calls: '3' })] })
    expect(reasons(sandbox)).toHaveLength(2)
    await a.fetch(reward)
    expect([(await b.fetch('/v2/customers')).status, reasons(sandbox)]).toEqual([
      200,
      ['mine#1: no call was for retrieveReward'],
    ])
  })

  it('registered in place of one that is active -> active at once', async () => {
    const sandbox = await startSandbox()
    await sandbox.scenarios.register(scenario('mine', rule))
    expect(reasons(sandbox)).toEqual([])
    await sandbox.scenarios.activate('mine')
    await sandbox.scenarios.register(scenario('mine', rule, rule))
    expect(reasons(sandbox)).toHaveLength(3)
  })

  it('more scenarios than are watched -> those of the first 1,000', async () => {
    const sandbox = await startSandbox()
    for (let count = 0; count < 1_002; count++) {
      await sandbox.scenarios.register(scenario(`s-${count}`, rule))
      await sandbox.scenarios.activate(`s-${count}`)
    }
    expect(reasons(sandbox)).toHaveLength(1_000)
    expect((await sandbox.call('GET', reward)).status).toBe(404)
    expect(reasons(sandbox)).toHaveLength(1_000)
  })
})

describe('calls that met no endpoint', () => {
  it('every call has one -> none', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', reward)
    await sandbox.call('HEAD', reward)
    await sandbox.call('GET', '/v2/rewards/nobody')
    await sandbox.call('GET', reward, { key: 'nobody' })
    await sandbox.fetch('/v2/nothing', { method: 'OPTIONS' })
    await sandbox.fetch('/')
    await sandbox.fetch('/_sandbox/nothing')
    expect(sandbox.findings.unmatchedCalls()).toEqual({ total: 0, kinds: [] })
  })

  it('by the mistake in them, whatever ids they hold and whoever makes them', async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    for (const id of ['a', 'b', 'c']) await w1.fetch(`/v2/reward/${id}`)
    w1.reset()
    sandbox.workspaces.delete('w1')
    await sandbox.fetch('/v2/reward/d')
    await sandbox.call('DELETE', reward)
    await sandbox.call('GET', '/v9/teapots')
    sandbox.reset()
    expect(sandbox.findings.unmatchedCalls()).toEqual({
      total: 6,
      kinds: [
        {
          method: 'GET',
          path: '/v2/reward/a',
          count: 4,
          nearest: 'GET /v2/rewards/{reward_id}',
          differs: ["'reward' should be 'rewards'"],
        },
        {
          method: 'DELETE',
          path: reward,
          count: 1,
          nearest: 'GET /v2/rewards/{reward_id}',
          differs: ['DELETE should be GET or PATCH'],
        },
        { method: 'GET', path: '/v9/teapots', count: 1, nearest: null, differs: [] },
      ],
    })
  })

  it('the path of --base-url is none of the mistake', async () => {
    const sandbox = await startSandbox({ baseUrl: 'https://gw.example/api' })
    await sandbox.call('GET', '/api/v2/reward/x')
    expect(sandbox.findings.unmatchedCalls().kinds).toMatchObject([
      { path: '/v2/reward/x', differs: ["'reward' should be 'rewards'"] },
    ])
  })

  it('shows no secret and no card number, nothing that breaks a line, and not all of a long path', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', '/v2/x/sk_sandbox_full/4242424242424242')
    await sandbox.call('GET', `/v2/x/${'%0a'.repeat(2_000)}${'y'.repeat(5_000)}`)
    const paths = sandbox.findings.unmatchedCalls().kinds.map(({ path }) => path)
    expect(paths[0]).toBe('/v2/x/***/************4242')
    expect(paths[1]?.length).toBeLessThan(200)
  })

  it('a scan of all paths -> 1,000 kinds at most, every call counted', async () => {
    const sandbox = await startSandbox()
    for (let count = 0; count < 1_001; count++) await sandbox.fetch(`/${count}/x`)
    const { total, kinds } = sandbox.findings.unmatchedCalls()
    expect([total, kinds.length]).toEqual([1_001, 1_000])
  })
})
