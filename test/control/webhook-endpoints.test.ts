// The endpoints of webhook events over HTTP: whole answers, and refusals.
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { startSandbox, testNow, type CallApi } from '../helpers/sandbox.ts'

type Serving = Sandbox & { call: CallApi }

const serve = (): Promise<Serving> => startSandbox({ webhooks: 'standard' })

const control = (sandbox: Sandbox, method: string, path: string, body?: unknown): Promise<Response> =>
  sandbox.fetch(`/_sandbox/webhook_endpoints${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

/** The status and the whole body of an answer. */
async function answerOf(...of: Parameters<typeof control>): Promise<[status: number, body: unknown]> {
  const answer = await control(...of)
  const text = await answer.text()
  return [answer.status, text === '' ? undefined : JSON.parse(text)]
}

const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)
const url = 'http://localhost:1/hook'
const endpoint = { id: 'we_1', url, events: ['*'], enabled: true, created_at: testNow }

describe('the endpoints of a sandbox that serves events', () => {
  it('are added, listed, shown, changed, rotated and removed', async () => {
    const sandbox = await serve()
    const events = ['reward.updated', 'reward.created']
    expect(await answerOf(sandbox, 'POST', '', { url })).toEqual([201, { ...endpoint, secret }])
    const second = { ...endpoint, id: 'we_2', events }
    expect(await answerOf(sandbox, 'POST', '', { url, events })).toEqual([201, { ...second, secret }])
    expect(await answerOf(sandbox, 'GET', '')).toEqual([200, { webhook_endpoints: [endpoint, second] }])
    expect(await answerOf(sandbox, 'GET', '/we_2')).toEqual([200, second])
    const changed = { id: 'we_1', url: 'http://localhost:2/', events, enabled: false, created_at: testNow }
    expect(await answerOf(sandbox, 'PATCH', '/we_1', { url: changed.url, events, enabled: false })).toEqual([
      200,
      changed,
    ])
    expect(await answerOf(sandbox, 'PATCH', '/we_1', {})).toEqual([200, changed])
    const rotated = await answerOf(sandbox, 'POST', '/we_1/rotate')
    expect(rotated).toEqual([200, { ...changed, secret }])
    expect(rotated).not.toEqual(await answerOf(sandbox, 'POST', '/we_1/rotate'))
    expect(await answerOf(sandbox, 'DELETE', '/we_1')).toEqual([204, undefined])
    expect(await answerOf(sandbox, 'GET', '')).toEqual([200, { webhook_endpoints: [second] }])
  })

  it('with a listener say so, and need no allowed address', async () => {
    const sandbox = await serve()
    const listening = { ...endpoint, url: 'http://10.0.0.1/hook', listener: true }
    const added = await answerOf(sandbox, 'POST', '', { url: listening.url, listener: true })
    expect(added).toEqual([201, { ...listening, secret }])
    expect(await answerOf(sandbox, 'GET', '/we_1')).toEqual([200, listening])
  })

  it('at an address that is not allowed -> a warning in every answer', async () => {
    const sandbox = await serve()
    const warning =
      '10.0.0.1 is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow 10.0.0.1'
    const added = { ...endpoint, url: 'http://10.0.0.1/hook', warning }
    expect(await answerOf(sandbox, 'POST', '', { url: added.url })).toEqual([201, { ...added, secret }])
    expect(await answerOf(sandbox, 'GET', '')).toEqual([200, { webhook_endpoints: [added] }])
    expect(await answerOf(sandbox, 'PATCH', '/we_1', { enabled: false })).toEqual([
      200,
      { ...added, enabled: false },
    ])
    expect(await answerOf(sandbox, 'PATCH', '/we_1', { url })).toEqual([200, { ...endpoint, enabled: false }])
  })

  it('of another workspace are others', async () => {
    const sandbox = await serve()
    await sandbox.workspaces.create({ name: 'other' })
    await answerOf(sandbox, 'POST', '?workspace=other', { url })
    expect(await answerOf(sandbox, 'GET', '')).toEqual([200, { webhook_endpoints: [] }])
    expect(await answerOf(sandbox, 'GET', '?workspace=other')).toEqual([
      200,
      { webhook_endpoints: [endpoint] },
    ])
  })
})

describe('refusals', () => {
  const notThere = "no endpoint is called 'we_9', did you mean 'we_1'?"
  it.each<[string, string, unknown, number, string, string]>([
    ['POST', '', {}, 400, 'INVALID', 'webhook: must have either a handler or a url'],
    ['POST', '', { url: 'x' }, 400, 'INVALID', 'webhook url: must be a URL with http or https'],
    ['POST', '', { url: 'ftp://a/' }, 400, 'INVALID', 'webhook url: must be a URL with http or https'],
    [
      'POST',
      '',
      { url: 'http://user:password@localhost/' },
      400,
      'INVALID',
      'webhook url: must not contain a user name or a password',
    ],
    ['POST', '', { url, listener: false }, 400, 'INVALID', 'webhook listener: must be one of true'],
    ['POST', '', { url, events: [] }, 400, 'INVALID', 'webhook events: must have a type, or * for all'],
    ['PATCH', '/we_1', { enabled: 1 }, 400, 'INVALID', 'webhook enabled: must be true or false'],
    ['PATCH', '/we_9', {}, 404, 'NOT_FOUND', notThere],
    ['GET', '/we_9', undefined, 404, 'NOT_FOUND', notThere],
    ['DELETE', '/we_9', undefined, 404, 'NOT_FOUND', notThere],
    ['POST', '/we_9/rotate', undefined, 404, 'NOT_FOUND', notThere],
    ['POST', '/we_1/rotate', { now: true }, 400, 'INVALID', 'This request must have no body.'],
  ])('%s %s with %j -> %i %s', async (method, path, body, status, type, message) => {
    const sandbox = await serve()
    sandbox.webhooks.add({ url })
    expect(await answerOf(sandbox, method, path, body)).toEqual([
      status,
      {
        error: {
          type,
          message,
          ...(status === 400 && message.startsWith('webhook') && { details: expect.any(Array) }),
        },
      },
    ])
    expect(sandbox.webhooks.list()).toEqual([endpoint])
  })

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/we_1'],
    ['PATCH', '/we_1'],
    ['DELETE', '/we_1'],
    ['POST', '/we_1/rotate'],
  ])('%s %s answers 404 with the option, where no events are served', async (method, path) => {
    const body = method === 'PATCH' || (method === 'POST' && path === '') ? {} : undefined
    expect(await answerOf(await startSandbox(), method, path, body)).toEqual([
      404,
      {
        error: {
          type: 'NOT_FOUND',
          message:
            'no webhook events are served (assumption webhook_events): set webhooks to a preset or a file, such as --webhooks standard',
        },
      },
    ])
  })
})
