// Events of sandboxes that are persisted and restarted.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { presets } from '../../src/events/presets/index.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.ts'
import { folderWith } from '../helpers/fake-io.ts'
import { testNow } from '../helpers/sandbox.ts'

const accept = (): Response => new Response(null, { status: 204 })

async function open(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ webhooks: 'standard', clock: testNow, frozen: true, ...options })
  onTestFinished(() => sandbox.close())
  return sandbox
}

const states = (sandbox: Sandbox, id: string): (string | undefined)[] =>
  sandbox.events.get(id)?.deliveries.map(({ state }) => state) ?? []

describe('persisted events', () => {
  it.each(['data.json', 'data/'])(
    'with %s, waiting attempts resume once their handler is added',
    async (name) => {
      const data = join(await folderWith({}), name)
      const first = await open({ data })
      first.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
      first.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
      await first.events.drain()
      expect(states(first, 'evt_1')).toEqual(['failed', 'waiting'])
      await first.close()

      const second = await open({ data })
      await second.clock.advance({ seconds: 5 })
      expect(states(second, 'evt_1')).toEqual(['failed', 'waiting'])
      second.webhooks.add({ handler: accept })
      await second.events.drain()
      expect(states(second, 'evt_1')).toEqual(['failed', 'delivered'])
      expect(second.events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id).toBe('evt_2')
    },
  )

  it.each(['data.json', 'data/'])('with %s, the generation of event ids survives a restart', async (name) => {
    const data = join(await folderWith({}), name)
    const first = await open({ data })
    const trigger = ({ events }: Pick<Sandbox, 'events'>): string =>
      events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id
    const ids = [trigger(first)]
    first.reset()
    await first.close()
    const second = await open({ data })
    ids.push(trigger(second))
    second.reset()
    ids.push(trigger(second))
    expect(ids).toEqual(['evt_1', 'evt_default_2_1', 'evt_default_3_1'])
  })

  it('a handler sees only events that are on the disk', async () => {
    const folder = await folderWith({})
    const sandbox = await open({ data: join(folder, 'data.json') })
    const onDisk = (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('')
    const seen: boolean[] = []
    sandbox.webhooks.add({
      handler(request) {
        seen.push(onDisk().includes(`"${request.headers.get('webhook-id')}"`))
        return accept()
      },
    })
    sandbox.simulate.transaction({ intent_id: 'int_ada_1' })
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    expect(seen).toEqual([true, true, true])
  })

  it('an event that the description does not name any more fails, and holds up no other', async () => {
    const data = join(await folderWith({}), 'data.json')
    const first = await open({ data })
    first.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
    first.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    first.events.trigger('customer.linked', { id: 'cus_ada' })
    await first.events.drain()
    await first.close()

    const names = { 'customer.linked': 'CUSTOMER' }
    const second = await open({ data, webhooks: { ...presets.standard, names, retries: 'none' } })
    second.webhooks.add({ handler: accept })
    await second.clock.advance({ seconds: 5 })
    expect(second.clock.now()).toBe('2026-11-21T12:00:05.000Z')
    expect([states(second, 'evt_1'), states(second, 'evt_2')]).toEqual([
      ['failed', 'failed'],
      ['failed', 'delivered'],
    ])
    const refusal = 'the description of webhooks has no name for reward.updated: add it to names'
    expect(() => second.events.request('evt_1')).toThrow(refusal)
    await expect(second.events.resend('evt_1')).rejects.toThrow(refusal)
  })
})
