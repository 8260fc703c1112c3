// --isolation partner: what a workspace is made with, what ends its keys, and what stays as it is without it.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts'
import { createdKey } from '../helpers/created-key.ts'
import { ask, basic, bearer, operator, partnerOptions } from '../helpers/partners.ts'
import { testNow } from '../helpers/sandbox.ts'
import { apart, expectRefusedUnderWay, make } from './apart.ts'

const works = async (sandbox: Sandbox, authorization: string): Promise<number> =>
  (await ask(sandbox, 'GET', '/v2/customers', authorization)).status

const code = '[0-9a-z]{24}'

describe('making a workspace', () => {
  it('gives its keys and its token, once', async () => {
    const sandbox = await apart()
    const { status, json } = await make(sandbox)
    expect(status).toBe(201)
    const rows = sandbox.state.list('api_keys').filter(({ environment }) => environment === 'sandbox')
    expect(json).toEqual({
      name: 'acme',
      api_key: expect.stringMatching(new RegExp(`^sk_sandbox_${code}\\.acme$`)),
      created_at: testNow,
      api_keys: rows.map(({ id, scopes, products }) => ({
        id: `${id}.acme`,
        api_key: expect.stringMatching(new RegExp(`^sk_sandbox_${code}\\.acme$`)),
        secret: expect.stringMatching(new RegExp(`^secret_${code}$`)),
        scopes,
        products,
      })),
      admin_token: expect.stringMatching(new RegExp(`^token_${code}\\.acme$`)),
    })
    for (const { id, api_key: key, secret } of json.api_keys) {
      const known = [bearer(key), basic(key), basic(id, secret)]
      expect(await Promise.all(known.map((one) => works(sandbox, one)))).not.toContain(401)
    }
    const listed = (await ask(sandbox, 'GET', '/_sandbox/workspaces', operator)).json.workspaces
    expect(listed.map(({ api_key: key }: { api_key: unknown }) => key)).toEqual([null, null])
    expect((await ask(sandbox, 'GET', '/_sandbox/workspaces/acme', operator)).json.api_key).toBe(null)
  })

  it('the library gives the same as credentials, and calls in this process need none', async () => {
    const sandbox = await apart()
    const made = await sandbox.workspaces.create({ name: 'acme' })
    expect(made.credentials?.api_key).toBe(made.apiKey)
    expect(await works(sandbox, bearer(made.apiKey))).toBe(200)
    expect((await made.fetch('/v2/customers')).status).toBe(200)
    expect((await sandbox.workspace('default').fetch('/v2/customers')).status).toBe(200)
  })

  it('a name of which nobody made a workspace makes none by a call', async () => {
    const sandbox = await apart()
    expect(await works(sandbox, bearer('sk_sandbox_full.new'))).toBe(401)
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })

  it('a copy of the workspace of another has other keys, of the same ids', async () => {
    const sandbox = await apart()
    const { json: acme } = await make(sandbox)
    const { json: answer } = await ask(sandbox, 'POST', '/v2/keys', bearer(acme.api_key))
    const made = createdKey(sandbox.workspace('acme').state.list('api_keys'), answer.key)
    const { json: beta } = await make(sandbox, { name: 'beta', from: 'acme' })
    expect(beta.api_keys.map(({ id }: { id: string }) => id)).toContain(made.id.replace('.acme', '.beta'))
    expect(await works(sandbox, bearer(beta.api_key))).toBe(200)
    for (const key of [acme.api_key, made.key]) {
      expect(await works(sandbox, bearer(key.replace('.acme', '.beta')))).toBe(401)
    }
    expect((await ask(sandbox, 'GET', '/_sandbox/state', bearer(beta.admin_token))).text).not.toContain(
      acme.api_key.replace('.acme', ''),
    )
  })

  it.each([
    ['a secret', { isolationSecret: 'a-secret-of-the-sandbox' }, true],
    ['no secret', {}, false],
  ])('%s: after a restart without data the keys are the same: %s', async (_what, options, same) => {
    const [first, second] = [await make(await apart(options)), await make(await apart(options))]
    expect(first.text === second.text).toBe(same)
  })

  it('with a secret, a workspace of a name that there was has other keys', async () => {
    const sandbox = await apart({ isolationSecret: 'a-secret-of-the-sandbox' })
    const first = await make(sandbox)
    await ask(sandbox, 'DELETE', '/_sandbox/workspaces/acme', operator)
    const second = await make(sandbox)
    expect(second.json.admin_token).not.toBe(first.json.admin_token)
    expect(await works(sandbox, bearer(first.json.api_key))).toBe(401)
    expect(await works(sandbox, bearer(second.json.api_key))).toBe(200)
  })
})

describe('what a partner may do wrong in its own workspace', () => {
  it('a guess at the token of the operator -> its journal shows it as it was sent: to hide it would confirm it', async () => {
    const reported: string[] = []
    const sandbox = await createSandbox(partnerOptions, {
      onAnswer: (entry) => reported.push(JSON.stringify(entry)),
    })
    onTestFinished(() => sandbox.close())
    const { json: made } = await make(sandbox)
    const guess = operator.replace('Bearer ', '')
    const body = { customer_id: 'cus_ada', amount: 1, currency: 'USD', metadata: { guess } }
    await ask(sandbox, 'POST', '/v2/transaction_intents', bearer(made.api_key), body)
    const shown = await ask(sandbox, 'GET', '/_sandbox/requests/req_acme_1', bearer(made.admin_token))
    expect(shown.json.request.body.metadata).toEqual({ guess })
    expect(reported.join()).toContain('"guess":"***"')
  })

  it('a copy that is gone -> the refusal, which its partner may see, names nobody else', async () => {
    const sandbox = await apart()
    for (const name of ['acme', 'acme-replay']) await make(sandbox, { name })
    for (const path of ['/workspaces/acme-replay-9', '/clock?workspace=acme-replay-9']) {
      const { status, json } = await ask(sandbox, 'GET', `/_sandbox${path}`, operator)
      expect([status, json.error.message]).toEqual([404, "no workspace is called 'acme-replay-9'"])
    }
  })
})

describe('rotating', () => {
  const rotate = async (sandbox: Sandbox, name: string, authorization = operator, body?: unknown) =>
    ask(sandbox, 'POST', `/_sandbox/workspaces/${name}/rotate`, authorization, body)

  it('gives the same body as making it, with every text another one; rows and the journal stay', async () => {
    const sandbox = await apart()
    const { json: before } = await make(sandbox)
    await ask(sandbox, 'PUT', '/_sandbox/state/customers/cus_1', bearer(before.admin_token), {
      product: 'mk_summit',
    })
    await works(sandbox, bearer(before.api_key))
    const { status, json: after } = await rotate(sandbox, 'acme', bearer(before.admin_token))
    expect(status).toBe(200)
    const shape = ({ api_keys: keys, ...rest }: typeof before): unknown => ({
      ...rest,
      api_key: '',
      admin_token: '',
      api_keys: keys.map((one: object) => ({ ...one, api_key: '', secret: '' })),
    })
    expect(shape(after)).toEqual(shape(before))
    expect(after.admin_token).not.toBe(before.admin_token)
    const workspace = sandbox.workspace('acme')
    expect(workspace.state.get('customers', 'cus_1')).toBeDefined()
    expect(workspace.requests.list()).toHaveLength(1)
  })

  const customers = Array.from({ length: 2_000 }, (_, at) => ({ id: `cus_late_${at}` }))
  const late = { name: 'late', description: 'Late.', rules: [{ on: '*', effect: 'not_found' }] }

  it.each<[string, string, string, unknown?]>([
    ['an upload', 'PUT', '/state', { customers }],
    ['a scenario that is registered', 'POST', '/scenarios', late],
    ['a scenario of a text that is registered', 'POST', '/scenarios', { text: JSON.stringify(late) }],
    ['scenarios that are made active', 'PUT', '/scenarios/active', ['slow']],
    ['scenarios that are switched', 'PATCH', '/scenarios/active', { on: ['slow'] }],
    ['a report', 'GET', '/coverage?format=text'],
  ])('%s that is under way -> 401, and nothing changed, at whatever moment', async (_, method, path, body) =>
    expectRefusedUnderWay(method, path, body),
  )

  it('ends all of them: keys that were made, keys that were put back, links, cursors, copies and streams', async () => {
    const sandbox = await apart()
    const { json: before } = await make(sandbox)
    const token = bearer(before.admin_token)
    const { json: made } = await ask(sandbox, 'POST', '/v2/keys', bearer(before.api_key))
    await ask(sandbox, 'PUT', '/_sandbox/snapshots/old', token)
    await ask(sandbox, 'POST', '/_sandbox/requests/req_acme_1/replay', token)
    const statements = '/v2/customers/cus_ada/accounts/acct_ada/statements?limit=1'
    const { json: page } = await ask(sandbox, 'GET', statements, bearer(before.api_key))
    const link = new URL(page.data[0].pdf_url)
    const stream = await sandbox.fetch('/_sandbox/stream', { headers: { authorization: token } })
    // Restore everything that the partner changed, or there would be nothing to reveal.
    const keys = sandbox.workspace('acme').state.list('api_keys')
    for (const { id } of keys.slice(1)) sandbox.workspace('acme').state.delete('api_keys', String(id))
    await ask(sandbox, 'PATCH', '/_sandbox/state/api_keys/key_full', token, { environment: 'production' })

    const { json: after, status } = await rotate(sandbox, 'acme')
    expect(status).toBe(200)
    expect(after.api_keys).toHaveLength(before.api_keys.length)
    const ended = [bearer(before.api_key), bearer(made.key), basic(made.id, made.secret)]
    const endedToo = before.api_keys.map(({ id, secret }: { id: string; secret: string }) =>
      basic(id, secret),
    )
    for (const one of [...ended, ...endedToo]) expect(await works(sandbox, one)).toBe(401)
    expect((await ask(sandbox, 'GET', '/_sandbox/clock', token)).status).toBe(401)
    expect((await ask(sandbox, 'GET', link.pathname + link.search)).status).toBe(403)
    const next = `${statements}&starting_after=${page.next_page_token}`
    expect((await ask(sandbox, 'GET', next, bearer(after.api_key))).status).toBe(400)
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'acme'])
    await stream.text()

    const own = bearer(after.admin_token)
    expect((await ask(sandbox, 'POST', '/_sandbox/snapshots/old/restore', own)).status).toBe(200)
    for (const one of [...ended, ...endedToo]) expect(await works(sandbox, one)).toBe(401)
    expect(await works(sandbox, bearer(after.api_key))).toBe(200)
    expect((await ask(sandbox, 'POST', '/_sandbox/reset', own)).status).toBe(200)
    for (const one of [...ended, ...endedToo]) expect(await works(sandbox, one)).toBe(401)
    expect(await works(sandbox, bearer(after.api_key))).toBe(200)
  })

  it('a reload, an upload and a reset leave the keys as they are', async () => {
    const sandbox = await apart()
    const { json } = await make(sandbox)
    const key = bearer(json.api_key)
    await sandbox.reload()
    expect(await works(sandbox, key)).toBe(200)
    const chosen = { id: 'key_full', api_key: 'chosen', secret: 'chosen', products: ['mk_summit'] }
    await ask(sandbox, 'PUT', '/_sandbox/state', bearer(json.admin_token), { api_keys: [chosen] })
    expect(await works(sandbox, key)).toBe(200)
    expect(await works(sandbox, bearer('chosen.acme'))).toBe(401)
  })

  it.each([
    ['default', 409, "workspace 'default' has no keys of its own: create one workspace for each partner"],
    ['acme-replay-1', 409, "workspace 'acme-replay-1' is a copy of 'acme': rotate the keys of 'acme'"],
    ['acm', 404, "no workspace is called 'acm', did you mean 'acme'?"],
  ])('%s -> %i', async (name, status, message) => {
    const sandbox = await apart()
    const { json } = await make(sandbox)
    await works(sandbox, bearer(json.api_key))
    await ask(sandbox, 'POST', '/_sandbox/requests/req_acme_1/replay', operator, undefined)
    await ask(sandbox, 'POST', '/_sandbox/requests/req_acme_1/replay', bearer(json.admin_token))
    const reported = await rotate(sandbox, name)
    expect([reported.status, reported.json.error.message]).toEqual([status, message])
  })

  it('a request that came with a token and waits for its body when that is ended changes nothing', async () => {
    const sandbox = await apart()
    const { json } = await make(sandbox)
    let send = (): void => undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = () => {
          controller.enqueue(Buffer.from('{"first_name":"late","product":"mk_summit"}'))
          controller.close()
        }
      },
    })
    const headers = { authorization: bearer(json.admin_token), 'content-type': 'application/json' }
    const init: RequestInit & { duplex: 'half' } = { method: 'PUT', headers, body, duplex: 'half' }
    const answer = sandbox.fetch('/_sandbox/state/customers/cus_late', init)
    await rotate(sandbox, 'acme')
    send()
    expect((await answer).status).toBe(401)
    expect(sandbox.workspace('acme').state.get('customers', 'cus_late')).toBeUndefined()
  })

  it('deleting a workspace deletes its copies, which have the same keys', async () => {
    const sandbox = await apart()
    const { json } = await make(sandbox)
    await works(sandbox, bearer(json.api_key))
    await ask(sandbox, 'POST', '/_sandbox/requests/req_acme_1/replay', bearer(json.admin_token))
    const ofCopy = bearer(json.api_key.replace('.acme', '.acme-replay-1'))
    expect(await works(sandbox, ofCopy)).toBe(200)
    await ask(sandbox, 'DELETE', '/_sandbox/workspaces/acme', operator)
    expect(await works(sandbox, ofCopy)).toBe(401)
    expect((await ask(sandbox, 'GET', '/_sandbox/clock', bearer(json.admin_token))).status).toBe(401)
  })
})

describe('what one partner has much of', () => {
  it('replays: the newest 20 of each stay, and none of another goes', async () => {
    const sandbox = await apart()
    for (const name of ['acme', 'beta']) {
      const { json } = await make(sandbox, { name })
      await works(sandbox, bearer(json.api_key))
      const replay = `/_sandbox/requests/req_${name}_1/replay`
      for (let made = 0; made < (name === 'acme' ? 2 : 22); made++) {
        expect((await ask(sandbox, 'POST', replay, bearer(json.admin_token))).status).toBe(201)
      }
    }
    const names = sandbox.workspaces.list().map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('acme-'))).toEqual(['acme-replay-1', 'acme-replay-2'])
    const ofBeta = names.filter((name) => name.startsWith('beta-'))
    expect([ofBeta.length, ofBeta[0], ofBeta.at(-1)]).toEqual([20, 'beta-replay-3', 'beta-replay-22'])
  })

  it('a long name -> the copies of another one that begins alike are counted for themselves', async () => {
    const sandbox = await apart()
    const alike = ['A', 'B'].map((end) => 'x'.repeat(63) + end)
    const copies: string[] = []
    for (const name of alike) {
      const { json } = await make(sandbox, { name })
      await works(sandbox, bearer(json.api_key))
      const replay = `/_sandbox/requests/req_${name}_1/replay`
      expect((await ask(sandbox, 'POST', replay, bearer(json.admin_token))).status).toBe(201)
      const { workspaces } = (await ask(sandbox, 'GET', '/_sandbox/workspaces', bearer(json.admin_token)))
        .json
      copies.push(
        ...workspaces.map((one: { name: string }) => one.name).filter((one: string) => one !== name),
      )
    }
    expect(copies).toEqual([expect.stringMatching(/-replay-1$/), expect.stringMatching(/-replay-1$/)])
    expect(copies[0]).not.toBe(copies[1])
  })

  it('a name that is that of a copy -> 400, as its partner would take one of another', async () => {
    const sandbox = await apart()
    const { status, json } = await make(sandbox, { name: 'acme-replay-1' })
    expect([status, json.error.message]).toEqual([
      400,
      "name: 'acme-replay-1' is reserved for copies that a replay creates: choose another one",
    ])
  })

  it('keys: 1,000 at once are taken, and no more', async () => {
    const sandbox = await apart()
    const token = bearer((await make(sandbox)).json.admin_token)
    const upload = (count: number) =>
      ask(sandbox, 'PUT', '/_sandbox/state', token, {
        api_keys: Array.from({ length: count }, (_, at) => ({ id: `k${at}` })),
      })
    const refused = await upload(1001)
    expect([refused.status, refused.json.error]).toMatchObject([
      400,
      {
        type: 'INVALID',
        message: expect.stringContaining("1001 keys: a partner's workspace takes at most 1000"),
      },
    ])
    expect((await upload(1000)).status).toBe(200)
  })

  it.each([
    ['with a ttl', { workspaceTtl: '7d' }],
    ['without a ttl', {}],
  ])(
    '%s: copies take no room of what an operator makes, nor of copies of another',
    async (_what, options) => {
      const sandbox = await apart({ maxWorkspaces: 3, ...options })
      const names = () => sandbox.workspaces.list().map(({ name }) => name)
      const replays = async (name: string) => {
        const { json } = await make(sandbox, { name })
        await works(sandbox, bearer(json.api_key))
        const replay = () =>
          ask(sandbox, 'POST', `/_sandbox/requests/req_${name}_1/replay`, bearer(json.admin_token))
        return [(await replay()).status, (await replay()).status]
      }
      expect(await replays('beta')).toEqual([201, 201])
      expect(await replays('acme')).toEqual([201, 201])
      expect((await make(sandbox, { name: 'gamma' })).status).toBe(201)
      expect(names()).toHaveLength(8)
      // For a fourth the one goes that was idle for longest, with its copies; without a ttl none does.
      const { status } = await make(sandbox, { name: 'delta' })
      expect(status).toBe('workspaceTtl' in options ? 201 : 409)
      const acme = ['acme', 'acme-replay-1', 'acme-replay-2']
      expect(names()).toEqual([
        'default',
        ...('workspaceTtl' in options
          ? [...acme, 'gamma', 'delta']
          : ['beta', 'beta-replay-1', 'beta-replay-2', ...acme, 'gamma']),
      ])
    },
  )

  it('streams: one who has as many as there may be leaves the others theirs', async () => {
    const sandbox = await apart()
    const [acme, beta] = [await make(sandbox), await make(sandbox, { name: 'beta' })].map(({ json }) => ({
      authorization: bearer(json.admin_token),
    }))
    const open = async (headers = acme): Promise<number> =>
      (await sandbox.fetch('/_sandbox/stream', { headers: headers ?? {} })).status
    const statuses = await Promise.all(Array.from({ length: 101 }, () => open()))
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(await open()).toBe(429)
    const reported = await ask(sandbox, 'GET', '/_sandbox/stream', acme?.authorization)
    expect(reported.json.error.message).toBe(
      'There are 100 streams, as many as a workspace and its copies have: close one of them.',
    )
    const unknown = await ask(sandbox, 'GET', '/_sandbox/clock', bearer('other'))
    expect(unknown.json.error.message).toBe(
      'Send Authorization: Bearer with a token: that of --admin-token, or the current one of your workspace: a rotation revokes earlier ones.',
    )
    expect(await open(beta)).toBe(200)
  })

  it('keys that it uploads hide nothing in the journals of others', async () => {
    const sandbox = await apart()
    const { json: acme } = await make(sandbox)
    const { json: beta } = await make(sandbox, { name: 'beta' })
    const chosen = { id: 'k', api_key: 'cus_ada', secret: 'customers', products: ['mk_summit'] }
    await ask(sandbox, 'PUT', '/_sandbox/state', bearer(acme.admin_token), { api_keys: [chosen] })
    await ask(sandbox, 'PUT', '/_sandbox/state/api_keys/k2', bearer(acme.admin_token), {
      ...chosen,
      id: 'k2',
    })
    await ask(sandbox, 'GET', '/v2/customers/cus_ada/rewards_balance', bearer(beta.api_key))
    const { json } = await ask(sandbox, 'GET', '/_sandbox/requests', bearer(beta.admin_token))
    expect(json.requests[0].path).toBe('/v2/customers/cus_ada/rewards_balance')
  })
})

describe('--isolation test', () => {
  it('gives no credentials, and a key of the baseline opens any workspace', async () => {
    const sandbox = await apart({ isolation: 'test' })
    const { json } = await make(sandbox)
    expect(json).toEqual({ name: 'acme', api_key: 'sk_sandbox_full.acme', created_at: testNow })
    expect(await works(sandbox, bearer('sk_sandbox_full.new'))).toBe(200)
    expect((await sandbox.workspaces.create()).credentials).toBeUndefined()
    const reported = await ask(sandbox, 'POST', '/_sandbox/workspaces/acme/rotate', operator)
    expect([reported.status, reported.json.error.message]).toEqual([
      409,
      "workspace 'acme' shares its keys with all workspaces: only --isolation partner gives each workspace its own keys",
    ])
  })

  it('a token that looks like that of a partner opens nothing', async () => {
    const sandbox = await apart({ isolation: 'test' })
    await make(sandbox)
    const guess = bearer(`token_${'0'.repeat(24)}.acme`)
    expect((await ask(sandbox, 'GET', '/_sandbox/clock', guess)).status).toBe(401)
  })
})
