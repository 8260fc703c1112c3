import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createSandbox,
  type CoverageReport,
  type Sandbox,
  type SandboxOptions,
  type SandboxServer,
} from '../../src/index.ts'
import type { ServedCall } from '../../src/http/served-call.ts'
import { Journal } from '../../src/journal/journal.ts'
import { fullKey } from '../helpers/sandbox.ts'

const reward = '/v2/rewards/rwd_ada_pending'
const intents = '/v2/transaction_intents'
const authorization = `Bearer ${fullKey}`
const json = { authorization, 'content-type': 'application/json' }
const intent = JSON.stringify({ customer_id: 'cus_ada', amount: 1, currency: 'USD' })

const started: Sandbox[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((sandbox) => sandbox.close()))
})

/** A sandbox on a port, and a promise of the next call that it is done with. */
async function serving(options: SandboxOptions = {}): Promise<{
  sandbox: Sandbox
  server: SandboxServer
  answering: () => Promise<void>
}> {
  let answered = (): void => undefined
  const sandbox = await createSandbox(options, { onAnswer: () => answered() })
  started.push(sandbox)
  const server = await sandbox.listen()
  return { sandbox, server, answering: () => new Promise<void>((done) => (answered = done)) }
}

const rule = (effect: object, on = '*'): object => ({
  name: 'armed',
  description: 'One rule of a test.',
  rules: [{ on, effect }],
})

describe('a call is written down before its answer leaves', () => {
  it.each<[string, string, RequestInit]>([
    ['a read', reward, { headers: { authorization } }],
    ['a creation', intents, { method: 'POST', headers: json, body: intent }],
    ['a refusal', intents, { method: 'POST', headers: json, body: '{}' }],
    ['no key', reward, {}],
    ['a body that nobody reads', intents, { method: 'POST', body: 'x'.repeat(300_000) }],
    ['no such path', '/v2/x', { headers: { authorization } }],
    ['HEAD', reward, { method: 'HEAD', headers: { authorization } }],
  ])('%s: who asks right after the answer finds it, in process and over a socket', async (_, path, init) => {
    const { sandbox, server } = await serving()
    const doors = [
      sandbox.fetch,
      (target: string, more?: RequestInit) => fetch(new URL(target, server.url), more),
    ]
    for (const door of doors) {
      for (let count = 0; count < 20; count++) {
        // Not even the body is waited for.
        const answer = await door(path, init)
        const id = answer.headers.get('x-sandbox-request-id') ?? ''
        expect(sandbox.requests.get(id)).toMatchObject({ id, status: answer.status })
        expect((await door(`/_sandbox/requests/${id}`)).status).toBe(200)
        await answer.body?.cancel()
      }
    }
  })

  it.each<[unknown, number | null]>([
    ['truncate', null],
    ['malformed_json', 200],
    [{ drip: { bytes_per_second: 20 } }, 200],
  ])(
    'an answer that is corrupted by %j is there when its first bytes come, with status %s',
    async (transport, status) => {
      const { sandbox, server } = await serving({ scenarios: [rule({ transport })] })
      const answer = await fetch(`${server.url}${reward}`, { headers: { authorization } })
      expect(sandbox.requests.list()).toMatchObject([{ outcome: 'fault', status, response: { status: 200 } }])
      await answer.body?.cancel()
    },
  )

  it.each(['reset', 'empty'])(
    'an answer that is lost by %s is there when the client knows',
    async (transport) => {
      const { sandbox, server } = await serving({ scenarios: [rule({ transport })] })
      await expect(fetch(`${server.url}${reward}`, { headers: { authorization } })).rejects.toThrow(
        'fetch failed',
      )
      expect(sandbox.requests.list()).toMatchObject([{ outcome: 'fault' }])
    },
  )

  it('an answer that never comes is there while its client waits', async () => {
    const { sandbox, server, answering } = await serving({ scenarios: [rule({ transport: 'hang' })] })
    const gone = new AbortController()
    const answered = answering()
    const hanging = fetch(`${server.url}${reward}`, { headers: { authorization }, signal: gone.signal })
    await answered
    expect(sandbox.requests.list()).toMatchObject([{ outcome: 'fault' }])
    gone.abort()
    await expect(hanging).rejects.toThrow('aborted')
  })
})

describe('a client that goes away', () => {
  /** Sends bytes, and closes the connection without reading anything. */
  async function sendAndLeave({ port }: SandboxServer, bytes: string): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    await new Promise<void>((sent) => socket.write(bytes, () => sent()))
    socket.destroy()
  }

  const head = (length: number): string =>
    [
      `POST ${intents} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')

  it.each([
    ['before its body came', head(100), 'The body was cut off.'],
    ['in the middle of its body', `${head(100)}{"amount":1`, 'The body was cut off.'],
  ])('%s -> an entry that says so, and nothing is written', async (_, bytes, summary) => {
    const { sandbox, server, answering } = await serving()
    const answered = answering()
    await sendAndLeave(server, bytes)
    await answered
    const [entry] = sandbox.requests.list()
    expect(sandbox.requests.list()).toHaveLength(1)
    expect(entry).toMatchObject({
      operation: 'createTransactionIntent',
      outcome: 'fault',
      status: null,
      changes: [],
      request: { body: null },
      response: { status: 400 },
    })
    expect(sandbox.requests.explain('req_default_1')?.summary).toBe(summary)
    expect(sandbox.state.size('transaction_intents')).toBe(3)
  })

  it('before a body that nobody wants -> an entry of the refusal', async () => {
    const { sandbox, server, answering } = await serving()
    const answered = answering()
    await sendAndLeave(server, head(100).replace(fullKey, 'nobody'))
    await answered
    expect(sandbox.requests.list()).toMatchObject([{ outcome: 'unauthenticated', request: { body: null } }])
  })

  it('while its call is delayed -> an entry; a body that was not read by then is cut off', async () => {
    const { sandbox, server, answering } = await serving({ scenarios: [rule({ latency: 600_000 })] })
    for (const bytes of [
      `${head(intent.length)}${intent}`,
      head(0).replace('POST', 'PATCH').replace(intents, reward),
    ]) {
      const answered = answering()
      await sendAndLeave(server, bytes)
      await answered
    }
    const answered = answering()
    await sendAndLeave(server, head(0).replace('POST', 'GET').replace(intents, reward))
    await answered
    expect(sandbox.requests.list()).toMatchObject([
      { operation: 'retrieveReward', outcome: 'fault', status: null, response: { status: 200 } },
      { operation: 'updateReward', status: null, response: { status: 400 }, changes: [] },
      { operation: 'createTransactionIntent', status: null, response: { status: 400 }, changes: [] },
    ])
    expect(sandbox.requests.explain('req_default_1')?.summary).toBe('The body was cut off.')
  })

  it('in process -> an entry as well', async () => {
    const { sandbox, answering } = await serving({ scenarios: [rule({ latency: 600_000 })] })
    const gone = new AbortController()
    const answered = answering()
    const call = sandbox
      .fetch(reward, { headers: { authorization }, signal: gone.signal })
      .catch(() => undefined)
    gone.abort()
    await answered
    await call
    expect(sandbox.requests.list()).toMatchObject([
      { operation: 'retrieveReward', outcome: 'fault', status: null, response: { status: 200 } },
    ])
    const explanation = sandbox.requests.explain('req_default_1')
    expect(explanation?.summary).toBe(
      'retrieveReward would have answered 200, but the client had closed the connection.',
    )
    expect(explanation?.sections.find(({ about }) => about === 'connection')?.facts).toEqual([
      {
        name: 'client',
        value: 'the client closed the connection before its answer',
        note: 'nothing was written',
      },
    ])
    // Its request counts as coverage, its answer does not.
    const { points } = JSON.parse(await sandbox.coverage.report('json')) as CoverageReport
    const covered = points.filter(({ hits }) => hits > 0).map(({ id }) => id)
    expect(covered).toContain('retrieveReward/version/none')
    expect(covered.filter((id) => id.startsWith('retrieveReward/success'))).toEqual([])
  })
})

describe('many calls at once', () => {
  it('each has its own entry in its own workspace, with what it changed itself', async () => {
    const { sandbox, server } = await serving()
    const workspaces = ['default', 'a', 'b', 'c']
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const name = workspaces[at % 4] ?? ''
        const headers = { ...json, authorization: `Bearer ${fullKey}.${name}` }
        const body = JSON.stringify({ customer_id: 'cus_ada', amount: at, currency: 'USD' })
        const answer = await fetch(`${server.url}${intents}`, { method: 'POST', headers, body })
        const { id } = (await answer.json()) as { id: string }
        const entry = sandbox.workspace(name).requests.get(answer.headers.get('x-sandbox-request-id') ?? '')
        expect(entry).toMatchObject({
          workspace: name,
          request: { body: { amount: at } },
          response: { body: { id, amount: at } },
          changes: [{ id, after: { amount: at } }],
        })
      }),
    )
    for (const name of workspaces) {
      const ids = sandbox
        .workspace(name)
        .requests.list()
        .map(({ id }) => id)
      const expected = Array.from({ length: 50 }, (_, at) => `req_${name}_${at + 1}`)
      expect(ids.toSorted()).toEqual(expected.toSorted())
    }
  })

  it('a rule acts on exactly the calls that the journal says', async () => {
    const { sandbox, server } = await serving({ scenarios: ['flaky-every-third'] })
    await Promise.all(
      Array.from({ length: 60 }, () =>
        fetch(`${server.url}${intents}`, { method: 'POST', headers: json, body: intent }).then((answer) =>
          answer.text(),
        ),
      ),
    )
    const acted = sandbox.requests.list().filter(({ scenario_rules: rules }) => rules.length > 0)
    expect(acted.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 503))
    expect(sandbox.requests.list({ status: 200 })).toHaveLength(40)
    const [scenario] = (await sandbox.scenarios.list()).filter(({ active }) => active)
    expect(scenario?.rules).toEqual([{ id: 'flaky-every-third#1', calls: 60, hits: 20 }])
  })
})

describe('what the journal holds on to', () => {
  it.each<[string, RequestInit & { path?: string }]>([
    ['a read', { headers: { authorization } }],
    ['a creation', { path: intents, method: 'POST', headers: json, body: intent }],
    ['a refusal', {}],
  ])('%s: nothing that lives, such as sockets, contexts, workspaces and whole states', async (_, call) => {
    const added = vi.spyOn(Journal.prototype, 'add')
    const { server } = await serving()
    const { path = reward, ...init } = call
    await (await fetch(`${server.url}${path}`, init)).text()
    const [[open] = []] = added.mock.calls as [ServedCall][]
    const [journal] = added.mock.contexts as Journal[]
    added.mockRestore()
    const living = [open?.service, open?.client, open?.workspace, open?.workspace.state, open, journal]
    const [kept] = journal?.calls() ?? []
    expect(Object.keys(kept ?? {})).toEqual(['request', 'resolution', 'outcome'])
    const reached = reachedFrom(kept)
    expect(living.filter((one) => one !== undefined && reached.has(one))).toEqual([])
    const kinds = new Set([...reached].map((one) => one.constructor?.name))
    for (const kind of [
      'Socket',
      'IncomingMessage',
      'ServerResponse',
      'Context',
      'ReadableStream',
      'State',
    ]) {
      expect(kinds).not.toContain(kind)
    }
  })

  /** Every object that can be reached by properties, past functions and what all calls share. */
  function reachedFrom(root: unknown): Set<object> {
    const reached = new Set<object>()
    const open = [root]
    for (let one = open.pop(); one !== undefined || open.length > 0; one = open.pop()) {
      if (typeof one !== 'object' || one === null || reached.has(one)) continue
      reached.add(one)
      open.push(...Object.values(one))
    }
    return reached
  }
})
