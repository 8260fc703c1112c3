// The wait for a listener takes 30 seconds of the machine's clock: too slow for the short run.
import { expect, it } from 'vitest'
import { standard } from '../../src/events/presets/standard.ts'
import { monotonicNow } from '../../src/runtime/host.ts'
import { startSandbox } from '../helpers/sandbox.ts'

it('no listener for 30 seconds -> the attempt fails with that reason', async () => {
  const sandbox = await startSandbox({ webhooks: { ...standard, retries: 'none' } })
  sandbox.webhooks.add({ url: 'http://127.0.0.1:9/', listener: true })
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  const began = monotonicNow()
  expect(await sandbox.events.drain()).toEqual({ delivered: 0, failed: 1, waiting: 0 })
  expect(monotonicNow() - began).toBeGreaterThan(29_000)
  expect(sandbox.events.get('evt_1')?.deliveries).toEqual([
    expect.objectContaining({
      state: 'failed',
      status: null,
      reason: 'no listener was connected within 30 s: run events listen',
    }),
  ])
}, 60_000)
