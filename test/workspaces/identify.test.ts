import { describe, expect, test } from 'vitest'
import { createdKey } from '../helpers/created-key.ts'
import { basic, callerFor, fullKey, startSandbox, testNow, type Answered } from '../helpers/sandbox.ts'
import { expectUnusable, unusable } from './identify.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const newIntent = { customer_id: 'cus_ada', amount: 4599, currency: 'USD' }
const tooMany = {
  error: {
    type: 'SERVICE_UNAVAILABLE_ERROR',
    message: 'The limit --max-workspaces is reached. Delete a workspace, or raise the limit.',
  },
}

function expectTooMany(answer: Answered): void {
  expect(answer.json).toEqual(tooMany)
  expect(answer.status).toBe(503)
  expect(answer.version).toBeNull()
  expect(answer.requestId).toMatch(/^req_default_\d+$/)
  expect(answer.assumptions).toEqual([])
}

describe('the workspace that a credential names', () => {
  test.each([
    ['Bearer KEY', { authorization: `Bearer ${fullKey}` }, 'default'],
    ['Bearer KEY.default', { authorization: `Bearer ${fullKey}.default` }, 'default'],
    ['Bearer KEY.w3', { authorization: `Bearer ${fullKey}.w3` }, 'w3'],
    ['Basic KEY.w3:', basic(`${fullKey}.w3`), 'w3'],
    ['Basic KEY.w3:password', basic(`${fullKey}.w3`, 'password'), 'w3'],
    ['Basic KEYID.w3:SECRET', basic('key_full.w3', 'secret_full'), 'w3'],
    ['Basic KEYID.default:SECRET', basic('key_full.default', 'secret_full'), 'default'],
    ['1 character', { authorization: `Bearer ${fullKey}.a` }, 'a'],
    ['64 characters', { authorization: `Bearer ${fullKey}.${'a'.repeat(64)}` }, 'a'.repeat(64)],
    ['every kind of character', { authorization: `Bearer ${fullKey}.aZ-_09` }, 'aZ-_09'],
    ['Default, which is not default', { authorization: `Bearer ${fullKey}.Default` }, 'Default'],
    ['a name that objects have', { authorization: `Bearer ${fullKey}.__proto__` }, '__proto__'],
    ['another such name', { authorization: `Bearer ${fullKey}.constructor` }, 'constructor'],
    ['dashes only', { authorization: `Bearer ${fullKey}.--` }, '--'],
  ])('%s -> 200 in workspace', async (_, headers, workspace) => {
    const { call } = await startSandbox()
    const answer = await call('GET', reward, { headers })
    expect({ status: answer.status, requestId: answer.requestId, version: answer.version }).toEqual({
      status: 200,
      requestId: `req_${workspace}_1`,
      version: '2026-10-13',
    })
  })

  test.each([
    ['no name', { authorization: `Bearer ${fullKey}.` }],
    ['65 characters', { authorization: `Bearer ${fullKey}.${'a'.repeat(65)}` }],
    ['a slash', { authorization: `Bearer ${fullKey}.w/3` }],
    ['a colon', { authorization: `Bearer ${fullKey}.w:3` }],
    ['a percent sign', { authorization: `Bearer ${fullKey}.w%33` }],
    ['a letter beyond ASCII', basic(`${fullKey}.é`)],
    ['two dots', { authorization: `Bearer ${fullKey}..w3` }],
    ['two suffixes', { authorization: `Bearer ${fullKey}.w1.w2` }],
    ['default twice', { authorization: `Bearer ${fullKey}.default.default` }],
    ['a suffix alone', { authorization: 'Bearer .w3' }],
    ['the suffix on the secret', basic('key_full', 'secret_full.w3')],
    ['a suffix on id and secret', basic('key_full.w3', 'secret_full.w3')],
    ['a wrong secret', basic('key_full.w3', 'wrong')],
    ['no secret', basic('key_full.w3')],
    ['a key id as Bearer', { authorization: 'Bearer key_full.w3' }],
    ['an unknown key', { authorization: 'Bearer sk_sandbox_unknown.w3' }],
    ['a production key', { authorization: 'Bearer sk_production_full.w3' }],
    ['an unknown key and .default', { authorization: 'Bearer sk_sandbox_unknown.default' }],
  ])('%s -> 401', async (_, headers) => {
    const { call } = await startSandbox()
    expectUnusable(await call('GET', reward, { headers }))
  })
})

describe('a key that holds a dot', () => {
  const dotted = (api_key: string): object => ({
    secret: 'secret_dotted',
    api_key,
    scopes: [],
    products: ['mk_summit'],
    environment: 'sandbox',
  })

  test('is looked up whole before it is split', async () => {
    const { call, state } = await startSandbox()
    state.put('api_keys', 'key.dotted', dotted('sk_sandbox_full.w3'))
    const byKey = await call('GET', reward, { key: 'sk_sandbox_full.w3' })
    expect({ status: byKey.status, requestId: byKey.requestId }).toEqual({
      status: 200,
      requestId: 'req_default_1',
    })
    // It is that key, which has no scopes, and not the full one.
    expect(
      (await call('GET', '/v2/transaction_intents/int_ada_1', { key: 'sk_sandbox_full.w3' })).status,
    ).toBe(403)
    const byId = await call('GET', reward, { headers: basic('key.dotted', 'secret_dotted') })
    expect(byId.requestId).toBe('req_default_3')
    expect((await call('GET', reward, { key: 'sk_sandbox_full.w4' })).requestId).toBe('req_w4_1')
  })

  test('of the fixtures -> works in a workspace, split at its last dot', async () => {
    const { call } = await startSandbox({ fixtures: { api_keys: [{ id: 'key.a', ...dotted('sk.a.b') }] } })
    expect((await call('GET', '/v2/customers', { key: 'sk.a.b' })).requestId).toBe('req_default_1')
    expect((await call('GET', '/v2/customers', { key: 'sk.a.b.w1' })).requestId).toBe('req_w1_1')
    const byId = await call('GET', '/v2/customers', { headers: basic('key.a.w1', 'secret_dotted') })
    expect(byId.requestId).toBe('req_w1_2')
    expectUnusable(await call('GET', '/v2/customers', { key: 'sk.a.w1' }))
  })
})

describe('which key counts where', () => {
  test('a key of the baseline that default has revoked -> works in every other workspace', async () => {
    const { call, state } = await startSandbox()
    state.delete('api_keys', 'key_none')
    expectUnusable(await call('GET', reward, { key: 'sk_sandbox_none' }))
    expectUnusable(await call('GET', reward, { key: 'sk_sandbox_none.default' }))
    expect((await call('GET', reward, { key: 'sk_sandbox_none.w1' })).status).toBe(200)
  })

  test('a key of the baseline that a workspace has revoked -> 401 there and only there', async () => {
    const { call, workspace } = await startSandbox()
    workspace('w1').state.delete('api_keys', 'key_none')
    expectUnusable(await call('GET', reward, { key: 'sk_sandbox_none.w1' }))
    expectUnusable(await call('GET', reward, { headers: basic('key_none.w1', 'secret_none') }))
    expect((await call('GET', reward, { key: 'sk_sandbox_none' })).status).toBe(200)
    expect((await call('GET', reward, { key: 'sk_sandbox_none.w2' })).status).toBe(200)
    workspace('w1').reset()
    expect((await call('GET', reward, { key: 'sk_sandbox_none.w1' })).status).toBe(200)
  })

  test('scopes changed in a workspace -> changed there and only there', async () => {
    const { call, workspace } = await startSandbox()
    workspace('w1').state.patch('api_keys', 'key_full', { scopes: [] })
    const path = '/v2/transaction_intents/int_ada_1'
    expect((await call('GET', path, { key: `${fullKey}.w1` })).status).toBe(403)
    expect((await call('GET', path)).status).toBe(200)
    expect((await call('GET', path, { key: `${fullKey}.w2` })).status).toBe(200)
  })

  test('a key that default has made -> works in default only', async () => {
    const { call, state } = await startSandbox()
    const { key: text } = (await call('POST', '/v2/keys')).json
    const { id, key, secret } = createdKey(state.list('api_keys'), text)
    expect(`${id}${key}`).not.toContain('.')
    expect((await call('GET', reward, { key })).requestId).toBe('req_default_2')
    expect((await call('GET', reward, { key: `${key}.default` })).requestId).toBe('req_default_3')
    expectUnusable(await call('GET', reward, { key: `${key}.w1` }))
    expectUnusable(await call('GET', reward, { headers: basic(`${id}.w1`, secret) }))
  })

  const shown = { key: expect.stringMatching(/^sk_sandbox_[0-9a-z]{24}\.w3$/), created_at: testNow }
  const whole = {
    ...shown,
    id: expect.stringMatching(/^key_[0-9a-z]{12}\.w3$/),
    secret: expect.stringMatching(/^secret_[0-9a-z]{24}$/),
    scopes: ['ACCOUNT_READ', 'ORDER_WRITE'],
  }

  test.each([
    ['key_and_dates', shown],
    ['id_key_secret_scopes_created_at', whole],
  ])(
    'a key that a workspace has made, %s -> has the suffix, works in that workspace only',
    async (...row) => {
      const [shape, body] = row
      const { call, workspace } = await startSandbox({ assume: { create_key_shape: shape } })
      workspace('w3').state.patch('api_keys', 'key_none', { scopes: ['ACCOUNT_READ', 'ORDER_WRITE'] })
      const made = await call('POST', '/v2/keys', { key: 'sk_sandbox_none.w3' })
      expect(made.status).toBe(200)
      expect(made.json).toEqual(body)

      const keys = (): unknown[] => workspace('w3').state.list('api_keys')
      const { id, key, secret, scopes } = createdKey(keys(), made.json.key)
      expect({ id, key, secret, scopes, created_at: testNow }).toEqual(whole)
      for (const [place, headers] of [
        { authorization: `Bearer ${key}` },
        basic(key),
        basic(id, secret),
      ].entries()) {
        const answer = await call('GET', reward, { headers })
        expect({ status: answer.status, requestId: answer.requestId }).toEqual({
          status: 200,
          requestId: `req_w3_${place + 2}`,
        })
      }
      const bare = (text: string): string => text.slice(0, -'.w3'.length)
      for (const headers of [
        basic(bare(key)),
        basic(`${bare(key)}.w4`),
        basic(`${bare(key)}.default`),
        basic(bare(id), secret),
        basic(`${key}.w3`),
        basic(id),
      ]) {
        expectUnusable(await call('GET', reward, { headers }))
      }

      // The row holds neither suffix: it belongs to the workspace's own state.
      expect(workspace('w3').state.get('api_keys', bare(id))).toMatchObject({
        id: bare(id),
        api_key: bare(key),
      })
      const next = (await call('POST', '/v2/keys', { key })).json
      expect(createdKey(keys(), next.key).scopes).toEqual(scopes)
      workspace('w3').reset()
      expectUnusable(await call('GET', reward, { key }))
    },
  )
})

describe('isolation', () => {
  test('rows: what one workspace writes, no other one sees', async () => {
    const { call, state, workspace } = await startSandbox()
    const before = state.document()
    const key = `${fullKey}.w1`
    const created = await call('POST', '/v2/transaction_intents', { key, json: newIntent })
    await call('PATCH', reward, { key, json: { status: 'AVAILABLE' } })
    await call('DELETE', '/v2/order_events/ord_ada_1', { key })
    await call('POST', '/v2/customers/cus_ben/link', { key, json: { partner_customer_id: 'partner-ben' } })

    const path = `/v2/transaction_intents/${created.json.id}`
    expect((await call('GET', path, { key })).json).toEqual(created.json)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('GET', path, { key: `${fullKey}.w2` })).status).toBe(404)
    expect((await call('GET', reward, { key })).json.status).toBe('AVAILABLE')
    expect((await call('GET', reward)).json.status).toBe('PENDING')
    const search = '/v2/customers?partner_customer_id=partner-ben'
    expect((await call('GET', search, { key })).json.total).toBe(1)
    expect((await call('GET', search)).json.total).toBe(0)
    expect(state.document()).toEqual(before)
    expect(workspace('w2').state.document()).toEqual(before)
  })

  test('rows: a workspace starts from the baseline, not from what default has become', async () => {
    const { call } = await startSandbox()
    await call('PATCH', reward, { json: { status: 'AVAILABLE' } })
    expect((await call('GET', reward, { key: `${fullKey}.w1` })).json.status).toBe('PENDING')
  })

  test('clock: moved in one workspace, it stands in every other', async () => {
    const { call, clock, workspace } = await startSandbox()
    workspace('w1').clock.advance({ days: 1 })
    const createdAt = async (key: string): Promise<unknown> =>
      (await call('POST', '/v2/transaction_intents', { key, json: newIntent })).json.created_at
    expect(await createdAt(`${fullKey}.w1`)).toBe('2026-11-22T12:00:00.000Z')
    expect(await createdAt(fullKey)).toBe(testNow)
    expect(await createdAt(`${fullKey}.w2`)).toBe(testNow)
    expect(clock.now()).toBe(testNow)
    clock.advance({ days: 2 })
    expect(await createdAt(`${fullKey}.w1`)).toBe('2026-11-22T12:00:00.000Z')
    expect(await createdAt(`${fullKey}.w3`)).toBe(testNow)
    const { headers } = await call('GET', reward, { key: `${fullKey}.w1` })
    expect(headers.get('date')).toBe('Sun, 22 Nov 2026 12:00:00 GMT')
  })

  test('saved version: changed in one workspace, it stays in every other', async () => {
    const { call, workspace } = await startSandbox()
    workspace('w1').state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    expect((await call('GET', reward, { key: `${fullKey}.w1` })).version).toBe('2025-05-05')
    expect((await call('GET', reward)).version).toBe('2026-10-13')
    expect((await call('GET', reward, { key: `${fullKey}.w2` })).version).toBe('2026-10-13')
  })

  test('page tokens: one of w1 -> 400 in w2 and in default', async () => {
    const { call } = await startSandbox()
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=5'
    const token = (await call('GET', path, { key: `${fullKey}.w1` })).json.next_page_token
    const next = `${path}&starting_after=${token}`
    expect((await call('GET', next, { key: `${fullKey}.w1` })).status).toBe(200)
    for (const key of [fullKey, `${fullKey}.w2`]) {
      const refused = await call('GET', next, { key })
      expect(refused.status).toBe(400)
      expect(refused.json.details).toEqual([
        'starting_after: must be the next_page_token of the previous page',
      ])
    }
  })

  test('pdf_url: one of w1 opens the document of w1', async () => {
    const { call, fetch, workspace } = await startSandbox()
    const path = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
    const url = (await call('GET', path, { key: `${fullKey}.w1` })).json.data[0].pdf_url
    expect(url).toContain('/statements/w1/')
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url.replace('/w1/', '/default/'))).status).toBe(403)
    workspace('w1').clock.advance({ minutes: 15 })
    expect((await fetch(url)).status).toBe(403)
  })

  test('reset: of one workspace, leaves every other as it is', async () => {
    const { call, workspace } = await startSandbox()
    const keys = [fullKey, `${fullKey}.w1`, `${fullKey}.w2`]
    for (const key of keys) await call('PATCH', reward, { key, json: { status: 'AVAILABLE' } })
    workspace('w1').clock.advance({ days: 1 })
    workspace('w1').reset()
    const read = await Promise.all(keys.map((key) => call('GET', reward, { key })))
    expect(read.map(({ json }) => json.status)).toEqual(['AVAILABLE', 'PENDING', 'AVAILABLE'])
    expect(read.map(({ requestId }) => requestId)).toEqual(['req_default_2', 'req_w1_1', 'req_w2_2'])
    expect(workspace('w1').clock.now()).toBe(testNow)
  })
})

describe('request ids', () => {
  test('are counted per workspace, whatever the answer; those of nobody in default', async () => {
    const { call } = await startSandbox()
    const ids: (string | null)[] = []
    for (const [method, path, key] of [
      ['GET', reward, fullKey],
      ['GET', reward, `${fullKey}.w1`],
      ['GET', '/v2/unknown', `${fullKey}.w1`],
      ['PUT', '/v2/customers', `${fullKey}.w1`],
      ['GET', reward, null],
      ['GET', reward, 'sk_sandbox_unknown.w1'],
      ['GET', '/v2/transaction_intents/int_ada_1', 'sk_sandbox_none.w1'],
      ['GET', '/v2/customers?limit=0', `${fullKey}.w2`],
      ['GET', reward, fullKey],
    ] as const) {
      ids.push((await call(method, path, { key })).requestId)
    }
    expect(ids).toEqual([
      'req_default_1',
      'req_w1_1',
      'req_w1_2',
      'req_w1_3',
      'req_default_2',
      'req_default_3',
      'req_w1_4',
      'req_w2_1',
      'req_default_4',
    ])
  })

  test('an unsupported version is numbered in the workspace of its key', async () => {
    const { call } = await startSandbox()
    const headers = { 'x-service-version': 'x' }
    const answer = await call('GET', reward, { key: `${fullKey}.w1`, headers })
    expect({ status: answer.status, requestId: answer.requestId }).toEqual({
      status: 400,
      requestId: 'req_w1_1',
    })
  })

  test('are not part of the state document', async () => {
    const { call, state } = await startSandbox()
    const before = state.document()
    for (let count = 0; count < 3; count++) await call('GET', reward)
    expect(state.document()).toEqual(before)
  })
})

describe('as many workspaces as --max-workspaces', () => {
  test('one more -> 503 B without a version, naming the option; those there are go on', async () => {
    const { call } = await startSandbox({ maxWorkspaces: 2 })
    for (const name of ['w1', 'w2']) {
      expect((await call('GET', reward, { key: `${fullKey}.${name}` })).status).toBe(200)
    }
    expectTooMany(await call('GET', reward, { key: `${fullKey}.w3` }))
    expectTooMany(await call('GET', reward, { headers: basic('key_full.w3', 'secret_full') }))
    for (const suffix of ['', '.default', '.w1', '.w2']) {
      expect((await call('GET', reward, { key: fullKey + suffix })).status).toBe(200)
    }
  })

  test('one more, and an unsupported version or an unknown path -> 503', async () => {
    const { call } = await startSandbox({ maxWorkspaces: 0 })
    const headers = { 'x-service-version': 'x' }
    expectTooMany(await call('GET', reward, { key: `${fullKey}.w1`, headers }))
    expectTooMany(await call('GET', '/v2/unknown', { key: `${fullKey}.w1` }))
    expect((await call('GET', reward)).status).toBe(200)
  })

  test('calls without a usable key -> 401, and they open no workspace', async () => {
    const { call } = await startSandbox({ maxWorkspaces: 1 })
    const bad = [
      'sk_sandbox_unknown.w1',
      'sk_production_full.w2',
      `${fullKey}.w/3`,
      'key_full.w4',
      `${fullKey}.w5.w6`,
    ]
    for (const key of bad) expectUnusable(await call('GET', reward, { key }))
    expectUnusable(await call('GET', reward, { headers: basic('key_full.w7', 'wrong') }))
    expect((await call('GET', reward, { key: `${fullKey}.w8` })).status).toBe(200)
    expectTooMany(await call('GET', reward, { key: `${fullKey}.w9` }))
    for (const key of bad) expectUnusable(await call('GET', reward, { key }))
  })

  test('a key that only another workspace has -> opens none', async () => {
    const { call } = await startSandbox({ maxWorkspaces: 2 })
    const { key } = (await call('POST', '/v2/keys', { key: `${fullKey}.w1` })).json
    expectUnusable(await call('GET', reward, { key: key.replace('.w1', '.w2') }))
    expect((await call('GET', reward, { key: `${fullKey}.w3` })).status).toBe(200)
  })

  test('the library -> an error that says so, and the workspaces there are', async () => {
    const { workspace } = await startSandbox({ maxWorkspaces: 1 })
    expect(workspace('w1').name).toBe('w1')
    expect(() => workspace('w2')).toThrow(/--max-workspaces/)
    expect(workspace('w1').name).toBe('w1')
    expect(workspace('default').name).toBe('default')
  })
})

describe('in process', () => {
  test("a workspace's own fetch is always in it, and adds its key when there is none", async () => {
    const sandbox = await startSandbox()
    const w1 = sandbox.workspace('w1')
    expect(w1.apiKey).toBe(`${sandbox.apiKey}.w1`)
    const call = callerFor(w1)
    const keys = [null, fullKey, `${fullKey}.w1`]
    const ids: (string | null)[] = []
    for (const key of keys) ids.push((await call('GET', reward, { key })).requestId)
    expect(ids).toEqual(['req_w1_1', 'req_w1_2', 'req_w1_3'])
    for (const key of ['sk_sandbox_unknown', `${fullKey}.w2`, `${fullKey}.default`]) {
      const refused = await call('GET', reward, { key })
      expect({ status: refused.status, json: refused.json }).toEqual({ status: 401, json: unusable })
      expect(refused.requestId).toMatch(/^req_w1_\d+$/)
    }
    expect((await sandbox.call('GET', reward)).requestId).toBe('req_default_1')
  })

  test('a key made through it -> works through it and through the door that all share', async () => {
    const sandbox = await startSandbox()
    const w1 = callerFor(sandbox.workspace('w1'))
    const { key } = (await w1('POST', '/v2/keys', { key: null })).json
    expect(key).toMatch(/\.w1$/)
    expect((await w1('GET', reward, { key })).status).toBe(200)
    expect((await sandbox.call('GET', reward, { key })).status).toBe(200)
  })

  test.each(['', 'a'.repeat(65), 'w/1', 'w 1', 'w.1', 'é', '../default'])(
    'the name %j -> refused',
    async (name) => {
      const { workspace } = await startSandbox()
      expect(() => workspace(name)).toThrow(
        `workspace '${name}': a name is 1 to 64 of A-Z, a-z, 0-9, _ and -`,
      )
    },
  )
})
