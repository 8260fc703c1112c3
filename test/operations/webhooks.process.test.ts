// Handlers that never come to an end, and receivers at URLs: not for the short run.
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { standard } from '../../src/events/presets/standard.ts'
import { httpReceiver } from '../helpers/receiver.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it(
  'a handler that causes an event for each one -> an error after 10,000, and no further call',
  { timeout: 60_000 },
  async () => {
    // As little work as possible for each delivery, as there are many.
    const plain = { body: {}, headers: {}, signing: { algorithm: 'none' } } as const
    const sandbox = await startSandbox({ webhooks: { ...standard, ...plain }, eventsSize: 1 })
    let calls = 0
    const cause = (): unknown => sandbox.events.trigger('order_event.deleted', { id: 'ord_ada_1' })
    sandbox.webhooks.add({
      handler() {
        calls += 1
        cause()
        return new Response()
      },
    })
    cause()
    await expect(sandbox.events.drain()).rejects.toThrow(
      'there were 10000 deliveries and more are due: a receiver seems to cause an event for each one that it receives',
    )
    expect(calls).toBe(10_000)
    for (let turn = 0; turn < 5; turn++) await setImmediate()
    expect(calls).toBe(10_000)
  },
)

it('a drain that waits for a receiver that hangs -> events of other endpoints still reach these', async () => {
  const sandbox = await startSandbox({ webhooks: { ...standard, timeout: '60s' } })
  let answer = (): void => undefined
  const hanging = await httpReceiver((_request, response) => {
    answer = () => response.writeHead(204).end()
  })
  const other = await httpReceiver((_request, response) => response.writeHead(204).end())
  sandbox.webhooks.add({ url: hanging.url, events: ['reward.updated'] })
  sandbox.webhooks.add({ url: other.url, events: ['customer.linked'] })
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  await hanging.reached
  const drained = sandbox.events.drain()
  sandbox.events.trigger('customer.linked', { id: 'cus_ada' })
  await other.reached
  answer()
  expect(await drained).toEqual({ delivered: 2, failed: 0, waiting: 0 })
  expect(sandbox.events.list().map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([
    ['delivered'],
    ['delivered'],
  ])
})
