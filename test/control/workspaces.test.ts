import { describe, expect, it } from 'vitest'
import { ConflictError, DocumentError, type WorkspaceOptions } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { createdKey } from '../helpers/created-key.ts'
import { ask, operator, partnerOptions } from '../helpers/partners.ts'
import { basic, fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'

const full = 'The limit --max-workspaces is reached. Delete a workspace, or raise the limit.'
const reward = '/v2/rewards/rwd_ada_pending'
const own = { customers: [{ id: 'cus_1' }], rewards: [{ id: 'rwd_1', customer_id: 'cus_1', amount: 5 }] }
const mine = { name: 'mine', description: 'Gone.', rules: [{ on: 'retrieveReward', effect: 'not_found' }] }

describe('/_sandbox/workspaces', () => {
  it('POST -> 201 with a key that works, and the list, one and DELETE', async () => {
    const sandbox = await startSandbox()
    const view = { name: 'w1', api_key: `${fullKey}.w1`, created_at: testNow }
    const standard = { name: 'default', api_key: fullKey, created_at: testNow }
    expect(await askControl(sandbox, 'POST', '/workspaces', { name: 'w1' })).toMatchObject({
      status: 201,
      json: view,
    })
    expect((await sandbox.call('GET', reward, { key: view.api_key })).requestId).toBe('req_w1_1')
    expect((await askControl(sandbox, 'GET', '/workspaces')).json).toEqual({ workspaces: [standard, view] })
    expect((await askControl(sandbox, 'GET', '/workspaces/w1')).json).toEqual(view)
    expect((await askControl(sandbox, 'GET', '/workspaces/default')).json).toEqual(standard)
    expect([sandbox.workspaces.list(), sandbox.workspaces.get('w1')]).toEqual([[standard, view], view])
    expect(await askControl(sandbox, 'DELETE', '/workspaces/w1')).toMatchObject({ status: 204, text: '' })
    for (const method of ['GET', 'DELETE']) {
      expect(await askControl(sandbox, method, '/workspaces/w1')).toMatchObject({
        status: 404,
        json: controlErrorBody('NOT_FOUND', "no workspace is called 'w1': there is 'default'"),
      })
    }
    expect(sandbox.workspaces.get('w1')).toBeUndefined()
    expect((await askControl(sandbox, 'GET', '/workspaces/defalt')).json).toEqual(
      controlErrorBody('NOT_FOUND', "no workspace is called 'defalt', did you mean 'default'?"),
    )
  })

  it('without a body, or an empty one -> a name from the seed', async () => {
    const names = async (): Promise<unknown[]> => {
      const sandbox = await startSandbox()
      const answers = [
        await askControl(sandbox, 'POST', '/workspaces'),
        await askControl(sandbox, 'POST', '/workspaces', {}),
      ]
      return answers.map(({ status, json }) => [status, json.name, json.api_key])
    }
    const made = await names()
    expect(made).toEqual([
      [201, expect.stringMatching(/^ws_[0-9a-z]{12}$/), expect.stringMatching(/^sk_sandbox_full\.ws_/)],
      [201, expect.stringMatching(/^ws_[0-9a-z]{12}$/), expect.stringMatching(/^sk_sandbox_full\.ws_/)],
    ])
    expect(await names()).toEqual(made)
  })

  it('a made-up name that is taken is passed over', async () => {
    const [one, two] = [await startSandbox(), await startSandbox()]
    const { name } = await one.workspaces.create()
    two.workspace(name)
    const made = await two.workspaces.create()
    expect(made.name).not.toBe(name)
    expect((await one.workspaces.create()).name).toBe(made.name)
  })

  it('one that exists -> 409, created or forked on first use', async () => {
    const sandbox = await startSandbox()
    sandbox.workspace('w1')
    for (const [name, next] of [
      ['w1', 'delete it, or use another name'],
      ['default', 'use another name'],
    ] as const) {
      const message = `workspace '${name}' already exists: ${next}`
      expect(await askControl(sandbox, 'POST', '/workspaces', { name })).toMatchObject({
        status: 409,
        json: controlErrorBody('CONFLICT', message),
      })
      await expect(sandbox.workspaces.create({ name })).rejects.toThrow(new ConflictError(message))
    }
    // Of two at once, one gets it.
    const twice = [{ name: 'w2', fixtures: own }, { name: 'w2' }].map((body) =>
      askControl(sandbox, 'POST', '/workspaces', body),
    )
    expect((await Promise.all(twice)).map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('one that exists, with partners apart -> 409, which says how to get its keys', async () => {
    const sandbox = await startSandbox(partnerOptions)
    const create = () => ask(sandbox, 'POST', '/_sandbox/workspaces', operator, { name: 'acme' })
    expect((await create()).status).toBe(201)
    const { status, json } = await create()
    const message =
      "workspace 'acme' already exists: rotate it to get new keys, delete it, or use another name"
    expect([status, json]).toEqual([409, controlErrorBody('CONFLICT', message)])
  })

  it('DELETE of default -> 409', async () => {
    const sandbox = await startSandbox()
    expect(await askControl(sandbox, 'DELETE', '/workspaces/default')).toMatchObject({
      status: 409,
      json: controlErrorBody('CONFLICT', "workspace 'default' always exists; reset it instead"),
    })
  })

  it('DELETE forgets everything: the name begins anew on its next use', async () => {
    const sandbox = await startSandbox()
    await sandbox.workspaces.create({ name: 'w1', fixtures: own })
    const key = `${fullKey}.w1`
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1', { key })).requestId).toBe('req_w1_1')
    sandbox.workspace('w1').snapshot('s')
    await askControl(sandbox, 'DELETE', '/workspaces/w1')
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1', { key })).status).toBe(404)
    expect((await sandbox.call('GET', reward, { key })).requestId).toBe('req_w1_2')
    expect(sandbox.workspace('w1').snapshots.list()).toEqual([])
  })

  it('its fixtures are its baseline: gaps filled, and what it goes back to when it is reset', async () => {
    const sandbox = await startSandbox()
    const w1 = await sandbox.workspaces.create({ name: 'w1', fixtures: own })
    const before = w1.state.document()
    expect(w1.state.list('customers')).toEqual([
      expect.objectContaining({ id: 'cus_1', product: 'mk_summit' }),
    ])
    w1.state.delete('rewards', 'rwd_1')
    await w1.fetch('/v2/keys', { method: 'POST' })
    await askControl(sandbox, 'POST', '/reset?workspace=w1')
    expect(w1.state.document()).toEqual(before)
    // Everybody else begins as before.
    expect(sandbox.workspace('w2').state.get('rewards', 'rwd_ada_pending')).toBeDefined()
    expect(sandbox.state.get('rewards', 'rwd_1')).toBeUndefined()
  })

  it('a list of documents is merged row by row, the later one winning; a dump brings ids and clock', async () => {
    const sandbox = await startSandbox()
    const w1 = await sandbox.workspaces.create({
      fixtures: [
        { ...own, products: [{ merchant_key: 'mk_b' }, { merchant_key: 'mk_a' }] },
        { customers: [{ id: 'cus_1', first_name: 'Grace' }] },
        { sandbox: { seed: 7, ids: 3, clock: { now: '2020-01-01T00:00:00Z', frozen: true } } },
      ],
    })
    expect(w1.state.get('customers', 'cus_1')).toMatchObject({ first_name: 'Grace', product: 'mk_b' })
    expect(w1.state.put('customers', 'cus_2', {})).toMatchObject({ product: 'mk_b' })
    expect(w1.state.document()).toMatchObject({
      sandbox: { seed: 1, ids: 3, clock: { now: '2020-01-01T00:00:00.000Z', frozen: true } },
    })
    expect(w1.createdAt).toBe('2020-01-01T00:00:00.000Z')
  })

  it.each<[string, WorkspaceOptions['clock'], object]>([
    ['an instant', '2020-01-01T00:00:00Z', { now: '2020-01-01T00:00:00.000Z', frozen: true }],
    ['an instant that runs', { now: '2020-01-01T00:00:00Z', frozen: false }, { frozen: false }],
    ['only frozen', { frozen: false }, { frozen: false }],
  ])('clock: %s -> there it begins, also after a reset', async (_what, clock, expected) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'POST', '/workspaces', { name: 'w1', clock })
    expect([status, json.name]).toEqual([201, 'w1'])
    const w1 = sandbox.workspace('w1')
    expect(w1.clock.read()).toMatchObject(expected)
    w1.clock.set({ now: '2990-01-01T00:00:00Z' })
    w1.reset()
    expect(w1.clock.read()).toMatchObject(expected)
    expect(Date.parse(w1.clock.now())).toBeLessThan(Date.parse('2990-01-01T00:00:00Z'))
    expect(sandbox.clock.read()).toEqual({ now: testNow, frozen: true })
  })

  it('scenarios: names and inline ones become its active list, also after a reset', async () => {
    const sandbox = await startSandbox({ scenarios: 'slow' })
    const w1 = await sandbox.workspaces.create({ scenarios: [mine, 'unavailable', mine.name] })
    const status = async (): Promise<number> => (await w1.fetch(reward)).status
    expect(await w1.scenarios.active()).toEqual(['mine', 'unavailable'])
    expect(await status()).toBe(404)
    await w1.scenarios.deactivate()
    expect(await status()).toBe(200)
    w1.reset()
    expect(await status()).toBe(404)
    expect(await w1.scenarios.active()).toEqual(['mine', 'unavailable'])
    expect(await sandbox.workspace('w2').scenarios.active()).toEqual(['slow'])
    expect(await sandbox.workspace('w2').scenarios.get('mine')).toBeUndefined()
    const w3 = await sandbox.workspaces.create({ scenarios: [] })
    expect(await w3.scenarios.active()).toEqual([])
  })

  it('keys of its fixtures may name its own scenarios', async () => {
    const sandbox = await startSandbox()
    const api_keys = [{ id: 'k', api_key: 'sk_own', scenarios: ['mine'] }]
    const fixtures = { ...own, api_keys }
    const w1 = await sandbox.workspaces.create({ name: 'w1', fixtures, scenarios: [mine] })
    expect(w1.apiKey).toBe('sk_own.w1')
    expect((await sandbox.call('GET', '/v2/rewards/rwd_1', { key: 'sk_own.w1' })).status).toBe(404)
    await expect(sandbox.workspaces.create({ fixtures })).rejects.toThrow("unknown scenario 'mine'")
  })

  it('everything that is wrong, at once; there is no workspace then', async () => {
    const sandbox = await startSandbox()
    const body = {
      name: 'w1',
      fixtures: [own, { rewards: [{ id: 'rwd_2', customer_id: 'nobody' }], acounts: [] }],
      scenarios: ['slw', { ...mine, rules: [] }, 'slow'],
    }
    const { status, json } = await askControl(sandbox, 'POST', '/workspaces', body)
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(
      json.error.details.map((one: { source: string; path: string; message: string }) => [
        one.source,
        one.path,
        one.message,
      ]),
    ).toEqual([
      ['scenarios[1]', 'rules', 'must be a list with at least one rule'],
      ['workspace', 'scenarios[0]', "unknown scenario 'slw', did you mean 'slow'?"],
      ['fixtures[1]', 'acounts', "unknown collection, did you mean 'accounts'?"],
      ['fixtures[1]', 'rewards[0].customer_id', "no customer has the id 'nobody'"],
    ])
    expect(sandbox.workspaces.get('w1')).toBeUndefined()
  })

  it.each<[unknown, string]>([
    [{ nam: 'w1' }, "workspace nam: unknown field, did you mean 'name'?"],
    [{ name: 'a.b' }, 'workspace name: must be 1 to 64 of A-Z, a-z, 0-9, _ and -'],
    [{ name: '' }, 'workspace name: must be 1 to 64 of A-Z, a-z, 0-9, _ and -'],
    [
      { name: 1, clock: 'now' },
      'workspace name: must be a string\nworkspace clock.now: must be an RFC 3339 date-time',
    ],
    [{ clock: {} }, 'workspace clock: must have now, frozen or both, such as {"frozen": true}'],
    [{ clock: { nwo: testNow } }, "workspace clock.nwo: unknown field, did you mean 'now'?"],
    [{ clock: '2027-02-30T00:00:00Z' }, 'workspace clock.now: must be an RFC 3339 date-time'],
    [{ fixtures: 'fixtures/default.json' }, 'workspace fixtures[0]: must be an object'],
    [{ fixtures: [null] }, 'workspace fixtures[0]: must be an object'],
    [{ scenarios: 1 }, 'workspace scenarios[0]: must be the name of a scenario, or a scenario'],
    [
      { scenarios: Array.from({ length: 1001 }, () => ({})) },
      'workspace scenarios: must have at most 1000 items',
    ],
    [
      { fixtures: Array.from({ length: 1001 }, () => ({})) },
      'workspace fixtures: must have at most 1000 items',
    ],
    [
      { scenarios: ['scenarios/slow.yaml'] },
      "workspace scenarios[0]: unknown scenario 'scenarios/slow.yaml', expected the name of a scenario: load its file by --scenario-library, or to scenarioLibrary of createSandbox",
    ],
    [[], 'workspace: must be a JSON object'],
    [
      { fixtures: { api_keys: [{ id: 'k', environment: 'production' }] } },
      'fixtures api_keys: no API key for environment sandbox: add one to api_keys',
    ],
  ])('%j -> 400: %s', async (body, message) => {
    const sandbox = await startSandbox()
    const { status, json } = await askControl(sandbox, 'POST', '/workspaces', body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
    const attempt = sandbox.workspaces.create(body as WorkspaceOptions)
    await expect(attempt).rejects.toThrow(DocumentError)
    await expect(attempt).rejects.toMatchObject({ message })
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })

  it('as many as --max-workspaces allows -> 409 that names the option, until one is deleted', async () => {
    const sandbox = await startSandbox({ maxWorkspaces: 1 })
    expect((await askControl(sandbox, 'GET', '/clock?workspace=w1')).status).toBe(200)
    const refused = { status: 409, json: controlErrorBody('CONFLICT', full) }
    expect(await askControl(sandbox, 'POST', '/workspaces', { name: 'w2' })).toMatchObject(refused)
    expect(await askControl(sandbox, 'GET', '/clock?workspace=w2')).toMatchObject(refused)
    expect(await askControl(sandbox, 'POST', '/reset?workspace=w2')).toMatchObject(refused)
    await expect(sandbox.workspaces.create()).rejects.toThrow(full)
    expect((await sandbox.call('GET', reward, { key: `${fullKey}.w2` })).status).toBe(503)
    expect(sandbox.workspaces.delete('w1')).toBe(true)
    expect((await askControl(sandbox, 'GET', '/clock?workspace=w2')).status).toBe(200)
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'w2'])
  })
})

describe('?workspace=', () => {
  it('forks on first use; paths that are for all workspaces fork none', async () => {
    const sandbox = await startSandbox()
    for (const path of ['', '/health', '/workspaces', '/workspaces/default', '/openapi.json']) {
      expect((await askControl(sandbox, 'GET', `${path}?workspace=w1`)).status).toBe(200)
      expect(sandbox.workspaces.get('w1')).toBeUndefined()
    }
    for (const path of ['/state', '/snapshots', '/scenarios', '/clock']) {
      sandbox.workspaces.delete('w1')
      expect((await askControl(sandbox, 'GET', `${path}?workspace=w1`)).status).toBe(200)
      expect(sandbox.workspaces.get('w1')).toBeDefined()
    }
  })

  it.each(['', 'a.b', 'a b', 'x'.repeat(65), 'ä'])("no name, '%s' -> 400", async (name) => {
    const sandbox = await startSandbox()
    for (const path of ['/state', '/workspaces', '/reset']) {
      const method = path === '/reset' ? 'POST' : 'GET'
      const answer = await askControl(sandbox, method, `${path}?workspace=${encodeURIComponent(name)}`)
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(
        controlErrorBody('INVALID', `workspace '${name}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`),
      )
    }
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })
})

describe('a key that createApiKey made in a workspace', () => {
  it('works there, with its suffix, as Bearer and as Basic, and nowhere else', async () => {
    const sandbox = await startSandbox()
    const { key: text } = (await sandbox.call('POST', '/v2/keys', { key: `${fullKey}.w3` })).json
    const made = createdKey(sandbox.workspace('w3').state.list('api_keys'), text)
    expect([made.key, made.id]).toEqual([expect.stringMatching(/\.w3$/), expect.stringMatching(/\.w3$/)])
    for (const headers of [
      { authorization: `Bearer ${made.key}` },
      basic(made.key),
      basic(made.id, made.secret),
    ]) {
      expect((await sandbox.call('GET', reward, { headers })).requestId).toMatch(/^req_w3_\d+$/)
    }
    const bare = made.key.slice(0, -'.w3'.length)
    for (const key of [bare, `${bare}.w4`, `${bare}.default`]) {
      expect((await sandbox.call('GET', reward, { key })).status).toBe(401)
    }
    expect(sandbox.workspaces.get('w4')).toBeUndefined()
    await askControl(sandbox, 'POST', '/reset?workspace=w3')
    expect((await sandbox.call('GET', reward, { key: made.key })).status).toBe(401)
  })
})
