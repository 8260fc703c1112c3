// Deliveries of events to URLs: real receivers, each on a port of its own.
import { setImmediate } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { standard } from '../../src/events/presets/standard.ts'
import type { Resolve } from '../../src/events/send-to-url.ts'
import type { SandboxOptions, SandboxWorkspace } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/index.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { httpReceiver, rawReceiver, refusedUrl, tcpReceiver, type Receiver } from '../helpers/receiver.ts'
import { callerFor, testNow, type CallApi } from '../helpers/sandbox.ts'
import { withTest } from '../setup/with-test.ts'

type Started = Awaited<ReturnType<typeof createSandbox>> & { call: CallApi }

async function start(options: SandboxOptions = {}, resolve?: Resolve): Promise<Started> {
  const sandbox = await createSandbox(
    { clock: testNow, frozen: true, webhooks: 'standard', ...options },
    {
      resolve,
      onBug: (error) => {
        throw error instanceof Error ? error : new Error(String(error))
      },
    },
  )
  withTest(() => sandbox.close())
  return Object.assign(sandbox, { call: callerFor(sandbox) })
}

/** A sandbox whose description differs from `standard`. */
const startWith = (changes: Partial<WebhookDescription>, options: SandboxOptions = {}): Promise<Started> =>
  start({ webhooks: { ...standard, ...changes }, ...options })

const startTime = Date.parse(testNow)

/** The instant some time after the start of the clock. */
const after = (seconds: number): string => new Date(startTime + seconds * 1000).toISOString()

const trigger = ({ events }: Pick<SandboxWorkspace, 'events'>): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

/** The attempts of an event, as short as tests compare them. */
const attempts = ({ events }: Pick<SandboxWorkspace, 'events'>, id = 'evt_1'): unknown[] =>
  (events.get(id)?.deliveries ?? []).map(({ endpoint_id, state, reason }) => [endpoint_id, state, reason])

interface Counted extends Receiver {
  /** The ids of the events that it got. */
  ids: string[]
}

/** A receiver that answers the statuses in turn, and the last one from then on. */
async function answering(...statuses: number[]): Promise<Counted> {
  const ids: string[] = []
  const receiver = await httpReceiver((request, answer) => {
    const status = statuses[Math.min(ids.length, statuses.length - 1)] ?? 204
    ids.push(String(request.headers['webhook-id']))
    answer.writeHead(status).end()
  })
  return { ...receiver, ids }
}

interface Held extends Counted {
  /** Answers the oldest request that has no answer yet. */
  release: () => void
  /** Settles when it has this many requests. */
  has: (count: number) => Promise<void>
}

/** A receiver that answers when the test says so. */
async function held(): Promise<Held> {
  const ids: string[] = []
  const answers: ServerResponse[] = []
  let onRequest = (): void => undefined
  const receiver = await httpReceiver((request, answer) => {
    ids.push(String(request.headers['webhook-id']))
    answers.push(answer)
    onRequest()
  })
  return {
    ...receiver,
    ids,
    release: () => void answers.shift()?.writeHead(204).end(),
    async has(count) {
      while (ids.length < count) await new Promise<void>((resolve) => (onRequest = resolve))
    },
  }
}

/** Waits until an event is in this state for each of its attempts. */
async function until(
  sandbox: Pick<SandboxWorkspace, 'events'>,
  id: string,
  ...states: string[]
): Promise<void> {
  const current = () => sandbox.events.get(id)?.deliveries.map(({ state }) => state)
  while (JSON.stringify(current()) !== JSON.stringify(states)) await setImmediate()
}

it('a redirect fails, and the reason names its address', async () => {
  const sandbox = await startWith({ retries: 'none' })
  const { url } = await httpReceiver((_, answer) => answer.writeHead(302, { location: '/login' }).end())
  const { id } = sandbox.webhooks.add({ url })
  trigger(sandbox)
  await sandbox.events.drain()
  expect(attempts(sandbox)).toEqual([
    [id, 'failed', 'answered 302, a redirect to /login, which is not followed'],
  ])
})

it('a handler may forward its request with its headers', async () => {
  const sandbox = await start()
  const receiver = await answering(204)
  sandbox.webhooks.add({
    handler: async (request) =>
      fetch(receiver.url, { method: 'POST', headers: request.headers, body: await request.arrayBuffer() }),
  })
  trigger(sandbox)
  expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
})

describe('a drain over HTTP', () => {
  it('counts the attempts that a timer has made before it', async () => {
    const sandbox = await start()
    const { url } = await sandbox.listen()
    let onHandled = (): void => undefined
    const handled = new Promise<void>((resolve) => (onHandled = resolve))
    sandbox.webhooks.add({ handler: () => (onHandled(), new Response(null, { status: 204 })) })
    const drain = async (): Promise<unknown> =>
      (await fetch(`${url}/_sandbox/events/drain`, { method: 'POST' })).json()
    trigger(sandbox)
    await handled
    expect(await drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(await drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
  })
})

describe('a delivery', () => {
  it('follows the call without a drain; the secret of the endpoint signs it', async () => {
    const sandbox = await start()
    const bodies: unknown[] = []
    let secret = ''
    const { url } = await httpReceiver(async (request, answer) => {
      const body = Buffer.concat(await request.toArray()).toString()
      bodies.push(new Webhook(secret).verify(body, request.headers as Record<string, string>))
      answer.writeHead(204).end()
    })
    const added = sandbox.webhooks.add({ url })
    secret = added.secret
    expect(added).toEqual({ id: 'we_1', url, events: ['*'], enabled: true, created_at: testNow, secret })
    const { json } = await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', {
      json: { status: 'AVAILABLE' },
    })
    await until(sandbox, 'evt_1', 'delivered')
    expect(bodies).toEqual([{ id: 'evt_1', type: 'reward.updated', timestamp: testNow, data: json }])
    expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
      {
        n: 1,
        endpoint_id: 'we_1',
        due: testNow,
        at: testNow,
        state: 'delivered',
        status: 204,
        reason: 'answered 204',
      },
    ])
  })

  it('only of the types that the endpoint receives', async () => {
    const sandbox = await start()
    const { url, ids } = await answering(204)
    sandbox.webhooks.add({ url, events: ['order_event.deleted'] })
    trigger(sandbox)
    sandbox.events.trigger('order_event.deleted', { id: 'ord_ada_1' })
    expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(ids).toEqual(['evt_2'])
  })

  it('by an endpoint of a fixture', async () => {
    const { url, ids } = await answering(204)
    const webhook_endpoints = [
      { id: 'we_mine', url, events: ['*' as const], enabled: true, created_at: testNow },
    ]
    const sandbox = await start({ fixtures: ['default', { webhook_endpoints }] })
    const other = await sandbox.workspaces.create({ name: 'other' })
    trigger(sandbox)
    trigger(other)
    await sandbox.events.drain()
    await other.events.drain()
    expect(ids).toEqual(['evt_1', 'evt_other_1_1'])
  })

  it('of a running clock, by the timer', async () => {
    const sandbox = await startWith({ retries: ['1s'] }, { frozen: false })
    const { url, ids } = await answering(500, 204)
    sandbox.webhooks.add({ url })
    trigger(sandbox)
    await until(sandbox, 'evt_1', 'failed', 'delivered')
    expect(ids).toEqual(['evt_1', 'evt_1'])
  })

  it('in a copy of the workspace -> none until its endpoint is enabled', async () => {
    const sandbox = await start()
    const { url, ids } = await answering(500, 204)
    const { id } = sandbox.webhooks.add({ url })
    trigger(sandbox)
    await sandbox.events.drain()
    const copy = await sandbox.workspaces.create({ name: 'copy', from: 'default' })
    trigger(copy)
    await copy.clock.advance({ days: 1 })
    expect(attempts(copy)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', 'the workspace is a copy'],
    ])
    expect(attempts(copy, 'evt_copy_1_2')).toEqual([[null, 'collected', 'no endpoint receives this type']])
    expect(ids).toEqual(['evt_1'])
    copy.webhooks.update(id, { enabled: true })
    trigger(copy)
    expect(await copy.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(ids).toEqual(['evt_1', 'evt_copy_1_3'])
  })
})

describe('failures', () => {
  it.each<[string, () => Promise<{ url: string }>, string | RegExp]>([
    ['500', () => answering(500), 'answered 500'],
    ['302', () => answering(302), 'answered 302'],
    ['no answer', () => tcpReceiver(() => undefined), 'did not answer within 1s'],
    [
      'a reset',
      () => tcpReceiver((socket) => socket.once('data', () => socket.resetAndDestroy())),
      'closed the connection without an answer',
    ],
    [
      'half an answer',
      () => rawReceiver('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', (socket) => socket.end()),
      'closed the connection in its answer 200',
    ],
    [
      'an answer without an end',
      () => rawReceiver('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
      'did not answer within 1s',
    ],
    [
      'another protocol',
      () => rawReceiver('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
      'answered 101',
    ],
    [
      'a refused port',
      async () => ({ url: await refusedUrl() }),
      /^connect ECONNREFUSED 127\.0\.0\.1:\d+(: in a container, .*)?$/,
    ],
  ])('%s -> attempts at 0, 5 and 305 seconds, until the last', async (_, receive, reason) => {
    const sandbox = await startWith({ retries: ['5s', '5m'], timeout: '1s' })
    const { id } = sandbox.webhooks.add({ url: (await receive()).url })
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 1 })
    await sandbox.clock.advance({ days: 1 })
    const { deliveries = [] } = sandbox.events.get('evt_1') ?? {}
    expect(deliveries.map(({ n, endpoint_id, due, at, state }) => [n, endpoint_id, due, at, state])).toEqual(
      [0, 5, 305].map((seconds, at) => [at + 1, id, after(seconds), after(seconds), 'failed']),
    )
    for (const one of deliveries) expect(one.reason).toMatch(reason)
  })

  it('410 -> the endpoint is disabled, and its other waiting attempts are skipped', async () => {
    const sandbox = await start()
    const { url, ids } = await answering(500, 410)
    const { id } = sandbox.webhooks.add({ url })
    trigger(sandbox)
    await sandbox.events.drain()
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 0 })
    expect(attempts(sandbox)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', 'the endpoint was disabled'],
    ])
    expect(attempts(sandbox, 'evt_2')).toEqual([[id, 'failed', 'answered 410, which disabled the endpoint']])
    expect(sandbox.webhooks.list()).toMatchObject([{ id, enabled: false }])
    trigger(sandbox)
    await sandbox.clock.advance({ days: 1 })
    expect(attempts(sandbox, 'evt_3')).toEqual([[null, 'collected', 'no endpoint receives this type']])
    expect(ids).toEqual(['evt_1', 'evt_2'])
  })

  it('a removed endpoint while its attempt is made -> skipped, and not repeated', async () => {
    const sandbox = await start()
    const { url, has, release } = await held()
    const { id } = sandbox.webhooks.add({ url })
    trigger(sandbox)
    await has(1)
    sandbox.webhooks.remove(id)
    release()
    await sandbox.events.drain()
    expect(attempts(sandbox)).toEqual([[id, 'skipped', 'the endpoint was removed']])
  })
})

describe('addresses', () => {
  const refusal = (subject: string): string =>
    `${subject} is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow partner.test`

  /** A resolver that gives these addresses in turn, and the last one from then on. */
  const resolving = (...addresses: string[]): Resolve => {
    let calls = 0
    return (_host, done) => {
      const address = addresses[Math.min(calls++, addresses.length - 1)] ?? ''
      done(null, [{ address, family: 4 }])
    }
  }

  it('a name that is not loopback -> a warning, and a skipped attempt that is not repeated', async () => {
    const sandbox = await start({}, resolving('10.0.0.1'))
    const { id, warning } = sandbox.webhooks.add({ url: 'http://partner.test/hook' })
    expect(warning).toBe(
      'partner.test is not allowed unless it resolves to a loopback address. Start the sandbox with --webhook-allow partner.test',
    )
    trigger(sandbox)
    expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    await sandbox.clock.advance({ days: 1 })
    expect(attempts(sandbox)).toEqual([[id, 'skipped', refusal('partner.test (10.0.0.1)')]])
  })

  it('a name whose address changes between two attempts -> checked at each', async () => {
    const sandbox = await start({}, resolving('127.0.0.1', '10.0.0.1'))
    const { port, ids } = await answering(500)
    const { id } = sandbox.webhooks.add({ url: `http://partner.test:${port}/hook` })
    trigger(sandbox)
    await sandbox.events.drain()
    await sandbox.clock.advance({ days: 1 })
    expect(attempts(sandbox)).toEqual([
      [id, 'failed', 'answered 500'],
      [id, 'skipped', refusal('partner.test (10.0.0.1)')],
    ])
    expect(ids).toEqual(['evt_1'])
  })

  it('a changed URL is checked, too', async () => {
    const sandbox = await start()
    const { url, ids } = await answering(500)
    const { id } = sandbox.webhooks.add({ url })
    trigger(sandbox)
    await sandbox.events.drain()
    sandbox.webhooks.update(id, { url: 'http://169.254.169.254/latest/meta-data' })
    await sandbox.clock.advance({ seconds: 5 })
    expect(attempts(sandbox).at(-1)).toEqual([
      id,
      'skipped',
      '169.254.169.254 is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow 169.254.169.254',
    ])
    expect(ids).toEqual(['evt_1'])
  })

  it('--isolation partner -> loopback is refused, unless it is allowed', async () => {
    const { url, port, ids } = await answering(204)
    const partners = { isolation: 'partner', adminToken: 'the-token-of-the-operator' } as const
    const reason =
      '127.0.0.1 is not allowed: with --isolation partner no address is allowed by itself. Start the sandbox with --webhook-allow 127.0.0.1'
    const strict = await start(partners)
    const acme = await strict.workspaces.create({ name: 'acme' })
    expect(acme.webhooks.add({ url }).warning).toBe(reason)
    trigger(acme)
    await acme.events.drain()
    expect([attempts(acme, 'evt_acme_1_1'), ids]).toEqual([[['we_1', 'skipped', reason]], []])
    const allowing = await start({ ...partners, webhookAllow: [`127.0.0.1:${port}`] })
    const beta = await allowing.workspaces.create({ name: 'beta' })
    expect(beta.webhooks.add({ url }).warning).toBeUndefined()
    trigger(beta)
    expect(await beta.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
    expect(ids).toEqual(['evt_beta_1_1'])
  })
})

describe('several attempts at a time', () => {
  it('an endpoint that hangs does not hold up another one', async () => {
    const sandbox = await start()
    const slow = await held()
    const fast = await answering(204)
    sandbox.webhooks.add({ url: slow.url })
    sandbox.webhooks.add({ url: fast.url })
    const triggered = Array.from({ length: 12 }, () => trigger(sandbox))
    for (const id of triggered) await until(sandbox, id, 'waiting', 'delivered')
    await slow.has(7)
    expect([slow.ids.toSorted(), fast.ids.toSorted()]).toEqual([triggered.slice(0, 7), triggered.toSorted()])
    for (let count = 1; count <= 12; count++) {
      await slow.has(count)
      slow.release()
    }
    await until(sandbox, 'evt_12', 'delivered', 'delivered')
  })

  it('an endpoint that hangs has eight attempts in flight, and the next event follows the first answer', async () => {
    const sandbox = await start()
    const receiver = await held()
    sandbox.webhooks.add({ url: receiver.url })
    const triggered = Array.from({ length: 10 }, () => trigger(sandbox))
    await receiver.has(8)
    expect(receiver.ids.toSorted()).toEqual(triggered.slice(0, 8))
    receiver.release()
    await receiver.has(9)
    expect(receiver.ids.at(-1)).toBe('evt_9')
    const drained = sandbox.events.drain()
    for (let left = 8; left > 0; left--) receiver.release()
    await receiver.has(10)
    receiver.release()
    expect((await drained).waiting).toBe(0)
  })

  it('to one endpoint, eight at a time', async () => {
    const sandbox = await start()
    let open = 0
    let most = 0
    const ids: string[] = []
    const { url } = await httpReceiver(async (request, answer) => {
      most = Math.max(most, ++open)
      ids.push(String(request.headers['webhook-id']))
      await setImmediate()
      open -= 1
      answer.writeHead(204).end()
    })
    sandbox.webhooks.add({ url })
    const triggered = Array.from({ length: 30 }, () => trigger(sandbox))
    expect(await sandbox.events.drain()).toEqual({ delivered: 30, failed: 0, waiting: 0 })
    expect(ids.toSorted()).toEqual(triggered.toSorted())
    expect(most).toBeLessThanOrEqual(8)
  })

  it('of nine workspaces, 64 at a time; the ninth follows the first answer, also of a drain', async () => {
    const sandbox = await start()
    const receiver = await held()
    const workspaces = await Promise.all(
      Array.from({ length: 9 }, (_, at) => sandbox.workspaces.create({ name: `w${at + 1}` })),
    )
    for (const workspace of workspaces) workspace.webhooks.add({ url: receiver.url })
    for (const workspace of workspaces.slice(0, 8)) for (let at = 0; at < 8; at++) trigger(workspace)
    await receiver.has(64)
    const [last] = workspaces.slice(8)
    if (!last) throw new Error('there is no ninth workspace')
    trigger(last)
    const drained = last.events.drain()
    receiver.release()
    await receiver.has(65)
    expect(receiver.ids.at(-1)).toBe('evt_w9_1_1')
    for (let left = 64; left > 0; left--) receiver.release()
    expect(await drained).toEqual({ delivered: 1, failed: 0, waiting: 0 })
  })

  it('a drain while the timer delivers -> waits for that, and makes the rest', async () => {
    const sandbox = await start()
    const receiver = await held()
    sandbox.webhooks.add({ url: receiver.url })
    trigger(sandbox)
    await receiver.has(1)
    trigger(sandbox)
    const drained = sandbox.events.drain()
    receiver.release()
    await receiver.has(2)
    receiver.release()
    expect(await drained).toEqual({ delivered: 2, failed: 0, waiting: 0 })
    expect(receiver.ids).toEqual(['evt_1', 'evt_2'])
  })

  it('a call while a receiver hangs -> answered', async () => {
    const sandbox = await start()
    const receiver = await held()
    sandbox.webhooks.add({ url: receiver.url })
    trigger(sandbox)
    await receiver.has(1)
    const { status } = await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', {
      json: { status: 'AVAILABLE' },
    })
    expect([status, sandbox.events.list().length]).toEqual([200, 2])
  })
})

describe('while an attempt is made', () => {
  it.each<[string, (sandbox: Started) => unknown]>([
    ['a reset', (sandbox) => sandbox.reset()],
    ['a restore', (sandbox) => sandbox.restore('before')],
  ])(
    '%s -> the connection ends, the outcome counts for nothing, and later events are delivered',
    async (_, act) => {
      const sandbox = await start()
      sandbox.snapshot('before')
      const hanging = await held()
      sandbox.webhooks.add({ url: hanging.url })
      trigger(sandbox)
      await hanging.has(1)
      await act(sandbox)
      await hanging.closed
      expect([sandbox.events.list(), sandbox.webhooks.list()]).toEqual([[], []])
      expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
      const { url, ids } = await answering(204)
      sandbox.webhooks.add({ url })
      const id = trigger(sandbox)
      expect(await sandbox.events.drain()).toEqual({ delivered: 1, failed: 0, waiting: 0 })
      expect(ids).toEqual([id])
    },
  )

  it('a restore of a snapshot that has the endpoint and the waiting attempt -> the attempt is skipped', async () => {
    const sandbox = await start()
    const hanging = await held()
    const { id } = sandbox.webhooks.add({ url: hanging.url })
    trigger(sandbox)
    await hanging.has(1)
    const snapshot = sandbox.snapshot()
    sandbox.restore(snapshot)
    await hanging.closed
    await sandbox.events.drain()
    expect(attempts(sandbox)).toEqual([[id, 'skipped', 'the row was restored']])
    expect(hanging.ids).toEqual(['evt_1'])
  })

  it('the sandbox closes -> the connection ends, and the sandbox does not wait for the timeout', async () => {
    const sandbox = await start()
    const hanging = await held()
    sandbox.webhooks.add({ url: hanging.url })
    trigger(sandbox)
    await hanging.has(1)
    await sandbox.close()
    await hanging.closed
  })

  it('the workspace is deleted -> the connection ends', async () => {
    const sandbox = await start()
    const workspace = await sandbox.workspaces.create({ name: 'short' })
    const hanging = await held()
    workspace.webhooks.add({ url: hanging.url })
    trigger(workspace)
    await hanging.has(1)
    sandbox.workspaces.delete('short')
    await hanging.closed
  })
})

describe('after a restart with --data', () => {
  it('waiting attempts to a URL resume, with the same id and secret', async () => {
    const data = `${await folderWith({})}/data.json`
    const first = await start({ data })
    const hanging = await held()
    const { secret } = first.webhooks.add({ url: hanging.url })
    trigger(first)
    await hanging.has(1)
    await first.close()
    const second = await start({ data })
    await hanging.has(2)
    hanging.release()
    hanging.release()
    await until(second, 'evt_1', 'delivered')
    expect(hanging.ids).toEqual(['evt_1', 'evt_1'])
    expect(second.webhooks.rotate('we_1').secret).not.toBe(secret)
  })
})
