// Asking a target: pace, budget, patience, and what is no answer of a service.
import { describe, expect, it } from 'vitest'
import { Asker, CannotBeAsked } from '../../src/probe/request-sender.ts'
import type { ProbeRequest } from '../../src/probe/prepare.ts'
import { fakeService, testTarget, testTime } from '../helpers/probing.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const reward: ProbeRequest = { method: 'GET', path: '/v2/rewards/rwd_1' }
const ok = (): Response => Response.json({ id: 'rwd_1' })
type Budget = { requests?: number; per_second?: number }

function asking(answer: Parameters<typeof fakeService>[0], budget: Budget = {}, stop?: AbortSignal) {
  const service = fakeService(answer)
  const time = testTime()
  return { ...service, time, asker: new Asker(testTarget(service.fetch, { budget }), time, stop) }
}

describe('a request', () => {
  it('carries the key that it asks for, in the form that it asks for', async () => {
    const sent: RequestInit[] = []
    const target = testTarget(async (_, init) => (sent.push(init), ok()), {
      keys: { full: 'sk_a', without: { ORDER_WRITE: 'sk_b' }, multi: 'sk_c' },
    })
    const asker = new Asker(target, testTime())
    await asker.ask(reward)
    await asker.ask({
      ...reward,
      key: 'without.ORDER_WRITE',
      authorization: (key) => `Basic ${btoa(`${key}:`)}`,
    })
    await asker.ask({ ...reward, key: 'multi', headers: { 'x-service-merchant-key': 'mk_a' } })
    await asker.ask({ ...reward, method: 'PATCH', key: null, json: { amount: 1 } })
    await asker.ask({
      ...reward,
      method: 'PATCH',
      key: null,
      body: '{',
      headers: { 'content-type': 'text/plain' },
    })
    expect(sent.every(({ redirect }) => redirect === 'manual')).toBe(true)
    const accept = 'application/json'
    expect(sent.map(({ headers, body }) => ({ headers, body }))).toEqual([
      { headers: { accept, authorization: 'Bearer sk_a' } },
      { headers: { accept, authorization: `Basic ${btoa('sk_b:')}` } },
      { headers: { accept, authorization: 'Bearer sk_c', 'x-service-merchant-key': 'mk_a' } },
      { headers: { accept, 'content-type': 'application/json' }, body: '{"amount":1}' },
      { headers: { accept, 'content-type': 'text/plain' }, body: '{' },
    ])
    await expect(
      new Asker(
        testTarget(async () => ok()),
        testTime(),
      ).ask({ ...reward, key: 'multi' }),
    ).rejects.toThrow('keys.multi')
  })

  it('is sent whole and kept short, however long it is', async () => {
    let length = 0
    const target = testTarget(async (_, init) => ((length = String(init.body).length), ok()))
    const exchange = await new Asker(target, testTime()).ask({
      ...reward,
      method: 'PATCH',
      body: ' '.repeat(30_000),
    })
    expect(length).toBe(30_000)
    expect(exchange.request.body).toBe(`${' '.repeat(200)}… (30000 characters)`)
  })

  it('is answered by a sandbox', async () => {
    const sandbox = await startSandbox()
    const { answer } = await new Asker(testTarget(sandbox.fetch), testTime()).ask({
      method: 'GET',
      path: '/v2/rewards/rwd_none',
    })
    expect(answer).toMatchObject({ status: 404, json: { type: 'REWARD_NOT_FOUND_ERROR' } })
  })

  it.each(['/_sandbox/requests', '/v2/../_sandbox/state', '/v2/%2e%2e/%5fsandbox'])(
    'is never %s',
    async (path) => {
      const { asker, calls } = asking(ok)
      await expect(asker.ask({ method: 'GET', path })).rejects.toThrow('no path of the service')
      expect(calls).toEqual([])
    },
  )
})

describe('what is no answer', () => {
  it.each<[string, () => Response | Promise<Response>, string]>([
    [
      'a redirect',
      () => Response.redirect('https://elsewhere.example/', 302),
      'it answered with a redirect, which is not followed',
    ],
    [
      'HTML',
      () => new Response('<p>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
      'the answer is HTML, not JSON: check url',
    ],
    ['10 MB', () => new Response('x'.repeat(10_000_000)), 'it answered more than 5 MB'],
    [
      'a reset',
      () =>
        Promise.reject(
          Object.assign(new TypeError('x'), { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) }),
        ),
      'no answer: ECONNRESET',
    ],
    ['429 for ever', () => new Response(null, { status: 429 }), 'it answered 429 four times'],
    [
      'a long wait',
      () => new Response(null, { status: 503, headers: { 'retry-after': '3600' } }),
      'it answered 503 and asks to wait 3600 s',
    ],
  ])('%s', async (_, answer, notCalled) => {
    const { asker } = asking(answer)
    expect((await asker.ask(reward)).answer).toEqual({ notCalled })
    await expect(asker.first()).rejects.toThrow(`sandbox.invalid cannot be tested: ${notCalled}`)
  })

  it('a service that hangs, also when its fetch does not listen', async () => {
    const { asker, time } = asking(() => new Promise(() => {}))
    time.timeOut = true
    expect((await asker.ask(reward)).answer).toEqual({ notCalled: 'no answer within 7 s' })
  })

  it('one that has stopped answering is left alone', async () => {
    const { asker, calls } = asking(() => Promise.reject(new Error()))
    for (let turn = 0; turn < 9; turn++) await asker.ask(reward)
    expect(calls).toHaveLength(5)
    expect((await asker.ask(reward)).answer).toEqual({ notCalled: 'the target has stopped answering' })
  })
})

describe('manners', () => {
  it.each<[string, string | undefined, number]>([
    ['seconds', '3', 3000],
    ['a date', 'Sun, 22 Nov 2026 00:00:20 GMT', 20_000],
    ['no word', undefined, 1000],
    ['no sense', 'soon', 1000],
  ])('429 is waited for: %s', async (_, retryAfter, wait) => {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    const { asker, calls, time } = asking((_path, _init, call) =>
      call < 2 ? new Response(null, { status: 429, headers }) : ok(),
    )
    expect((await asker.ask(reward)).answer).toMatchObject({ status: 200 })
    expect(calls).toHaveLength(2)
    expect(Math.round(Math.max(...time.waits))).toBe(wait)
    expect(asker.sent).toBe(2)
  })

  it('waits three times and no more', async () => {
    const { asker, calls, time } = asking(() => new Response(null, { status: 503 }))
    await asker.ask(reward)
    expect(calls).toHaveLength(4)
    expect(time.waits.filter((wait) => wait === 1000)).toHaveLength(3)
  })

  it('keeps the pace', async () => {
    const { asker, time } = asking(ok, { per_second: 0.5 })
    for (let turn = 0; turn < 3; turn++) await asker.ask(reward)
    expect(time.waits).toEqual([2000, 2000])
  })

  it('keeps the budget, with what was sent again', async () => {
    const { asker, calls } = asking(
      (_path, _init, call) => (call === 1 ? new Response(null, { status: 429 }) : ok()),
      { requests: 2 },
    )
    expect((await asker.ask(reward)).answer).toMatchObject({ status: 200 })
    expect((await asker.ask(reward)).answer).toEqual({ notCalled: 'the budget of 2 requests is used up' })
    expect(calls).toHaveLength(2)
  })

  it('stops after the request in flight', async () => {
    const stop = new AbortController()
    const { asker, calls } = asking(() => (stop.abort(), ok()), {}, stop.signal)
    expect((await asker.ask(reward)).answer).toMatchObject({ status: 200 })
    expect((await asker.ask(reward)).answer).toEqual({ notCalled: 'the run was stopped' })
    expect(calls).toHaveLength(1)
  })
})

describe('the first request', () => {
  const firstOf = async (asker: Asker): Promise<unknown> => asker.first().catch((error: unknown) => error)

  it('names latest and the full key', async () => {
    const { asker, calls } = asking((_, init) => Response.json(init.headers))
    expect(await asker.first()).toMatchObject({
      answer: { json: { 'x-service-version': 'latest', authorization: 'Bearer sk_sandbox_full' } },
    })
    expect(calls).toEqual(['GET /v2/rewards/rewards_categories'])
  })

  it('finds out production', async () => {
    const sandbox = await startSandbox({ environment: 'production' })
    const target = testTarget(sandbox.fetch, { keys: { full: 'sk_production_full' } })
    const refused = await firstOf(new Asker(target, testTime()))
    expect(refused).toBeInstanceOf(CannotBeAsked)
    expect(refused).toMatchObject({ production: true })
  })

  it.each([401, 403])('is refused with %i', async (status) => {
    const { asker } = asking(() => Response.json({ type: 'X' }, { status }))
    expect(await firstOf(asker)).toMatchObject({
      production: false,
      message: expect.stringContaining(`refuses keys.full with ${status}`),
    })
  })

  it.each([200, 400, 404, 500])('goes on after %i', async (status) => {
    const { asker } = asking(() =>
      Response.json({ error: { type: 'X', message: 'x-service-merchant-key is required' } }, { status }),
    )
    expect(await firstOf(asker)).toMatchObject({ answer: { status } })
  })
})
