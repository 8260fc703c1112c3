// events listen: forwards deliveries of a sandbox to a receiver of this machine, until a signal.
import { setImmediate } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../../src/index.ts'
import type { StopSignal } from '../../../src/runtime/program.ts'
import { asking, refused } from '../../helpers/asking.ts'
import { execute, type Ran } from '../../helpers/fake-io.ts'
import { httpReceiver, refusedUrl } from '../../helpers/receiver.ts'

afterEach(() => void vi.unstubAllEnvs())

interface Listening {
  sandbox: Sandbox
  signal: (signal: StopSignal) => void
}

/** Runs `events listen` beside a sandbox; `act` has its turn once it is connected. */
async function listening(
  to: string,
  act: (of: Listening) => Promise<unknown>,
  words: string[] = [],
  options: SandboxOptions = {},
): Promise<Ran & { sandbox: Sandbox }> {
  const { sandbox, url } = await asking({}, { webhooks: 'standard', ...options })
  const argv = ['events', 'listen', '--url', url, '--forward-to', to, ...words]
  const { code, stdout, stderr } = await execute(argv, {}, async ({ signal }) => {
    while (sandbox.webhooks.list().length === 0) await setImmediate()
    await act({ sandbox, signal })
  })
  return { code, stdout, stderr, sandbox }
}

const trigger = ({ events }: Pick<Sandbox, 'events'>): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

const states = (sandbox: Sandbox, id = 'evt_1'): unknown[] =>
  sandbox.events.get(id)?.deliveries.map(({ state, status, reason }) => [state, status, reason]) ?? []

const timeless = (text: string): string => text.replaceAll(/\b\d+ ms/g, 'N ms')

describe('events listen', () => {
  it.each<StopSignal>(['SIGINT', 'SIGTERM'])(
    'forwards, prints a line for each delivery, reports, and removes its endpoint on %s',
    async (name) => {
      const bodies: [Record<string, string>, string][] = []
      const { url } = await httpReceiver(async (request, answer) => {
        const body = Buffer.concat(await request.toArray()).toString()
        bodies.push([request.headers as Record<string, string>, body])
        if (bodies.length === 1) answer.writeHead(500).end('no card 4242424242424242\n')
        else answer.writeHead(204).end()
      })
      const { code, stdout, stderr, sandbox } = await listening(url, async ({ sandbox: on, signal }) => {
        expect(on.webhooks.list()).toMatchObject([{ id: 'we_1', url, events: ['*'], listener: true }])
        trigger(on)
        expect(await on.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 1 })
        await on.clock.advance({ seconds: 5 })
        signal(name)
      })
      expect([code, timeless(stdout)]).toEqual([
        0,
        'evt_1  reward.updated  500  N ms  "no card ************4242\\n"\nevt_1  reward.updated  attempt 2  204  N ms\n',
      ])
      const secret = /^we_1 forwards to (\S+), until Ctrl-C\nsecret (whsec_\S+)\n$/.exec(stderr)
      expect(secret?.[1]).toBe(url)
      for (const [headers, body] of bodies)
        expect(new Webhook(secret?.[2] ?? '').verify(body, headers)).toMatchObject({ id: 'evt_1' })
      expect(states(sandbox).map((one) => timeless(JSON.stringify(one)))).toEqual([
        '["failed",500,"answered 500 (N ms)"]',
        '["delivered",204,"answered 204 (N ms)"]',
      ])
      expect(sandbox.events.get('evt_1')?.deliveries[0]?.response_body).toBe('no card ************4242\n')
      expect(sandbox.webhooks.list()).toEqual([])
    },
  )

  it('--format json prints one line of JSON; --events selects types', async () => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const act = async ({ sandbox, signal }: Listening): Promise<void> => {
      trigger(sandbox)
      sandbox.events.trigger('order_event.deleted', { id: 'ord_ada_1' })
      await sandbox.events.drain()
      signal('SIGINT')
    }
    const words = ['--format', 'json', '--events', 'order_event.deleted']
    const { code, stdout } = await listening(url, act, words)
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { event_id: 'evt_2', n: 1, type: 'order_event.deleted', status: 204, duration_ms: expect.any(Number) },
    ])
  })

  it('a receiver that refuses the connection -> its error is printed and reported', async () => {
    const url = await refusedUrl()
    // Advice for containers would be wrong: the receiver is beside the listener.
    vi.stubEnv('container', 'podman')
    const { code, stdout, sandbox } = await listening(url, async ({ sandbox: on, signal }) => {
      trigger(on)
      await on.events.drain()
      signal('SIGINT')
    })
    const error = `connect ECONNREFUSED ${new URL(url).host}`
    expect([code, timeless(stdout)]).toEqual([0, `evt_1  reward.updated  ${error}  N ms\n`])
    expect(timeless(String(states(sandbox)[0]))).toBe(`failed,,${error} (N ms)`)
  })

  it('a redirect -> its address is printed and reported', async () => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(302, { location: '/login' }).end())
    const { code, stdout, sandbox } = await listening(url, async ({ sandbox: on, signal }) => {
      trigger(on)
      await on.events.drain()
      signal('SIGINT')
    })
    expect([code, timeless(stdout)]).toEqual([0, 'evt_1  reward.updated  302  to /login  N ms\n'])
    const reason = 'answered 302, a redirect to /login, which is not followed (N ms)'
    expect(timeless(String(states(sandbox)[0]))).toBe(`failed,302,${reason}`)
  })

  it('a signal while the receiver hangs -> ends, and removes the endpoint', async () => {
    const { url, reached } = await httpReceiver(() => undefined)
    const { code, stdout, sandbox } = await listening(url, async ({ sandbox: on, signal }) => {
      trigger(on)
      await reached
      signal('SIGINT')
    })
    expect([code, stdout, sandbox.webhooks.list()]).toEqual([0, '', []])
    expect(states(sandbox)).toEqual([['skipped', null, 'the endpoint was removed']])
  })

  it('its endpoint is removed meanwhile -> exit 8', async () => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const { code, stderr } = await listening(url, async ({ sandbox }) => sandbox.webhooks.remove('we_1'))
    expect([code, stderr]).toEqual([
      8,
      expect.stringMatching(/error: the endpoint we_1 was removed, so there is nothing to listen to\n$/),
    ])
  })

  it('the sandbox stops meanwhile, and then a signal -> exit 0', async () => {
    const { url } = await httpReceiver((_, answer) => answer.writeHead(204).end())
    const { code } = await listening(url, async ({ sandbox, signal }) => {
      await sandbox.close()
      signal('SIGINT')
    })
    expect(code).toBe(0)
  })

  it.each<[string[], number, RegExp]>([
    [[], 2, /^error: no receiver: set --forward-to to its URL/],
    [['--forward-to', 'localhost:3000'], 2, /^error: --forward-to: 'localhost:3000' must be a URL/],
    [['--forward-to', 'ftp://localhost/'], 2, /^error: --forward-to: 'ftp:\/\/localhost\/' must be a URL/],
    [['--forward-to', 'http://localhost:1/', '--events', 'reward'], 2, /^error: --events: must be one of \*/],
  ])('events listen %j -> exit %i, and no endpoint', async (words, code, message) => {
    const { sandbox, ask } = await asking({}, { webhooks: 'standard' })
    const ran = await ask(['events', 'listen', ...words])
    expect(ran).toEqual(refused(code, ran.stderr))
    expect(ran.stderr).toMatch(message)
    expect(sandbox.webhooks.list()).toEqual([])
  })

  it('no events are served -> exit 8, with the option', async () => {
    const { ask } = await asking()
    const { code, stderr } = await ask(['events', 'listen', '--forward-to', 'http://localhost:1/'])
    expect([code, stderr]).toEqual([8, expect.stringContaining('such as --webhooks standard')])
  })
})
