import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { fullKey, startSandbox } from '../helpers/sandbox.ts'

interface Got {
  status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  json: any
}

async function ask(sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Got> {
  const response = await sandbox.fetch(`/_sandbox/requests${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

const invalid = (message: string, details?: unknown): Got => ({
  status: 400,
  json: { error: { type: 'INVALID', message, ...(details ? { details } : {}) } },
})

/** A sandbox that answered three calls, one of them in workspace w1. */
async function used(): Promise<Sandbox> {
  const sandbox = await startSandbox()
  await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
  await sandbox.call('GET', '/v2/rewards/nobody')
  await sandbox.call('GET', '/v2/customers', { key: `${fullKey}.w1` })
  return sandbox
}

describe('GET /_sandbox/requests', () => {
  it('-> what the library lists, newest first', async () => {
    const sandbox = await used()
    const { status, json } = await ask(sandbox, 'GET', '')
    expect([status, json]).toEqual([200, { requests: sandbox.requests.list(), dropped: 0 }])
    expect(json.requests.map(({ id }: { id: string }) => id)).toEqual(['req_default_2', 'req_default_1'])
  })

  it('?workspace= -> those of that workspace', async () => {
    const sandbox = await used()
    const { json } = await ask(sandbox, 'GET', '?workspace=w1')
    expect(json).toEqual({ requests: sandbox.workspace('w1').requests.list(), dropped: 0 })
    expect(json.requests).toHaveLength(1)
  })

  it('case 122: how many were dropped', async () => {
    const sandbox = await startSandbox({ journalSize: 1 })
    for (let count = 0; count < 3; count++) await sandbox.call('GET', '/v2/customers')
    expect((await ask(sandbox, 'GET', '')).json).toMatchObject({
      requests: [{ id: 'req_default_3' }],
      dropped: 2,
    })
  })

  it.each([
    ['?status=404', ['req_default_2']],
    ['?status=2xx', ['req_default_1']],
    ['?text=NOBODY', ['req_default_2']],
    ['?before=req_default_2', ['req_default_1']],
    ['?outcome=success', ['req_default_1']],
    ['?operation=retrieveReward&limit=1', ['req_default_2']],
    ['?operation=searchCustomers', []],
    ['?since=2026-11-21T12:00:00%2B00:00', ['req_default_2', 'req_default_1']],
    ['?since=2030-01-01T00:00:00Z', []],
  ])('%s -> %j', async (query, ids) => {
    const { json } = await ask(await used(), 'GET', query)
    expect(json.requests.map(({ id }: { id: string }) => id)).toEqual(ids)
  })

  it('a bad filter -> 400 with every problem', async () => {
    const { status, json } = await ask(await used(), 'GET', '?status=1&outcome=notfound')
    expect([status, json.error.type]).toEqual([400, 'INVALID'])
    expect(json.error.details).toEqual([
      { source: 'filter', path: 'status', message: 'must be from 100 to 599' },
      {
        source: 'filter',
        path: 'outcome',
        message: expect.stringMatching(/^must be one of success, .*, did you mean 'not_found'\?$/),
      },
    ])
    expect(json.error.message).toContain('filter status: must be from 100 to 599\n')
  })

  it('?format=har -> what the library makes, with the same filters', async () => {
    const sandbox = await used()
    expect(await ask(sandbox, 'GET', '?format=har&limit=1')).toEqual({
      status: 200,
      json: sandbox.requests.har({ limit: 1 }),
    })
    expect(await ask(sandbox, 'GET', '?format=xml')).toEqual(
      invalid('filter format: must be one of json, har', [
        { source: 'filter', path: 'format', message: 'must be one of json, har' },
      ]),
    )
  })
})

describe('GET /_sandbox/requests/{id}', () => {
  it('-> one request with why it was answered so', async () => {
    const sandbox = await used()
    const { status, json } = await ask(sandbox, 'GET', '/req_default_2')
    expect([status, json]).toEqual([200, sandbox.requests.get('req_default_2')])
    expect(json).toEqual({
      ...sandbox.requests.list()[0],
      explanation: sandbox.requests.explain('req_default_2'),
      reads: [],
    })
    expect(json.explanation).toMatchObject({
      id: 'req_default_2',
      summary: "There was no reward 'nobody': no reward had this id since the journal began.",
    })
  })

  it('of another workspace -> only there', async () => {
    const sandbox = await used()
    expect((await ask(sandbox, 'GET', '/req_w1_1?workspace=w1')).json).toMatchObject({ workspace: 'w1' })
    expect((await ask(sandbox, 'GET', '/req_w1_1')).status).toBe(404)
  })

  const notFound = (message: string): Got => ({
    status: 404,
    json: { error: { type: 'NOT_FOUND', message } },
  })

  it.each<[string, () => Promise<Sandbox>, string, string]>([
    [
      'one that never was',
      used,
      '/req_default_9',
      "No request of workspace default has the id 'req_default_9': a reset or `requests clear` begins a new journal; `requests` (GET /_sandbox/requests) lists what it holds.",
    ],
    [
      'after a reset',
      async () => {
        const sandbox = await used()
        sandbox.reset()
        return sandbox
      },
      '/req_default_1',
      "No request of workspace default has the id 'req_default_1': its journal is empty, as after a reset, `requests clear` or with --journal-size 0.",
    ],
    [
      'one that was dropped',
      async () => {
        const sandbox = await startSandbox({ journalSize: 1 })
        for (let count = 0; count < 3; count++) await sandbox.call('GET', '/v2/customers')
        return sandbox
      },
      '/req_default_1',
      "No request of workspace default has the id 'req_default_1': the journal has dropped 2 older ones (--journal-size keeps more).",
    ],
    [
      'what is no id',
      used,
      '/%0A%C3%A9x?workspace=w1',
      "No request of workspace w1 has the id '??x': a reset or `requests clear` begins a new journal; `requests` (GET /_sandbox/requests) lists what it holds.",
    ],
  ])('%s -> 404 that says what to do', async (_, make, path, message) => {
    expect(await ask(await make(), 'GET', path)).toEqual(notFound(message))
  })
})

describe('DELETE /_sandbox/requests', () => {
  it('-> 204, and that workspace begins anew', async () => {
    const sandbox = await used()
    expect(await ask(sandbox, 'DELETE', '')).toEqual({ status: 204, json: undefined })
    expect((await ask(sandbox, 'GET', '')).json).toEqual({ requests: [], dropped: 0 })
    expect((await ask(sandbox, 'GET', '?workspace=w1')).json.requests).toHaveLength(1)
  })
})

describe('POST /_sandbox/requests/verify', () => {
  const verify = async (body: unknown, query = ''): Promise<Got> =>
    ask(await used(), 'POST', `/verify${query}`, body)

  it.each([
    [{ operation: 'retrieveReward', count: 2 }, '', 2],
    [{ in_order: [{ status: 200 }, { status: 404 }] }, '', 2],
    [{ operation: 'searchCustomers' }, '?workspace=w1', 1],
  ])('%j%s -> 200', async (body, query, count) => {
    expect(await verify(body, query)).toEqual({ status: 200, json: { count } })
  })

  it('does not hold -> 409 with what came nearest', async () => {
    expect(await verify({ operation: 'retrieveReward', params: { reward_id: 'rwd_b' } })).toEqual({
      status: 409,
      json: {
        error: { type: 'CONFLICT', message: 'at least 1 expected, 0 of 2 requests matched' },
        count: 0,
        nearest: ['rwd_ada_pending', 'nobody'].map((actual, at) => ({
          id: `req_default_${at + 1}`,
          method: 'GET',
          path: `/v2/rewards/${actual}`,
          operation: 'retrieveReward',
          status: at === 0 ? 200 : 404,
          differs: [{ at: 'params.reward_id', expected: 'rwd_b', actual }],
        })),
      },
    })
  })

  it.each([
    [{ operatoin: 'x' }, "verify operatoin: unknown field, did you mean 'operation'?"],
    [{ in_order: [{ statsu: 1 }] }, "verify in_order[0].statsu: unknown field, did you mean 'status'?"],
    [{ at_least: 2, at_most: 1 }, 'verify at_least: must not be above at_most'],
  ])('%j -> 400', async (body, message) => {
    const { status, json } = await verify(body)
    expect([status, json.error.type, json.error.message]).toEqual([400, 'INVALID', message])
  })

  it.each([[[]], ['x'], [null], [1]])('%j -> 400', async (body) => {
    const details = [{ source: 'verify', path: '', message: 'must be a JSON object' }]
    expect(await verify(body)).toEqual(invalid('verify: must be a JSON object', details))
  })

  it('what is no JSON -> 400; GET -> 405', async () => {
    const sandbox = await used()
    const path = '/_sandbox/requests/verify'
    const bad = await sandbox.fetch(path, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect(bad.status).toBe(400)
    expect(await bad.json()).toMatchObject({ error: { type: 'INVALID', details: [{ line: 1, column: 2 }] } })
    const got = await sandbox.fetch(path)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('a body nested without end does no harm', async () => {
    const sandbox = await startSandbox()
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const headers = { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' }
    await sandbox.fetch('/v2/keys', { method: 'POST', headers, body: deep })
    expect((await ask(sandbox, 'GET', '')).status).toBe(200)
    expect((await ask(sandbox, 'GET', '/req_default_1')).status).toBe(200)
    expect((await ask(sandbox, 'GET', '?format=har')).status).toBe(200)
    const verified = async (body: string): Promise<Got> => {
      const init = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"body":${body}}`,
      }
      const response = await sandbox.fetch('/_sandbox/requests/verify', init)
      return { status: response.status, json: await response.json() }
    }
    expect(await verified(deep)).toMatchObject({
      status: 400,
      json: { error: { type: 'INVALID', details: [{ message: 'is nested deeper than 100 levels' }] } },
    })
    expect((await verified(`${'['.repeat(99)}${']'.repeat(99)}`)).status).toBe(409)
  })
})
