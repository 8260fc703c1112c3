// A handler that never comes to an end: too slow for the short run.
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { standard } from '../../src/events/presets/standard.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it('a handler that causes an event for each one -> an error after 10,000, and no further call', async () => {
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
})
