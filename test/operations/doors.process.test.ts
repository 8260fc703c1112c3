import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { verbRoutes } from '../../scripts/docs/doors.ts'
import { allVerbs } from '../../src/cli/run.ts'
import type { Handled } from '../../src/control/resource.ts'
import { resources } from '../../src/control/index.ts'
import { answering } from '../helpers/answering.ts'
import type { Sandbox, SandboxOptions } from '../../src/index.ts'
import { operatorToken, partnerOptions } from '../helpers/partners.ts'
import { asking } from '../helpers/asking.ts'
import { cli, folderWith } from '../helpers/fake-io.ts'

/** Each verb once for each path that it is the door of. */
const lines: Readonly<Record<string, readonly (readonly string[])[]>> = {
  health: [[]],
  wait: [[]],
  coverage: [[]],
  explain: [['req_default_1'], ['evt_1']],
  replay: [['req_default_1']],
  reset: [[]],
  apply: [['rows.json'], ['scenario.json']],
  'snapshot save': [['before']],
  'snapshot list': [[]],
  'snapshot dump': [['before']],
  'snapshot diff': [['before']],
  'snapshot restore': [['before']],
  'snapshot delete': [['before']],
  'state get': [['rewards'], ['rewards', 'rwd_ada_pending'], ['account'], ['stubs']],
  'state put': [
    ['order_events', 'oe_1', '{"customer_id":"cus_ada"}'],
    ['account', '{}'],
    ['stubs', '[]'],
  ],
  'state patch': [
    ['rewards', 'rwd_ada_pending', '{}'],
    ['account', '{}'],
  ],
  'state delete': [['order_events', 'ord_ada_1']],
  'state dump': [[]],
  clock: [[]],
  'clock set': [['2030-01-01T00:00:00Z']],
  'clock freeze': [[]],
  'clock unfreeze': [[]],
  'clock advance': [['--days', '1']],
  'simulate transaction': [['--intent-id', 'int_ada_1']],
  'simulate reward': [['cus_ada', 'STATEMENT']],
  'simulate statement': [['acct_ada']],
  'simulate payment-method': [
    ['--id', 'pm_ada_card', '--status', 'INACTIVE'],
    ['--id', 'pm_ada_card', '--reissue'],
    ['--customer-id', 'cus_ada', '--type', 'CARD'],
  ],
  'simulate account': [['acct_ada', '--status', 'CLOSED']],
  'events list': [[]],
  'events show': [['evt_1'], ['evt_1', '--request']],
  'events trigger': [['reward.updated', '--id', 'rwd_ada_pending', '--data', '{"amount":1}']],
  'events resend': [['evt_1']],
  'events drain': [[]],
  'events wait': [['--type', 'reward.updated']],
  'webhooks add': [['http://localhost:1/hook', '--events', 'order_event.deleted']],
  'webhooks list': [[]],
  'webhooks update': [['we_1', '--to', 'http://localhost:2/hook']],
  'webhooks remove': [['we_1']],
  'webhooks rotate': [['we_1']],
  requests: [[]],
  'requests verify': [['{}']],
  'requests clear': [[]],
  workspaces: [[]],
  'workspaces create': [['w9'], ['w8', '--from', 'w1']],
  'workspaces rotate': [['w1', '--admin-token', operatorToken]],
  'workspaces delete': [['w1']],
  assumptions: [[], ['create_status']],
  'scenarios on': [['slow']],
  'scenarios off': [['slow']],
  'scenarios restart': [['slow']],
  'scenarios active': [[]],
  stop: [[]],
}

const serving: SandboxOptions = { webhooks: 'standard', seed: 1 }

/** A request of a verb, with the operation that it is for. */
interface Asked {
  operation: Handled
  path: string[]
  query: Record<string, string>
  body: unknown
  /** What was answered; undefined for no content. */
  value: unknown
}

const operations = resources.flatMap((resource) => resource.operations).filter(({ isPage }) => !isPage)

/** The operation that a request is for, with the parameters of its path. */
function operationFor(method: string, pathname: string): { operation: Handled; path: string[] } {
  for (const operation of operations) {
    const [own = '', pattern = ''] = operation.route.split(' ')
    const found = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`).exec(pathname)
    if (own === method && found) return { operation, path: found.slice(1).map(decodeURIComponent) }
  }
  throw new Error(`no operation is for ${method} ${pathname}`)
}

/** What a member of the library takes: the parameters of the path, then the body or the query. */
function argumentsOf({ operation: { id, route }, path, query, body }: Asked): unknown[] {
  const { workspace: _workspace, ...others } = query
  if (id.startsWith('state.') && route.endsWith('/account')) return ['account', 'account', ...given(body)]
  if (id === 'snapshots.diff') return [...path, others['with']]
  if (id === 'coverage.report') return [others['format'] ?? 'json']
  const sent = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  if (id === 'events.trigger') return [sent['type'], sent]
  if (id === 'events.waitFor') return [{ type: sent['type'] }]
  return [...path, ...given(body ?? (Object.keys(others).length > 0 ? others : undefined))]
}

const given = (value: unknown): unknown[] => (value === undefined ? [] : [value])

/** The member of the library, called like the operation. */
async function libraryValue(sandbox: Sandbox, asked: Asked): Promise<unknown> {
  const names = asked.operation.id.split('.')
  const member = names.pop() ?? ''
  const owner = names.reduce<unknown>((within, name) => Reflect.get(Object(within), name), sandbox)
  const called: unknown = Reflect.get(Object(owner), member)
  if (typeof called !== 'function') throw new Error(`the library has no member ${asked.operation.id}`)
  return called.apply(owner, argumentsOf(asked))
}

/** A sandbox with something for every operation. */
async function prepared(options: SandboxOptions) {
  const made = await asking({}, options)
  const { sandbox } = made
  sandbox.snapshot('before')
  sandbox.webhooks.add({ handler: () => new Response() })
  sandbox.webhooks.add({ url: 'http://localhost:1/hook', events: ['order_event.deleted'] })
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  await sandbox.events.drain()
  await sandbox.workspaces.create({ name: 'w1' })
  await sandbox.workspace('default').fetch('/v2/customers')
  return made
}

/** There are keys to rotate only where partners are kept apart. */
const optionsFor = (verb: string): SandboxOptions =>
  verb === 'workspaces rotate' ? { ...partnerOptions, ...serving } : serving

/** Members that answer otherwise than their operation: a Request, a report as text, what is new each time. */
const unlike = [
  'events.request',
  'health',
  'requests.replay',
  'requests.verify',
  'coverage.report',
  'workspaces.create',
  'workspaces.rotate',
  'close',
]

describe('each operation through each door', async () => {
  // Some need no running sandbox, and one lasts until a signal: see listen.process.test.ts.
  const others = ['events listen', 'scenarios', 'openapi', 'schema']
  const named = verbRoutes(await allVerbs()).filter(({ verb }) => !others.includes(verb))

  it('each verb is tried here, and each route that it names is there', () => {
    expect(Object.keys(lines).toSorted()).toEqual([...new Set(named.map(({ verb }) => verb))].toSorted())
    const routes = operations.map(({ route }) => route)
    expect(named.filter(({ route }) => !routes.some((known) => known === route))).toEqual([])
  })

  it('each has a member of the library, but for those that only HTTP needs', async () => {
    const { sandbox } = await asking()
    const withoutMember = operations.filter(({ id }) => {
      const found = id
        .split('.')
        .reduce<unknown>((within, name) => Reflect.get(Object(within), name), sandbox)
      return typeof found !== 'function'
    })
    expect(withoutMember.map(({ route }) => route)).toEqual([
      'POST /_sandbox/events/:id/deliveries/:n',
      'GET /_sandbox/stream',
    ])
  })

  it.each(Object.keys(lines).flatMap((verb) => [[verb, 'text'] as const, [verb, 'json'] as const]))(
    '%s --format %s',
    async (verb, format) => {
      const { url } = await prepared(optionsFor(verb))
      const asked: Asked[] = []
      let answered = ''
      const between = await answering(async (method, target, body) => {
        const { pathname, searchParams } = new URL(target, url)
        const found = operationFor(method, pathname)
        const sent = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
        const init = body === '' ? { method, headers: sent } : { method, body, headers: sent }
        const answer = await fetch(url + target, init)
        const text = await answer.text()
        const value: unknown = text === '' ? undefined : JSON.parse(text)
        // Every field of an answer is declared, and every declared one is there.
        expect(found.operation.result?.parse(value)).toEqual(value)
        const query = Object.fromEntries(searchParams)
        asked.push({ ...found, query, body: body === '' ? undefined : JSON.parse(body), value })
        // Of `stop` the next question is whether it still answers.
        if (found.operation.id !== 'health' || verb !== 'stop') answered = text
        return { status: answer.status, body: text, isSandbox: true }
      })
      const cwd = await folderWith({
        'rows.json': { customers: [{ id: 'cus_1' }] },
        'scenario.json': { name: 'mine', description: 'Mine.', rules: [{ on: '*', effect: { latency: 1 } }] },
      })
      for (const words of lines[verb] ?? []) {
        const argv = [...verb.split(' '), ...words, '--url', between, '--format', format]
        const { code, stdout, stderr } = await cli(argv, { cwd })
        expect([words, code, stderr]).toEqual([words, 0, expect.not.stringMatching(/^error/)])
        if (format === 'json') expect(JSON.parse(stdout)).toEqual(JSON.parse(answered || '{}'))
      }
      const routes = named.filter((one) => one.verb === verb).map(({ route }) => route)
      const requested = new Set<string>(asked.map(({ operation }) => operation.route))
      expect(routes.filter((route) => !requested.has(route))).toEqual([])
      if (format === 'json') await expectLibraryToAgree(verb, asked)
    },
  )
})

/** The library gives what was answered over HTTP, alone or as a part of it, from a sandbox in the same state. */
async function expectLibraryToAgree(verb: string, asked: readonly Asked[]): Promise<void> {
  const { sandbox } = await prepared(optionsFor(verb))
  for (const one of asked.filter(({ operation }) => !unlike.includes(operation.id))) {
    const value = steady((await libraryValue(sandbox, one)) ?? null)
    // A write that returns nothing in a program, or whether there was something to delete.
    if (value === null || typeof value === 'boolean') continue
    const answered = steady(one.value)
    const parts = typeof answered === 'object' && answered !== null ? Object.values(answered) : []
    // The one assumption that was asked for is one of all.
    const values = Array.isArray(value) ? [value, ...(value as unknown[])] : [value]
    expect(
      [answered, ...parts].some((part) => values.some((each) => isDeepStrictEqual(part, each))),
      one.operation.id,
    ).toBe(true)
  }
}

/** As JSON, without durations. */
const steady = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value ?? null, (name, field: unknown) => (name === 'duration_ms' ? 0 : field)))
