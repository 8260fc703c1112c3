// The endpoints of webhook events over HTTP: whole answers, and refusals.
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { testNow } from '../helpers/sandbox.ts'
import { start } from '../helpers/webhook-events.ts'

/** The status and the whole body of an answer. */
async function answerOf(
  sandbox: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<[status: number, body: unknown]> {
  const { status, json } = await askControl(sandbox, method, `/webhook_endpoints${path}`, body)
  return [status, json]
}

const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)
const url = 'http://localhost:1/hook'
const endpoint = { id: 'we_1', url, events: ['*'], enabled: true, created_at: testNow }

describe('the endpoints of a sandbox that serves events', () => {
  it('are added, listed, shown, changed, rotated and removed', async () => {
    const sandbox = await start()
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
    const sandbox = await start()
    const listening = { ...endpoint, url: 'http://10.0.0.1/hook', listener: true }
    const added = await answerOf(sandbox, 'POST', '', { url: listening.url, listener: true })
    expect(added).toEqual([201, { ...listening, secret }])
    expect(await answerOf(sandbox, 'GET', '/we_1')).toEqual([200, listening])
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
    const sandbox = await start()
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
})
