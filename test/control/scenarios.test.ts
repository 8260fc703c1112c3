import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

const builtIn = readdirSync('scenarios').filter((file) => file.endsWith('.yaml'))

interface Got {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
}

async function ask(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Got> {
  const response = await sandbox.fetch(`/_sandbox/scenarios${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

const read = (sandbox: Sandbox, headers: Record<string, string> = {}): Promise<number> =>
  sandbox
    .fetch('/v2/rewards/rwd_ada_pending', { headers: { authorization: `Bearer ${fullKey}`, ...headers } })
    .then(({ status }) => status)

const mine = {
  name: 'mine',
  description: 'The second read fails.',
  rules: [
    { on: 'retrieveReward', calls: '2', effect: { error: 'INTERNAL_ERROR' } },
    { on: 'updateReward', effect: 'not_found' },
  ],
}
const unused = { calls: 0, hits: 0 }
const view = (active: boolean, first: object = unused): object => ({
  name: 'mine',
  description: 'The second read fails.',
  active,
  registered: true,
  rules: [
    { id: 'mine#1', ...first },
    { id: 'mine#2', ...unused },
  ],
})

describe('/_sandbox/scenarios', () => {
  it('restart -> the counters of a scenario begin at zero; of one that is not there, 404', async () => {
    const sandbox = await startSandbox()
    await sandbox.scenarios.activate('reward-vanishes')
    const statuses = async (): Promise<number[]> => {
      const seen: number[] = []
      for (let call = 0; call < 2; call++)
        seen.push((await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')).status)
      return seen
    }
    expect(await statuses()).toEqual([200, 404])
    expect(await askControl(sandbox, 'POST', '/scenarios/reward-vanishes/restart')).toMatchObject({
      status: 200,
      json: { name: 'reward-vanishes', active: true, rules: [{ calls: 0, hits: 0 }] },
    })
    expect(await statuses()).toEqual([200, 404])
    const none = await askControl(sandbox, 'POST', '/scenarios/nope/restart')
    expect([none.status, none.json]).toEqual([
      404,
      controlErrorBody('NOT_FOUND', "No scenario is called 'nope': GET /_sandbox/scenarios lists them."),
    ])
  })

  it('GET -> the catalogue, with what is active and how often each rule was used', async () => {
    const sandbox = await startSandbox({ scenarios: ['reward-vanishes'] })
    expect([await read(sandbox), await read(sandbox), await read(sandbox)]).toEqual([200, 404, 404])
    const { status, json } = await ask(sandbox, 'GET', '')
    expect([status, Object.keys(json), json.scenarios.length]).toEqual([200, ['scenarios'], builtIn.length])
    expect(json.scenarios.filter(({ active }: { active: boolean }) => active)).toEqual([
      {
        name: 'reward-vanishes',
        description: 'The reward is readable once and gone from the second read on.',
        active: true,
        rules: [{ id: 'reward-vanishes#1', calls: 3, hits: 2 }],
      },
    ])
  })

  it('POST -> 201, and it can be activated, seen, forgotten', async () => {
    const sandbox = await startSandbox()
    expect(await ask(sandbox, 'POST', '', mine)).toEqual({ status: 201, json: view(false) })
    expect(await ask(sandbox, 'PUT', '/active', ['mine'])).toEqual({
      status: 200,
      json: { active: ['mine'] },
    })
    expect([await read(sandbox), await read(sandbox)]).toEqual([200, 500])
    expect(await ask(sandbox, 'GET', '/mine')).toEqual({
      status: 200,
      json: { ...view(true, { calls: 2, hits: 1 }), document: mine },
    })
    expect(await ask(sandbox, 'POST', '', mine)).toEqual({ status: 201, json: view(true) })
    expect(await ask(sandbox, 'DELETE', '/mine')).toEqual({ status: 204, json: undefined })
    expect(await ask(sandbox, 'GET', '/active')).toEqual({ status: 200, json: { active: [] } })
    for (const method of ['GET', 'DELETE']) {
      expect(await ask(sandbox, method, '/mine')).toEqual({
        status: 404,
        json: {
          error: {
            type: 'NOT_FOUND',
            message: "No scenario is called 'mine': GET /_sandbox/scenarios lists them.",
          },
        },
      })
    }
  })

  it('active: PUT replaces the list in its order, DELETE empties it', async () => {
    const sandbox = await startSandbox()
    const names = ['unavailable', 'not-found-reward']
    expect(await ask(sandbox, 'PUT', '/active', names)).toEqual({ status: 200, json: { active: names } })
    expect(await read(sandbox)).toBe(503)
    await ask(sandbox, 'PUT', '/active', names.toReversed())
    expect(await read(sandbox)).toBe(404)
    expect(await ask(sandbox, 'DELETE', '/active')).toEqual({ status: 204, json: undefined })
    expect(await read(sandbox)).toBe(200)
  })

  it.each([
    [
      'PUT',
      '/active',
      ['slow', 'unavailible'],
      "unknown scenario 'unavailible', did you mean 'unavailable'?",
    ],
    ['PUT', '/active', 'slow', 'activate: must be a list of names, such as ["slow"]'],
    [
      'PUT',
      '/active',
      [1],
      'activate [0]: must be the name of a scenario; register(scenario) adds one of your own, which you then activate by its name',
    ],
    ['POST', '', [mine], 'The body must be a scenario.'],
  ])('%s %s with %j -> 400, and nothing changes', async (method, path, body, message) => {
    const sandbox = await startSandbox({ scenarios: 'key-revoked' })
    const { status, json } = await ask(sandbox, method, path, body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
    expect((await ask(sandbox, 'GET', '/active')).json).toEqual({ active: ['key-revoked'] })
  })

  it('a scenario with problems -> 400, each with line and column of the body', async () => {
    const sandbox = await startSandbox()
    const faulty = { ...mine, rules: [{ on: '*', effect: 'not_fund' }], rulez: [] }
    const columnOf = (text: string): number => JSON.stringify(faulty).indexOf(text) + 1
    const { status, json } = await ask(sandbox, 'POST', '', faulty)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(json.error.details).toEqual([
      {
        source: 'body',
        line: 1,
        column: columnOf('"rulez"'),
        path: 'rulez',
        message: "unknown key 'rulez', did you mean 'rules'?",
        excerpt: expect.any(String),
      },
      {
        source: 'body',
        line: 1,
        column: columnOf('"not_fund"'),
        path: 'rules[0].effect',
        message: "unknown effect 'not_fund', did you mean 'not_found'?",
        excerpt: expect.any(String),
      },
    ])
    expect((await ask(sandbox, 'GET', '/mine')).status).toBe(404)
  })

  const yaml = [
    '# Gone for good.',
    'name: gone',
    'description: Every reward is gone.',
    'rules:',
    '  - on: retrieveReward',
    '    effect: not_found',
  ]

  it.each([
    ['YAML', yaml.join('\n')],
    ['JSON', '{"name":"gone","description":"Gone.","rules":[{"on":"retrieveReward","effect":"not_found"}]}'],
  ])('the text of a scenario in %s -> 201, and it acts', async (_, text) => {
    const sandbox = await startSandbox()
    expect(await ask(sandbox, 'POST', '', { text })).toMatchObject({
      status: 201,
      json: { name: 'gone', active: false, rules: [{ id: 'gone#1' }] },
    })
    await ask(sandbox, 'PUT', '/active', ['gone'])
    expect(await read(sandbox)).toBe(404)
  })

  it.each([
    [
      'an unknown effect',
      yaml.with(5, '    effect: not_fund').join('\n'),
      { line: 6, column: 13, path: 'rules[0].effect', message: expect.stringContaining("'not_found'") },
    ],
    ['what is no YAML', 'name: [', { line: 1, message: expect.any(String) }],
    ['what is no JSON', '{\n  "name": x', { line: 2, column: 11, message: expect.any(String) }],
    ['nothing', ' ', { message: 'is empty; expected a JSON or YAML document' }],
  ])('the text of a scenario with problems: %s -> 400 at the lines of the text', async (_, text, problem) => {
    const { status, json } = await ask(await startSandbox(), 'POST', '', { text })
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(json.error.details[0]).toMatchObject({ source: 'text', ...problem })
  })

  it('a text in YAML of 64 KiB -> read; a longer one -> 400, and in JSON read', async () => {
    const sandbox = await startSandbox()
    const longest = `${yaml.join('\n')}\n`.padEnd(64 * 1024, '#')
    expect((await ask(sandbox, 'POST', '', { text: longest })).status).toBe(201)
    const { status, json } = await ask(sandbox, 'POST', '', { text: `${longest}#` })
    expect([status, json.error.message]).toEqual([
      400,
      'text: is too long for YAML (at most 64 KiB): write it as JSON',
    ])
    const rules = [{ on: 'retrieveReward', effect: 'not_found' }]
    const document = { name: 'gone', description: 'Gone.'.repeat(20_000), rules }
    expect((await ask(sandbox, 'POST', '', { text: JSON.stringify(document) })).status).toBe(201)
  })

  it.each([
    [{ text: '- a' }, 'The body must be a scenario.'],
    [{ text: 1 }, "unknown key 'text'"],
    [{ text: yaml.join('\n'), name: 'x' }, "unknown key 'text'"],
  ])('%j -> 400', async (body, message) => {
    const { status, json } = await ask(await startSandbox(), 'POST', '', body)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('?workspace= -> that workspace only; every workspace inherits what was active from the start', async () => {
    const sandbox = await startSandbox({ scenarios: 'rate-limited' })
    const suffixed = { authorization: `Bearer ${fullKey}.w1` }
    expect((await ask(sandbox, 'GET', '/active?workspace=w1')).json).toEqual({ active: ['rate-limited'] })
    expect((await ask(sandbox, 'POST', '?workspace=w1', mine)).status).toBe(201)
    await ask(sandbox, 'PUT', '/active?workspace=w1', ['mine'])
    expect([await read(sandbox, suffixed), await read(sandbox, suffixed)]).toEqual([200, 500])
    expect([await read(sandbox), await read(sandbox), await read(sandbox)]).toEqual([429, 429, 200])
    expect((await ask(sandbox, 'GET', '/mine')).status).toBe(404)
  })

  it('a reset -> what was active from the start, counted anew; what was registered is gone', async () => {
    const sandbox = await startSandbox({ scenarios: 'reward-vanishes' })
    await ask(sandbox, 'POST', '', mine)
    await ask(sandbox, 'PUT', '/active', ['mine', 'reward-vanishes'])
    expect([await read(sandbox), await read(sandbox)]).toEqual([200, 500])
    sandbox.reset()
    expect((await ask(sandbox, 'GET', '/active')).json).toEqual({ active: ['reward-vanishes'] })
    expect((await ask(sandbox, 'GET', '/mine')).status).toBe(404)
    expect([await read(sandbox), await read(sandbox)]).toEqual([200, 404])
  })
})

const keyed = (scenarios: string[]): Record<string, unknown> => ({
  api_keys: [
    {
      id: 'key_full',
      secret: 'secret_full',
      api_key: fullKey,
      scopes: [],
      products: ['mk_summit'],
      environment: 'sandbox',
      scenarios,
    },
  ],
  customers: [{ id: 'cus_1' }],
  rewards: [{ id: 'rwd_ada_pending', customer_id: 'cus_1', status: 'PENDING' }],
})

describe('header, key and workspace', () => {
  // The header answers 404, the key 429, the workspace 503: the first that is there decides.
  it.each([
    ['-', '-', '-', 200],
    ['-', '-', 'workspace', 503],
    ['-', 'key', '-', 429],
    ['-', 'key', 'workspace', 429],
    ['header', '-', '-', 404],
    ['header', '-', 'workspace', 404],
    ['header', 'key', '-', 404],
    ['header', 'key', 'workspace', 404],
  ])('%s × %s × %s -> %i', async (header, key, workspace, status) => {
    const sandbox = await startSandbox({
      fixtures: keyed(key === 'key' ? ['rate-limited'] : []),
      ...(workspace === 'workspace' ? { scenarios: 'unavailable' } : {}),
    })
    const headers: Record<string, string> =
      header === 'header' ? { 'x-sandbox-scenario': 'not-found-reward' } : {}
    expect(await read(sandbox, headers)).toBe(status)
  })

  it('the header is for its request only; its rules keep counting', async () => {
    const sandbox = await startSandbox()
    const vanishing = { 'x-sandbox-scenario': ' reward-vanishes , slow-not ' }
    expect(await read(sandbox, vanishing)).toBe(400)
    const header = { 'x-sandbox-scenario': 'reward-vanishes, not-found-customer' }
    const statuses = [
      await read(sandbox, header),
      await read(sandbox),
      await read(sandbox, header),
      await read(sandbox),
    ]
    expect(statuses).toEqual([200, 200, 404, 200])
    expect(await sandbox.scenarios.active()).toEqual([])
  })

  it('calls at the same time: only those with the header are touched', async () => {
    const sandbox = await startSandbox()
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, place) =>
        read(sandbox, place % 2 === 0 ? { 'x-sandbox-scenario': 'unavailable' } : {}),
      ),
    )
    expect(statuses).toEqual(Array.from({ length: 100 }, (_, place) => (place % 2 === 0 ? 503 : 200)))
  })

  it('an unknown name in the header -> 400 B with a suggestion and the version', async () => {
    const sandbox = await startSandbox()
    const { status, json, version } = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending', {
      headers: { 'x-sandbox-scenario': 'reward-vanish' },
    })
    expect([status, json, version]).toEqual([
      400,
      {
        error: {
          type: 'BAD_REQUEST_ERROR',
          message: "x-sandbox-scenario: unknown scenario 'reward-vanish', did you mean 'reward-vanishes'?",
        },
      },
      '2026-10-13',
    ])
  })
})

describe('PATCH /_sandbox/scenarios/active', () => {
  const patch = (sandbox: Sandbox, body: unknown) => askControl(sandbox, 'PATCH', '/scenarios/active', body)

  it.each<[object, string[]]>([
    [{ on: ['reset'] }, ['slow', 'reward-vanishes', 'reset']],
    [{ off: ['slow'] }, ['reward-vanishes']],
    [{ on: ['reset', 'slow'], off: ['reward-vanishes'] }, ['slow', 'reset']],
    [{ on: ['reset', 'reset'] }, ['slow', 'reward-vanishes', 'reset']],
    [{ off: ['reset'] }, ['slow', 'reward-vanishes']],
    [{}, ['slow', 'reward-vanishes']],
  ])('%j -> what acts stays in its order', async (body, active) => {
    const sandbox = await startSandbox({ scenarios: ['slow', 'reward-vanishes'] })
    expect(await patch(sandbox, body)).toMatchObject({ status: 200, json: { active } })
    expect(await sandbox.scenarios.active()).toEqual(active)
    sandbox.reset()
    expect(await sandbox.scenarios.switch(body)).toEqual(active)
  })

  it('an object in place of a name -> names register', async () => {
    const sandbox = await startSandbox()
    const scenario: object = { name: 'mine', description: 'Mine.', rules: [] }
    await expect(sandbox.scenarios.activate(scenario as never)).rejects.toThrow(
      'activate [0]: must be the name of a scenario; register(scenario) adds one of your own, which you then activate by its name',
    )
  })

  it('two at once -> both get what they asked for', async () => {
    const sandbox = await startSandbox({ scenarios: ['slow'] })
    await Promise.all([
      patch(sandbox, { on: ['reset'] }),
      patch(sandbox, { off: ['slow'] }),
      patch(sandbox, { on: ['reward-vanishes'] }),
    ])
    expect((await sandbox.scenarios.active()).toSorted()).toEqual(['reset', 'reward-vanishes'])
  })

  it.each([
    [{ on: ['slw'] }, "unknown scenario 'slw', did you mean 'slow'?"],
    [{ on: ['reset'], off: ['slw'] }, "unknown scenario 'slw', did you mean 'slow'?"],
    [{ on: ['reset'], off: ['reset'] }, 'switch off[0]: must not be in on as well'],
    [{ on: 'reset' }, 'switch on: must be a list of names, such as ["slow"]'],
    [
      { on: [{ name: 'mine' }] },
      'switch on[0]: must be the name of a scenario; register(scenario) adds one of your own, which you then activate by its name',
    ],
    [{ offf: ['slow'] }, "switch offf: unknown field, did you mean 'off'?"],
  ])('%j -> 400, and what acts goes on', async (body, message) => {
    const sandbox = await startSandbox({ scenarios: ['slow'] })
    const { status, json } = await patch(sandbox, body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
    expect(await sandbox.scenarios.active()).toEqual(['slow'])
  })
})
