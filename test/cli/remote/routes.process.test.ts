import { describe, expect, it } from 'vitest'
import { verbRoutes } from '../../../scripts/docs/doors.ts'
import { allVerbs } from '../../../src/cli/run.ts'
import type { Resource } from '../../../src/control/resource.ts'
import { resources } from '../../../src/control/index.ts'
import { answering } from '../../helpers/answering.ts'
import type { SandboxOptions } from '../../../src/index.ts'
import { operatorToken, partnerOptions } from '../../helpers/partners.ts'
import { asking } from '../../helpers/asking.ts'
import { cli, folderWith } from '../../helpers/fake-io.ts'

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
  'simulate statement': [['acct_ada']],
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

const serving: SandboxOptions = { webhooks: 'standard' }

/** The path of the control plane that a request is for. */
function resourceOf(path: string): Resource | undefined {
  const fits = (pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path)
  return resources.find((resource) => fits(resource.path))
}

/** Every field of an answer is declared, and every declared one is there. */
function requireDeclared(resource: Resource | undefined, method: string, text: string): void {
  const schema = resource?.operations.find(({ route }) => route.startsWith(`${method} `))?.result
  const value: unknown = text === '' ? undefined : JSON.parse(text)
  expect(schema?.parse(value)).toEqual(value)
}

describe('a verb asks the paths that it says it is the door of', async () => {
  // Some need no running sandbox, and one lasts until a signal: see listen.process.test.ts.
  const others = ['events listen', 'scenarios', 'openapi', 'schema']
  const named = verbRoutes(await allVerbs()).filter(({ verb }) => !others.includes(verb))

  it('each of them is tried here', () => {
    expect(Object.keys(lines).toSorted()).toEqual([...new Set(named.map(({ verb }) => verb))].toSorted())
  })

  it.each(Object.keys(lines).flatMap((verb) => [[verb, 'text'] as const, [verb, 'json'] as const]))(
    '%s --format %s',
    async (verb, format) => {
      // There are keys to rotate only where partners are kept apart.
      const { sandbox, url } = await asking(
        {},
        verb === 'workspaces rotate' ? { ...partnerOptions, ...serving } : serving,
      )
      sandbox.snapshot('before')
      sandbox.webhooks.add({ handler: () => new Response() })
      sandbox.webhooks.add({ url: 'http://localhost:1/hook', events: ['order_event.deleted'] })
      sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
      await sandbox.workspaces.create({ name: 'w1' })
      await sandbox.workspace('default').fetch('/v2/customers')
      const requested = new Set<string>()
      let answered = ''
      const between = await answering(async (method, target, body) => {
        const resource = resourceOf(new URL(target, url).pathname)
        requested.add(`${method} ${resource?.path}`)
        const sent = { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' }
        const init = body === '' ? { method, headers: sent } : { method, body, headers: sent }
        const answer = await fetch(url + target, init)
        const text = await answer.text()
        requireDeclared(resource, method, text)
        // Of `stop` the next question is whether it still answers.
        if (resource?.path !== '/_sandbox/health' || verb !== 'stop') answered = text
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
      // `workspaces` has no verb for one of them: its list tells as much.
      expect(
        routes.filter((route) => !requested.has(route) && route !== 'GET /_sandbox/workspaces/:name'),
      ).toEqual([])
    },
  )
})
