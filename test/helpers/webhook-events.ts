// Sandboxes that serve webhook events, and what tests of deliveries look at.
import { setImmediate } from 'node:timers/promises'
import type { WebhookDescription } from '../../src/events/description-type.ts'
import { standard } from '../../src/events/presets/standard.ts'
import type { Sandbox, SandboxWorkspace } from '../../src/index.ts'
import { startSandbox, testNow, type CallApi, type WideOptions } from './sandbox.ts'

/** A sandbox that serves events, and a way to call it. */
export type Serving = Sandbox & { call: CallApi }

export const start = (options: WideOptions = {}): Promise<Serving> =>
  startSandbox({ webhooks: 'standard', ...options })

/** A sandbox whose description differs from `standard`. */
export const startWith = (
  changes: Partial<WebhookDescription>,
  options: WideOptions = {},
): Promise<Serving> => start({ webhooks: { ...standard, ...changes }, ...options })

/** The instant some seconds after the start of the clock. */
export const after = (seconds: number): string => new Date(Date.parse(testNow) + seconds * 1000).toISOString()

/** Triggers an event. @returns its id. */
export const trigger = ({ events }: Pick<SandboxWorkspace, 'events'>): string =>
  events.trigger('reward.updated', { id: 'rwd_ada_pending' }).id

/** A call that causes an event. */
export const settle = (call: CallApi): ReturnType<CallApi> =>
  call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } })

/** The attempts of an event, as short as tests compare them. */
export const attempts = ({ events }: Pick<SandboxWorkspace, 'events'>, id = 'evt_1'): unknown[] =>
  (events.get(id)?.deliveries ?? []).map(({ endpoint_id, state, reason }) => [endpoint_id, state, reason])

/** Waits until an event is in this state for each of its attempts. */
export async function until(
  { events }: Pick<SandboxWorkspace, 'events'>,
  id: string,
  ...states: string[]
): Promise<void> {
  const current = () => events.get(id)?.deliveries.map(({ state }) => state)
  while (JSON.stringify(current()) !== JSON.stringify(states)) await setImmediate()
}
