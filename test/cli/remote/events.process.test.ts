import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { WebhookDescription } from '../../../src/index.ts'
import { asking, printed, refused } from '../../helpers/asking.ts'
import { testNow } from '../../helpers/sandbox.ts'

const served = { webhooks: 'thin' }
const line = `${testNow}  evt_1  reward.updated  trigger  collected\n`

describe('events', () => {
  it('trigger, list, show and explain one', async () => {
    const { sandbox, ask } = await asking({ 'data.json': { status: 'AVAILABLE' } }, served)
    const words = ['events', 'trigger', 'reward.updated', '--id', 'rwd_ada_pending', '--data', '@data.json']
    expect(await ask(words)).toEqual(printed(line))
    expect(sandbox.events.get('evt_1')?.data).toMatchObject({ status: 'AVAILABLE' })
    expect(await ask(['events', 'list'])).toEqual(printed(line))
    const { stdout } = await ask(['events', 'show', 'evt_1'])
    expect(JSON.parse(stdout)).toEqual(sandbox.events.get('evt_1'))
    expect(await ask(['explain', 'evt_1'])).toEqual(
      printed(
        `${line}Its reward was created by step txe_ada_1. It was collected: no endpoint receives this type.\n`,
      ),
    )
  })

  it('an id with a name -> the event of that workspace', async () => {
    const { sandbox, ask } = await asking({}, served)
    const { id } = sandbox.workspace('a_1').events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    sandbox.workspace('a_1').webhooks.add({ handler: () => new Response() })
    const shown = `${testNow}  ${id}  reward.updated  trigger  `
    expect(id).toBe('evt_a_1_1_1')
    expect((await ask(['explain', id])).stdout).toMatch(`${shown}collected\n`)
    expect(JSON.parse((await ask(['events', 'show', id])).stdout)).toMatchObject({ id })
    expect((await ask(['events', 'show', id, '--request'])).stdout).toMatch(`webhook-id: ${id}\n`)
    expect((await ask(['events', 'resend', id])).stdout).toBe(`${shown}delivered (answered 200)\n`)
    expect((await ask(['events', 'show', id, '--workspace', 'default'])).code).toBe(8)
  })

  it('show --request prints the request as it is sent', async () => {
    const { sandbox, ask } = await asking({}, served)
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    const request = sandbox.events.request('evt_1', { at: 'sandbox' })
    expect(await ask(['events', 'show', 'evt_1', '--request', '--at', 'sandbox'])).toEqual(
      printed(
        [
          'POST http://receiver.invalid/',
          `user-agent: ${request.headers.get('user-agent')}`,
          'content-type: application/json',
          'webhook-id: evt_1',
          `webhook-timestamp: ${Date.parse(testNow) / 1000}`,
          `webhook-signature: ${request.headers.get('webhook-signature')}`,
          `content-length: ${request.headers.get('content-length')}`,
          '',
          await request.text(),
          '',
        ].join('\n'),
      ),
    )
  })

  it('show --request --endpoint signs with its secret', async () => {
    const { sandbox, ask } = await asking({}, served)
    const { id } = sandbox.webhooks.add({ url: 'http://localhost:1/hook' })
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    const options = { at: 'sandbox', endpoint: id }
    const signature = sandbox.events.request('evt_1', options).headers.get('webhook-signature')
    const words = ['events', 'show', 'evt_1', '--request', '--at', 'sandbox']
    expect((await ask([...words, '--endpoint', id])).stdout).toContain(`webhook-signature: ${signature}\n`)
    expect((await ask(words)).stdout).not.toContain(signature)
    expect((await ask(['events', 'show', 'evt_1', '--endpoint', id])).stderr).toMatch(
      'error: --endpoint needs --request',
    )
  })

  it('drain and resend deliver', async () => {
    const { sandbox, ask } = await asking({}, served)
    const statuses = [500, 204]
    sandbox.webhooks.add({ handler: () => new Response(null, { status: statuses.shift() ?? 204 }) })
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    expect(await ask(['events', 'drain'])).toEqual(printed('delivered: 0\nfailed: 0\nwaiting: 1\n'))
    expect(await ask(['events', 'resend', 'evt_1'])).toEqual(
      printed(`${testNow}  evt_1  reward.updated  trigger  delivered (answered 204)\n`),
    )
  })

  it('show and explain have the answer of the receiver', async () => {
    const { sandbox, ask } = await asking({}, served)
    sandbox.webhooks.add({ handler: () => new Response('bad signature\n', { status: 400 }) })
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    const shown = JSON.parse((await ask(['events', 'show', 'evt_1'])).stdout)
    expect(shown.deliveries[0]).toMatchObject({ status: 400, response_body: 'bad signature\n' })
    expect((await ask(['explain', 'evt_1'])).stdout).toContain(
      'Attempt 1 to handler_1 failed: answered 400: "bad signature\\n". Attempt 2',
    )
  })

  it('wait prints the events, or exits with 5', async () => {
    const { sandbox, ask } = await asking({}, served)
    const waiting = ask(['events', 'wait', '--type', 'reward.updated', '--count', '1', '--timeout', '30'])
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    expect(await waiting).toEqual(printed(line))
    expect(await ask(['events', 'wait', '--count', '2', '--timeout', '0.01'])).toEqual({
      code: 5,
      stdout: line,
      stderr: 'error: 1 of 2 events arrived within 10 ms: evt_1 reward.updated\n',
    })
  })

  it.each<[string[], number, string | RegExp]>([
    [['trigger', 'reward.updated'], 2, /^error: --id: is required/],
    [['trigger', 'reward.updatd', '--id', 'x'], 2, /did you mean 'reward.updated'\?/],
    [['trigger', 'reward.updated', '--id', 'x'], 8, "error: rewards: no row has the id 'x'\n"],
    [['trigger', 'reward.updated', '--id', 'x', '--data', '[1'], 3, /^JSON:1:3: expected a comma or \]/],
    [['show', 'evt_9'], 8, "error: no event has the id 'evt_9'\n"],
    [['show', 'evt_1', '--at', 'sandbox'], 2, /^error: --at needs --request/],
    [['list', '--limit', '0'], 2, /--limit: must be from 1 to 1000/],
  ])('events %j -> exit %i', async (words, code, stderr) => {
    const { ask } = await asking({}, served)
    const ran = await ask(['events', ...words])
    expect(ran).toEqual(refused(code, ran.stderr))
    if (typeof stderr === 'string') expect(ran.stderr).toBe(stderr)
    else expect(ran.stderr).toMatch(stderr)
  })

  it('without events that are served, each names the option', async () => {
    const { ask } = await asking()
    const { code, stderr } = await ask(['events', 'list'])
    expect([code, stderr]).toEqual([8, expect.stringContaining('such as --webhooks standard')])
  })
})

describe('webhooks presets', () => {
  it('lists the presets', async () => {
    const { ask } = await asking()
    const { stdout } = await ask(['webhooks', 'presets'])
    expect(stdout.split('\n').map((text) => text.split(' ')[0])).toEqual([
      'standard',
      'thin',
      'timestamped_hmac',
      'body_hmac',
      'documented',
      '',
    ])
  })

  it('prints one, which is a description that starts', async () => {
    const { ask } = await asking()
    const { stdout } = await ask(['webhooks', 'presets', 'body_hmac'])
    const { sandbox } = await asking({}, { webhooks: parse(stdout) as WebhookDescription })
    expect(stdout).toContain('x-signature: sha256={signature:hex}')
    expect(sandbox.webhooks.list()).toEqual([])
  })
})
