import { describe, expect, it } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { askControl, controlErrorBody } from '../helpers/control.ts'
import { basic, fullKey, startSandbox } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const json = { 'content-type': 'application/json' }

const replay = (sandbox: Sandbox, id: string, edits?: unknown, query = '') =>
  askControl(sandbox, 'POST', `/requests/${id}/replay${query}`, edits)

const fault = (kind: unknown) => ({
  name: 'broken',
  description: 'Breaks off.',
  rules: [{ on: '*', effect: { transport: kind } }],
})

async function startWithCalls(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options)
  const call = (path: string, init: RequestInit = {}) =>
    sandbox.fetch(path, { ...init, headers: { authorization: `Bearer ${fullKey}`, ...init.headers } })
  return { sandbox, call }
}

describe('POST /_sandbox/requests/{id}/replay', () => {
  it('as it was -> into a copy as it is now; nothing here is disturbed', async () => {
    const { sandbox, call } = await startWithCalls()
    const first = await (await call(reward)).json()
    const { status, json: again } = await replay(sandbox, 'req_default_1')
    expect([status, again]).toEqual([
      201,
      {
        workspace: 'replay-1',
        request_id: 'req_replay-1_1',
        status: 200,
        headers: {
          ...sandbox.requests.get('req_default_1')?.response.headers,
          'x-sandbox-request-id': 'req_replay-1_1',
        },
        body: first,
      },
    ])
    expect(sandbox.requests.list()).toHaveLength(1)
    expect(sandbox.workspace('replay-1').requests.list()).toMatchObject([{ path: reward, status: 200 }])
    sandbox.state.delete('rewards', 'rwd_ada_pending')
    expect((await replay(sandbox, 'req_default_1')).json).toMatchObject({
      workspace: 'replay-2',
      status: 404,
    })
  })

  it('the bytes of the body are sent, and not what is shown of it', async () => {
    const { sandbox, call } = await startWithCalls()
    const body = '{"status" :  "AVAILABLE","note":"sk_sandbox_full é"}'
    const before = sandbox.snapshot()
    const first = await call(reward, { method: 'PATCH', body, headers: json })
    expect(first.status).toBe(200)
    sandbox.restore(before)
    const { json: again } = await replay(sandbox, 'req_default_1')
    expect(again.status).toBe(first.status)
    const [there] = sandbox.workspace('replay-1').requests.list()
    expect(there?.request).toEqual(sandbox.requests.get('req_default_1')?.request)
    expect(there?.changes).toEqual(sandbox.requests.get('req_default_1')?.changes)
    expect(sandbox.requests.list()).toHaveLength(1)
  })

  it.each<[string, object, object]>([
    ['the method', { method: 'HEAD' }, { status: 200, body: null }],
    [
      'the path',
      { path: '/v2/customers?limit=1' },
      { status: 200, body: expect.objectContaining({ total: 26 }) },
    ],
    ['dots in the path', { path: '/v2/../v2/%63ustomers?limit=1' }, { status: 200 }],
    ['a header', { headers: { Authorization: 'Bearer nobody' } }, { status: 401 }],
    ['a header that is left out', { headers: { AUTHORIZATION: null } }, { status: 401 }],
    [
      'body and method',
      { method: 'PATCH', body: { status: 'AVAILABLE' } },
      { status: 200, body: expect.objectContaining({ status: 'AVAILABLE' }) },
    ],
    [
      'a text as body',
      { method: 'PATCH', body: '{"status":"AVAILABLE"}', headers: json },
      { status: 200, body: expect.objectContaining({ status: 'AVAILABLE' }) },
    ],
    ['a text without a type', { method: 'PATCH', body: '{}' }, { status: 415 }],
    ['no body', { method: 'PATCH', body: null }, { status: 400 }],
    ['a scenario', { headers: { 'x-sandbox-scenario': 'unavailable' } }, { status: 503 }],
    ['a path that is not there', { path: '/v2/nothing' }, { status: 404 }],
  ])('edited: %s', async (_what, edits, answer) => {
    const { sandbox, call } = await startWithCalls()
    await call(reward)
    const { status, json: again } = await replay(sandbox, 'req_default_1', edits)
    expect([status, again]).toEqual([201, expect.objectContaining(answer)])
    expect((await sandbox.requests.replay('req_default_1', edits)).status).toBe(again.status)
  })

  it.each<[string, Record<string, string>]>([
    ['Bearer', { authorization: `Bearer ${fullKey}.w1` }],
    ['Basic', { authorization: basic(`${fullKey}.w1`, '')['authorization'] ?? '' }],
  ])('a key with the name of its workspace, as %s -> the copy nevertheless', async (_form, headers) => {
    const sandbox = await startSandbox()
    await sandbox.fetch(reward, { headers })
    expect((await replay(sandbox, 'req_w1_1', {}, '?workspace=w1')).json).toMatchObject({
      workspace: 'replay-1',
      request_id: 'req_replay-1_1',
      status: 200,
    })
    expect((await sandbox.workspace('w1').requests.replay('req_w1_1', { workspace: 'w2' })).status).toBe(200)
  })

  it('workspace -> there, made as a copy where it is not', async () => {
    const { sandbox, call } = await startWithCalls()
    sandbox.state.delete('order_events', 'ord_ada_1')
    await call('/v2/keys', { method: 'POST' })
    for (const number of [1, 2]) {
      expect((await replay(sandbox, 'req_default_1', { workspace: 'mine' })).json).toMatchObject({
        workspace: 'mine',
        request_id: `req_mine_${number}`,
        status: 200,
      })
    }
    expect(sandbox.workspace('mine').state.get('order_events', 'ord_ada_1')).toBeUndefined()
    expect((await replay(sandbox, 'req_default_1', { workspace: 'default' })).json.request_id).toBe(
      'req_default_2',
    )
    expect(sandbox.workspaces.list().map(({ name }) => name)).toEqual(['default', 'mine'])
  })

  it('of the copies the newest 20 stay; one that somebody made is left alone', async () => {
    const { sandbox, call } = await startWithCalls()
    await call(reward)
    sandbox.workspace('replay-3')
    for (let count = 0; count < 25; count++) await sandbox.requests.replay('req_default_1')
    const names = sandbox.workspaces.list().map(({ name }) => name)
    const made = Array.from({ length: 20 }, (_, at) => `replay-${at + 7}`)
    expect(names).toEqual(['default', 'replay-3', ...made])
  })

  it('it counts towards --max-workspaces -> 409', async () => {
    const { sandbox, call } = await startWithCalls({ maxWorkspaces: 1 })
    await call(reward)
    expect((await replay(sandbox, 'req_default_1')).status).toBe(201)
    expect(await replay(sandbox, 'req_default_1')).toMatchObject({
      status: 409,
      json: { error: { type: 'CONFLICT' } },
    })
  })

  it.each(['reset', 'empty', 'hang', 'truncate', 'malformed_json'])(
    'a connection that breaks off (%s) -> 201 with status null',
    async (kind) => {
      const { sandbox, call } = await startWithCalls()
      await call(reward)
      await sandbox.scenarios.register(fault(kind))
      await sandbox.scenarios.activate('broken')
      expect((await replay(sandbox, 'req_default_1')).json).toEqual({
        workspace: 'replay-1',
        request_id: 'req_replay-1_1',
        status: null,
        headers: {},
        body: null,
      })
    },
  )

  it('a body of which the journal kept only the beginning -> 409, unless one is given', async () => {
    const { sandbox, call } = await startWithCalls()
    const body = JSON.stringify({ note: 'x'.repeat(70_000) })
    await call(reward, { method: 'PATCH', body, headers: json })
    expect(await replay(sandbox, 'req_default_1')).toMatchObject({
      status: 409,
      json: controlErrorBody(
        'CONFLICT',
        `The journal kept only the beginning of this body of ${body.length} bytes: set body to all of it.`,
      ),
    })
    expect(sandbox.workspaces.list()).toHaveLength(1)
    const answer = await replay(sandbox, 'req_default_1', { body: { status: 'AVAILABLE' } })
    expect(answer.json.status).toBe(200)
  })

  it.each([
    ['/_sandbox/reset', { method: 'POST' }],
    ['/_sandbox', {}],
    ['/v2/../_sandbox/state', {}],
    ['/%5fsandbox/state', {}],
    ['/_sandbox/files/statements/default/x.pdf', {}],
  ])('the path %s is none of the API -> 400, and there is no copy', async (path, more) => {
    const { sandbox, call } = await startWithCalls()
    await call(reward)
    expect(await replay(sandbox, 'req_default_1', { path, ...more })).toMatchObject({
      status: 400,
      json: { error: { type: 'INVALID', message: expect.stringContaining('only calls of the API') } },
    })
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })

  it.each<[object, string]>([
    [{ path: 'v2/customers' }, 'path'],
    [{ path: '/v2/customers#x' }, 'path'],
    [{ path: '/v2/ü' }, 'path'],
    [{ method: 'get' }, 'method'],
    [{ method: 'get' }, 'method'],
    [{ headers: { 'a b': 'x' } }, 'headers'],
    [{ headers: { a: 'x\r\nb: y' } }, 'headers.a'],
    [{ headers: { a: 1 } }, 'headers.a'],
    [{ workspace: 'a b' }, 'workspace'],
    [{ hedaers: {} }, 'hedaers'],
  ])('%j -> 400, and there is no copy', async (edits, path) => {
    const { sandbox, call } = await startWithCalls()
    await call(reward)
    const { status, json: refused } = await replay(sandbox, 'req_default_1', edits)
    expect([status, refused.error.type, refused.error.details[0].source]).toEqual([400, 'INVALID', 'replay'])
    expect(refused.error.details[0].path).toContain(path)
    expect(sandbox.workspaces.list()).toHaveLength(1)
  })

  it('one that the journal does not hold -> 404 that says why', async () => {
    const { sandbox, call } = await startWithCalls({ journalSize: 1 })
    const { status, json: unknown } = await replay(sandbox, 'req_default_1')
    expect([status, unknown]).toEqual([
      404,
      controlErrorBody(
        'NOT_FOUND',
        "No request of workspace default has the id 'req_default_1': its journal is empty, as after a reset, `requests clear` or with --journal-size 0.",
      ),
    ])
    await call(reward)
    await call(reward)
    expect((await replay(sandbox, 'req_default_1')).json.error.message).toContain('has dropped 1 older ones')
    await expect(sandbox.requests.replay('req_default_1')).rejects.toThrow('has dropped 1 older ones')
  })

  it('what is secret is hidden in the answer, as in the journal', async () => {
    const { sandbox, call } = await startWithCalls()
    await call('/v2/keys', { method: 'POST' })
    const { json: again } = await replay(sandbox, 'req_default_1')
    const [there] = sandbox.workspace('replay-1').requests.list()
    expect(again.body).toEqual(there?.response.body)
    expect(again.headers).toEqual(there?.response.headers)
    const made = sandbox
      .workspace('replay-1')
      .state.list('api_keys')
      .map(({ secret }) => secret)
    expect(made.filter((secret) => JSON.stringify(again).includes(secret))).toEqual([])
  })

  it('below --base-url -> the same path', async () => {
    const { sandbox, call } = await startWithCalls({ baseUrl: 'https://proxy.example/api' })
    await call(`/api${reward}`)
    expect((await replay(sandbox, 'req_default_1')).json.status).toBe(200)
    expect((await replay(sandbox, 'req_default_1', { path: '/api/_sandbox/reset' })).status).toBe(400)
  })
})
