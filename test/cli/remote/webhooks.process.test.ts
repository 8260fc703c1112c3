import { describe, expect, it } from 'vitest'
import { asking, printed, refused, said } from '../../helpers/asking.ts'
import { testNow } from '../../helpers/sandbox.ts'

const served = { webhooks: 'standard' }
const url = 'http://localhost:1/hook'

/** The secret that a verb has printed. */
const secretIn = (stdout: string): string => /^secret (whsec_\S+)$/m.exec(stdout)?.[1] ?? ''

describe('webhooks', () => {
  it('add prints the endpoint and its secret; list, update and remove', async () => {
    const { sandbox, ask } = await asking({}, served)
    const added = await ask(['webhooks', 'add', url, '--events', 'reward.updated, reward.created'])
    const secret = secretIn(added.stdout)
    const line = `we_1  ${url}  reward.updated,reward.created  enabled\n`
    expect(added).toEqual(printed(`${line}secret ${secret}\n`))
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await ask(['webhooks', 'list'])).toEqual(printed(line))
    const words = ['--to', 'http://localhost:2/', '--events', '*', '--enabled', 'false']
    expect(await ask(['webhooks', 'update', 'we_1', ...words])).toEqual(
      printed('we_1  http://localhost:2/  *  disabled\n'),
    )
    expect(await ask(['webhooks', 'remove', 'we_1'])).toEqual(said('Removed we_1\n'))
    expect([await ask(['webhooks', 'list']), sandbox.webhooks.list()]).toEqual([printed(''), []])
  })

  it('add --secret takes one, and list --show-secrets prints all', async () => {
    const { sandbox, ask } = await asking({}, served)
    const secret = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludCwgMzIgYnl0ZXM='
    const derived = sandbox.webhooks.add({ url }).secret
    const line = (id: string): string => `${id}  ${url}  *  enabled\n`
    expect(await ask(['webhooks', 'add', url, '--secret', secret])).toEqual(
      printed(`${line('we_2')}secret ${secret}\n`),
    )
    expect(await ask(['webhooks', 'list', '--show-secrets'])).toEqual(
      printed(`${line('we_1')}secret ${derived}\n${line('we_2')}secret ${secret}\n`),
    )
    expect(await ask(['webhooks', 'list'])).toEqual(printed(line('we_1') + line('we_2')))
    expect(await ask(['webhooks', 'add', url, '--secret', 'short'])).toEqual(
      refused(2, 'error: --secret: must be 8 to 200 printable ASCII characters without spaces\n'),
    )
  })

  it('rotate prints the new secret', async () => {
    const { sandbox, ask } = await asking({}, served)
    const { secret } = sandbox.webhooks.add({ url })
    const { code, stdout, stderr } = await ask(['webhooks', 'rotate', 'we_1'])
    expect([code, stderr, stdout]).toEqual([0, '', `we_1  ${url}  *  enabled\nsecret ${secretIn(stdout)}\n`])
    expect(secretIn(stdout)).not.toBe(secret)
  })

  it('--format json prints the answer', async () => {
    const { ask } = await asking({}, served)
    const { stdout } = await ask(['webhooks', 'add', url, '--format', 'json'])
    const { secret, ...endpoint } = JSON.parse(stdout)
    expect([endpoint, typeof secret]).toEqual([
      { id: 'we_1', url, events: ['*'], enabled: true, created_at: testNow },
      'string',
    ])
    expect(JSON.parse((await ask(['webhooks', 'list', '--format', 'json'])).stdout)).toEqual({
      webhook_endpoints: [endpoint],
    })
  })

  it('list names handlers and listeners', async () => {
    const { sandbox, ask } = await asking({}, served)
    sandbox.webhooks.add({ url, listener: true })
    sandbox.webhooks.add({ handler: () => new Response() })
    expect(await ask(['webhooks', 'list'])).toEqual(
      printed(`we_1  ${url} (by a listener)  *  enabled\nhandler_1  a handler in the program  *  enabled\n`),
    )
  })

  it('an address that is not allowed -> each verb that shows it warns', async () => {
    const { ask } = await asking({}, served)
    const warning = (host: string): string =>
      `warning: ${host} is not allowed: only loopback addresses are allowed. Start the sandbox with --webhook-allow ${host}\n`
    const { code, stdout, stderr } = await ask(['webhooks', 'add', 'http://10.0.0.1/hook'])
    expect([code, stdout.split('\n')[0], stderr]).toEqual([
      0,
      'we_1  http://10.0.0.1/hook  *  enabled',
      warning('10.0.0.1'),
    ])
    expect(await ask(['webhooks', 'update', 'we_1', '--to', 'http://10.0.0.2/hook'])).toEqual({
      code: 0,
      stdout: 'we_1  http://10.0.0.2/hook  *  enabled\n',
      stderr: warning('10.0.0.2'),
    })
    expect(await ask(['webhooks', 'list'])).toEqual({
      code: 0,
      stdout: 'we_1  http://10.0.0.2/hook  *  enabled\n',
      stderr: warning('10.0.0.2'),
    })
    expect((await ask(['webhooks', 'rotate', 'we_1'])).stderr).toBe(warning('10.0.0.2'))
    expect(await ask(['webhooks', 'update', 'we_1', '--to', url])).toEqual(
      printed(`we_1  ${url}  *  enabled\n`),
    )
  })

  it.each<[string[], number, RegExp]>([
    [['add'], 2, /missing required argument 'url'/],
    [['add', 'localhost'], 2, /must be a URL with http or https/],
    [['add', 'http://user:password@localhost/'], 2, /must not contain a user name or a password/],
    [
      ['add', url, '--events', 'reward.updatd'],
      2,
      /^error: --events: must be one of \*, transaction_intent.created/,
    ],
    [['update', 'we_1'], 2, /^error: nothing to change: set --to, --events or --enabled\n$/],
    [['update', 'we_1', '--enabled', 'yes'], 2, /^error: --enabled: 'yes' must be 'true' or 'false'\n$/],
    [['update', 'we_9', '--enabled', 'true'], 8, /no endpoint is called 'we_9', did you mean 'we_1'\?/],
    [['remove', 'we_9'], 8, /no endpoint is called 'we_9'/],
    [['rotate', 'we_9'], 8, /no endpoint is called 'we_9'/],
  ])('webhooks %j -> exit %i', async (words, code, message) => {
    const { sandbox, ask } = await asking({}, served)
    sandbox.webhooks.add({ url })
    const ran = await ask(['webhooks', ...words])
    expect(ran).toEqual(refused(code, ran.stderr))
    expect(ran.stderr).toMatch(message)
    expect(ran.stderr).not.toContain('password@')
    expect(sandbox.webhooks.list()).toHaveLength(1)
  })
})
