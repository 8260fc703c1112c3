// Webhook events of two replicas that are killed: none is lost, and one that comes twice has the same id.
// DELIVERY_EVENTS=1000 DELIVERY_KILLS=20 is the size of the proof.
import { createServer } from 'node:http'
import { mkdtempSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { standard } from '../../src/events/presets/standard.ts'
import { EventReader } from '../../src/runtime/server-events.ts'
import { describeWithEngine, startEngine } from '../helpers/engine.ts'
import { started } from '../helpers/processes.ts'
import { httpReceiver } from '../helpers/receiver.ts'
import { fullKey } from '../helpers/sandbox.ts'
import { withTest } from '../setup/with-test.ts'

const eventCount = Number(process.env['DELIVERY_EVENTS'] ?? 120)
const killCount = Number(process.env['DELIVERY_KILLS'] ?? 2)

/** A receiver that counts how often each event came. */
async function receiver(): Promise<{
  url: string
  seen: Map<string, number>
  until(ids: Set<string>): Promise<void>
}> {
  const seen = new Map<string, number>()
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    seen.set(id, (seen.get(id) ?? 0) + 1)
    for (const check of waiting) check()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  withTest(() => new Promise((resolve) => server.close(resolve)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen,
    until: (ids) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (![...ids].every((id) => seen.has(id))) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

const intent = JSON.stringify({ customer_id: 'cus_ada', amount: 100, currency: 'USD' })

/** Posts to the control plane of a replica. */
const post = async ({ url }: { url: string }, path: string, body: object = {}): Promise<Response> =>
  fetch(`${url}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Connects a listener of we_1 to a replica, which adds the ids of the events that it is sent. */
async function listenTo({ url }: { url: string }, sent: unknown[]): Promise<void> {
  const leaving = new AbortController()
  const { body } = await fetch(`${url}/_sandbox/stream?endpoint=we_1`, { signal: leaving.signal })
  withTest(() => leaving.abort())
  const events = new EventReader()
  const read = async (): Promise<void> => {
    for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const { data } of events.read(text)) sent.push((JSON.parse(data) as { event_id: string }).event_id)
  }
  // It ends when the test leaves.
  read().catch(() => undefined)
}

/** Two replicas of one store, with clocks that are frozen. */
async function frozenReplicas(scenarios: readonly string[]) {
  const engine = await startEngine()
  withTest(() => engine.stop())
  const clock = ['--clock', '2026-11-21T12:00:00Z', '--frozen']
  const active = scenarios.flatMap((name) => ['--scenario', name])
  const start = () => started(['--store', engine.url, '--webhooks', 'standard', ...clock, ...active])
  return [await start(), await start()] as const
}

describeWithEngine('two replicas that are killed while they deliver', () => {
  it.each([
    [killCount, 'none is lost; only events around a kill come twice, with the same id'],
    [0, 'each comes exactly once'],
  ])(
    '%i kills -> %s',
    async (expectedKills) => {
      const engine = await startEngine()
      withTest(() => engine.stop())
      const { url: target, seen, until } = await receiver()
      const file = join(mkdtempSync(join(tmpdir(), 'deliveries-')), 'webhooks.json')
      writeFileSync(file, JSON.stringify({ ...standard, timeout: '1s' }))
      const start = () =>
        started(['--store', engine.url, '--webhooks', file, '--events-size', '100000', '--quiet'])
      const replicas = [await start(), await start()]
      const call = async (replica: number, path: string, body: string): Promise<Response | undefined> =>
        fetch(`${replicas[replica]?.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
          body,
        }).catch(() => undefined)
      const added = await post({ url: replicas[0]?.url ?? '' }, '/webhook_endpoints', { url: target })
      expect(added.status).toBe(201)

      let kills = 0
      let acknowledged = 0
      for (let made = 0; made < eventCount; made += 1) {
        const answer = await call(made % 2, '/v2/transaction_intents', intent)
        if (answer?.status === 201) acknowledged += 1
        if (kills < expectedKills && made % Math.floor(eventCount / expectedKills) === 10) {
          const victim = kills % 2
          kills += 1
          replicas[victim]?.process.kill('SIGKILL')
          await replicas[victim]?.ended
          replicas[victim] = await start()
        }
      }
      expect(kills).toBe(expectedKills)
      const listed = await fetch(`${replicas[0]?.url}/_sandbox/state/events?limit=1000`)
      const body = (await listed.json()) as { events: { id: string }[] }
      const ids = new Set(body.events.map(({ id }) => id))
      expect(ids.size).toBeGreaterThanOrEqual(Math.min(acknowledged, 1_000))
      await until(ids)
      const twice = [...seen].filter(([, times]) => times > 1)
      console.info(`${ids.size} events, ${kills} kills, ${twice.length} came twice`)
      // A replica makes one attempt to an endpoint at a time: a kill leaves one without a record.
      expect(twice.length).toBeLessThanOrEqual(kills)
      const drain = () => fetch(`${replicas[0]?.url}/_sandbox/events/drain`, { method: 'POST' })
      // The first counts what this replica has delivered before.
      expect(await (await drain()).json()).toMatchObject({ failed: 0, waiting: 0 })
      expect(await (await drain()).json()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    },
    600_000,
  )
})

describeWithEngine('a replica that is killed', () => {
  it('another one that nobody calls -> repeats its attempt, with the same id, when the claim has ended', async () => {
    const engine = await startEngine()
    withTest(() => engine.stop())
    const ids: unknown[] = []
    const { url: target, reached } = await httpReceiver((request, response) => {
      ids.push(request.headers['webhook-id'])
      if (ids.length > 1) response.writeHead(204).end()
    })
    const file = join(mkdtempSync(join(tmpdir(), 'deliveries-')), 'webhooks.json')
    writeFileSync(file, JSON.stringify({ ...standard, timeout: '1s' }))
    const start = () => started(['--store', engine.url, '--webhooks', file])
    const [victim, other] = [await start(), await start()]
    await post(victim, '/webhook_endpoints', { url: target })
    await post(victim, '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    await reached
    victim.process.kill('SIGKILL')
    await vi.waitFor(() => expect(ids).toEqual(['evt_1', 'evt_1']), { timeout: 30_000, interval: 50 })
    await vi.waitFor(async () => {
      const listed = await fetch(`${other.url}/_sandbox/events/evt_1`)
      expect(await listed.json()).toMatchObject({ deliveries: [{ n: 1, state: 'delivered' }] })
    })
  }, 60_000)
})

describeWithEngine('an endpoint with a listener', () => {
  const report = async (replica: { url: string }, id: string): Promise<number> =>
    (await post(replica, `/events/${id}/deliveries/1`, { status: 204, duration_ms: 1 })).status
  const trigger = (replica: { url: string }) =>
    post(replica, '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
  /** A replica reads what the other one wrote. */
  const read = ({ url }: { url: string }) => fetch(`${url}/_sandbox/events`)
  /** Two replicas; the listener is connected to the first, which sends it these events. */
  const listening = async (scenarios: readonly string[] = []) => {
    const [first, second] = await frozenReplicas(scenarios)
    await post(first, '/webhook_endpoints', { url: 'http://localhost/', listener: true })
    const sent: unknown[] = []
    await listenTo(first, sent)
    return { first, second, sent }
  }
  const hasSent = (sent: unknown[], ...ids: string[]) =>
    vi.waitFor(() => expect(sent).toEqual(ids), { timeout: 10_000 })

  it('connected to one replica, then to both -> each event is sent once', async () => {
    const { first, second, sent } = await listening()
    await trigger(second)
    await hasSent(sent, 'evt_1')
    await listenTo(second, sent)
    expect(await report(second, 'evt_1')).toBe(200)
    await trigger(second)
    await hasSent(sent, 'evt_1', 'evt_2')
    expect(await report(first, 'evt_2')).toBe(200)
  })

  it('connected to the other replica -> a drain waits for its report, and does not count it', async () => {
    const { first, second, sent } = await listening()
    await trigger(second)
    await hasSent(sent, 'evt_1')
    const drained = post(second, '/events/drain')
    await read(second)
    expect(await report(first, 'evt_1')).toBe(200)
    expect(await (await drained).json()).toEqual({ delivered: 0, failed: 0, waiting: 0 })
    const listed = await fetch(`${second.url}/_sandbox/events/evt_1`)
    expect(await listed.json()).toMatchObject({ deliveries: [{ n: 1, state: 'delivered' }] })
  })

  it('connected to the other replica -> an early event is delivered before the answer', async () => {
    const { first, second, sent: order } = await listening(['event-early'])
    const answered = fetch(`${second.url}/v2/transaction_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
      body: intent,
    }).then(({ status }) => order.push(status))
    await hasSent(order, 'evt_1')
    // An answer that does not wait for the report is sent before these.
    for (let times = 0; times < 3; times += 1) await read(second)
    order.push('report')
    expect(await report(first, 'evt_1')).toBe(200)
    await answered
    expect(order).toEqual(['evt_1', 'report', 201])
  })
})

describeWithEngine('a store that is away when an attempt ends', () => {
  it('the replica goes on, and repeats the attempt when the store is back', async () => {
    const engine = await startEngine()
    withTest(() => engine.stop())
    const answers: (() => void)[] = []
    let isHeld = true
    const { url: target, reached } = await httpReceiver((_request, response) => {
      if (isHeld) answers.push(() => response.writeHead(204).end())
      else response.writeHead(204).end()
    })
    const replica = await started(['--store', engine.url, '--webhooks', 'standard'])
    await post(replica, '/webhook_endpoints', { url: target })
    await post(replica, '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    await reached
    await engine.kill('SIGSTOP')
    isHeld = false
    for (const answer of answers) answer()
    await replica.errUntil(/ is away/)
    await engine.kill('SIGCONT')
    await replica.errUntil(/ answers again/)

    const drained = await post(replica, '/events/drain')
    expect([drained.status, await drained.json()]).toMatchObject([200, { waiting: 0 }])
    const listed = await fetch(`${replica.url}/_sandbox/events/evt_1`)
    expect(await listed.json()).toMatchObject({ deliveries: [{ n: 1, state: 'delivered' }] })
    expect(replica.process.exitCode).toBeNull()
  }, 60_000)
})

describeWithEngine('a clock that another replica advances', () => {
  it.each([
    ['a late event -> delivered on the way', ['event-late'], [204], ['12:05:00']],
    [
      'one that is being delivered, and fails -> repeated on the way',
      [],
      [500, 204],
      ['12:00:00', '12:00:05'],
    ],
  ])('%s', async (_title, scenarios, statuses, times) => {
    const left = [...statuses]
    let answerFirst = (): void => undefined
    const isAsked = new Promise<void>((resolve) => (answerFirst = resolve))
    const { url: target, reached } = await httpReceiver((_request, response) => {
      const status = left.shift() ?? 204
      void isAsked.then(() => response.writeHead(status).end())
    })
    const [creator, other] = await frozenReplicas(scenarios)
    await post(creator, '/webhook_endpoints', { url: target })
    await post(creator, '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    if (scenarios.length === 0) await reached
    const advanced = post(other, '/clock/advance', { minutes: 10 })
    // A clock that moves too early does so before this call is answered.
    await fetch(`${other.url}/_sandbox/events/evt_1`)
    answerFirst()
    expect(await (await advanced).json()).toEqual({ now: '2026-11-21T12:10:00.000Z', frozen: true })
    const listed = await fetch(`${other.url}/_sandbox/events/evt_1`)
    const { deliveries } = (await listed.json()) as { deliveries: { at: string; status: number }[] }
    expect(deliveries.map(({ at, status }) => [at, status])).toEqual(
      times.map((time, index) => [`2026-11-21T${time}.000Z`, statuses[index]]),
    )
  })
})

describeWithEngine('a reset at another replica', () => {
  it('an attempt from before counts for nothing, and the clock that advanced stays at the reset', async () => {
    const { url: target, reached } = await httpReceiver(() => undefined)
    const [creator, other] = await frozenReplicas(['event-late'])
    await post(creator, '/webhook_endpoints', { url: target })
    await post(creator, '/events/trigger', { type: 'reward.updated', id: 'rwd_ada_pending' })
    const advanced = post(creator, '/clock/advance', { days: 3 })
    await reached
    await post(other, '/reset')
    // It reads what the other one wrote.
    await fetch(`${creator.url}/_sandbox/clock`)
    await advanced
    const clock = await fetch(`${other.url}/_sandbox/clock`)
    expect(await clock.json()).toEqual({ now: '2026-11-21T12:00:00.000Z', frozen: true })
    const listed = await fetch(`${other.url}/_sandbox/events`)
    expect(await listed.json()).toEqual({ events: [], dropped: 0 })
  })
})
