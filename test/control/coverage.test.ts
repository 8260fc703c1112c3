import { describe, expect, it } from 'vitest'
import type { CoverageReport } from '../../src/coverage/reports/coverage-report.ts'
import { receiverPoints } from '../../src/events/receiver-points.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { startSandbox } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'

describe('GET /_sandbox/contract', () => {
  it('is what the library lists: id, operation, sentence and section of each point', async () => {
    const sandbox = await startSandbox()
    const answer = await sandbox.fetch('/_sandbox/contract')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
    const body = (await answer.json()) as { points: unknown[] }
    expect(body).toEqual({ points: sandbox.contract() })
    expect(body.points[0]).toEqual({
      id: 'createTransactionIntent/success',
      operation: 'createTransactionIntent',
      sentence: 'A valid call answers 200.',
      section: 'POST /v2/transaction_intents',
    })
  })
})

describe('the receiver in GET /_sandbox/coverage', () => {
  const read = async ({ fetch }: Pick<Sandbox, 'fetch'>, query = ''): Promise<CoverageReport> =>
    (await (await fetch(`/_sandbox/coverage${query}`)).json()) as CoverageReport
  const hits = ({ receiver = [] }: CoverageReport): Record<string, number> =>
    Object.fromEntries(receiver.flatMap(({ id, hits: count }) => (count > 0 ? [[id, count]] : [])))
  const deliver = async ({ webhooks, events }: SandboxWorkspace, status: number): Promise<void> => {
    webhooks.add({ handler: () => new Response(null, { status }) })
    events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await events.drain()
  }

  it('without events -> absent', async () => {
    expect(await read(await startSandbox())).not.toHaveProperty('receiver')
  })

  it('with events -> every point, outside of the numbers of the contract', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    const before = await read(sandbox)
    expect(before.receiver?.map(({ id, covered, hits: count }) => [id, covered, count])).toEqual(
      receiverPoints.map(({ id }) => [id, false, 0]),
    )
    await deliver(sandbox, 204)
    const after = await read(sandbox)
    expect(after).toEqual({ ...before, receiver: expect.any(Array) })
    expect(after.receiver?.[0]).toEqual({
      id: 'accepted',
      sentence: 'The receiver accepted an event.',
      covered: true,
      hits: 1,
    })
  })

  it('each workspace has its own counts; a reset keeps them, DELETE clears them', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard', scenarios: 'event-bad-signature' })
    const one = await sandbox.workspaces.create({ name: 'one' })
    const two = await sandbox.workspaces.create({ name: 'two' })
    await deliver(one, 204)
    await one.events.resend('evt_one_1_1')
    await deliver(two, 400)
    one.reset()
    const refused = { bad_signature_refused: 1 }
    expect(hits(await read(sandbox, '?workspace=one'))).toEqual({ accepted: 1 })
    expect(hits(await read(sandbox, '?workspace=two'))).toEqual(refused)
    expect(hits(await read(sandbox))).toEqual({ accepted: 1, ...refused })
    await sandbox.fetch('/_sandbox/coverage?workspace=one', { method: 'DELETE' })
    expect(hits(await read(sandbox))).toEqual(refused)
    await sandbox.fetch('/_sandbox/coverage', { method: 'DELETE' })
    expect(hits(await read(sandbox))).toEqual({})
  })

  it('narrowed -> the whole list', async () => {
    const sandbox = await startSandbox({ webhooks: 'standard' })
    const { receiver } = await read(sandbox)
    expect((await read(sandbox, '?only=updateReward')).receiver).toEqual(receiver)
  })
})

describe('GET /_sandbox/coverage', () => {
  it.each([
    ['json', 'application/json', '{'],
    ['text', 'text/plain; charset=utf-8', 'Contract coverage: 1.8 %, 6 of '],
    ['html', 'text/html; charset=utf-8', '<!doctype html>'],
    ['junit', 'application/xml; charset=utf-8', '<?xml version="1.0" encoding="UTF-8"?>'],
  ] as const)('format=%s -> %s, the report of the library', async (format, type, start) => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', reward)
    const answer = await sandbox.fetch(`/_sandbox/coverage?format=${format}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    const text = await answer.text()
    expect(text.startsWith(start)).toBe(true)
    expect(text).toBe(await sandbox.coverage.report(format, { url: 'http://localhost' }))
  })

  it('without a format it is JSON; HEAD answers without a body', async () => {
    const sandbox = await startSandbox()
    const answer = await sandbox.fetch('/_sandbox/coverage')
    expect(await answer.json()).toEqual(await sandbox.coverage.get({ url: 'http://localhost' }))
    const head = await sandbox.fetch('/_sandbox/coverage?format=html', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('an unknown format -> 400 that lists what there is', async () => {
    for (const format of ['pdf', 'markdown', '', 'toString']) {
      const answer = await (await startSandbox()).fetch(`/_sandbox/coverage?format=${format}`)
      expect([answer.status, await answer.json()]).toEqual([
        400,
        {
          error: {
            type: 'INVALID',
            message: 'query format: must be one of json, text, html, junit',
            details: [{ source: 'query', path: 'format', message: 'must be one of json, text, html, junit' }],
          },
        },
      ])
    }
  })

  it('?only= and ?skip= narrow it, in every format, as the library does', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', reward)
    const narrowing = { only: ['retrieveReward', 'updateReward'] as const, skip: ['auth', 'version'] }
    const query = 'only=retrieveReward,updateReward&skip=auth,version'
    const options = { url: 'http://localhost', ...narrowing }
    const report = await sandbox.coverage.get(options)
    expect(report.left_out).toEqual({ points: sandbox.contract().length - report.total, ...narrowing })
    expect([...new Set(report.points.map(({ operation }) => operation))]).toEqual([...narrowing.only])
    const answer = await sandbox.fetch(`/_sandbox/coverage?${query}`)
    expect(await answer.json()).toEqual(report)
    const text = await sandbox.fetch(`/_sandbox/coverage?${query}&format=text`)
    expect(await text.text()).toBe(await sandbox.coverage.report('text', options))
  })

  const facets =
    'success, error, auth, version, product, scope, boundary, status, sent, type, kind, page, locale'

  it.each<[query: string, message: string, assume?: Record<string, string>]>([
    ['only=updateRewards', "only: unknown operation 'updateRewards', did you mean 'updateReward'?"],
    ['skip=auth,versoin', "skip: unknown facet 'versoin', did you mean 'version'?"],
    ['only=linkCustomer&skip=toString', `skip: unknown facet 'toString', expected one of: ${facets}`],
    [
      'only=linkCustomer&skip=toString',
      `skip: unknown facet 'toString', expected one of: ${facets}, scopes`,
      { create_key_shape: 'id_key_secret_scopes_created_at' },
    ],
    ['only=retrieveReward&only=updateReward', "query parameter 'only' must be sent once"],
  ])('?%s -> 400', async (query, message, assume = {}) => {
    const sandbox = await startSandbox({ assume })
    const answer = await sandbox.fetch(`/_sandbox/coverage?${query}`)
    expect([answer.status, await answer.json()]).toEqual([400, { error: { type: 'INVALID', message } }])
  })

  it('the requests to paste go where the sandbox was asked, or to --base-url', async () => {
    const line = async (options: object, path: string): Promise<unknown> => {
      const answer = await (await startSandbox(options)).fetch(path)
      const { points } = (await answer.json()) as { points: { id: string; exercise?: string }[] }
      return points.find(({ id }) => id === 'retrieveReward/success')?.exercise
    }
    const to = (url: string): string => `curl -i -u sk_sandbox_full: ${url}${reward}`
    expect(await line({}, 'http://localhost:4321/_sandbox/coverage')).toBe(to('http://localhost:4321'))
    expect(await line({ baseUrl: 'https://gateway.example/rewards/' }, '/_sandbox/coverage')).toBe(
      to('https://gateway.example/rewards'),
    )
  })

  it('?workspace= narrows it; DELETE clears one, or all', async () => {
    const sandbox = await startSandbox()
    await sandbox.call('GET', reward)
    await sandbox.call('GET', reward, { key: 'sk_sandbox_full.w1' })
    const hits = async (query = ''): Promise<unknown> => {
      const answer = await sandbox.fetch(`/_sandbox/coverage${query}`)
      const { points } = (await answer.json()) as { points: { id: string; hits: number }[] }
      return points.find(({ id }) => id === 'retrieveReward/success')?.hits
    }
    expect([await hits(), await hits('?workspace=w1'), await hits('?workspace=default')]).toEqual([2, 1, 1])
    const one = await sandbox.fetch('/_sandbox/coverage?workspace=w1', { method: 'DELETE' })
    expect([one.status, await one.text()]).toEqual([204, ''])
    expect([await hits(), await hits('?workspace=w1'), await hits('?workspace=default')]).toEqual([1, 0, 1])
    expect((await sandbox.fetch('/_sandbox/coverage', { method: 'DELETE' })).status).toBe(204)
    expect([await hits(), await hits('?workspace=default')]).toEqual([0, 0])
  })

  it('what can be no workspace -> 400', async () => {
    const answer = await (await startSandbox()).fetch('/_sandbox/coverage?workspace=a%20b')
    expect(answer.status).toBe(400)
  })

  it('a page of another origin cannot read it', async () => {
    const answer = await (
      await startSandbox()
    ).fetch('/_sandbox/coverage?format=html', {
      headers: { origin: 'https://evil.example' },
    })
    expect(answer.status).toBe(403)
  })
})
