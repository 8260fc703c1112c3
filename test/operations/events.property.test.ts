import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { testNow, uncheckedCaller } from '../helpers/sandbox.ts'

const refund = {
  customer_id: 'cus_ada',
  payment_method_id: 'pm_ada_card',
  amount: -500,
  currency: 'USD',
  merchant_name: 'Corner Bistro',
}
const intent = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }

/** One step of a script. */
const step = fc.oneof(
  fc.constantFrom('intent', 'settle', 'transaction', 'refund', 'statement', 'trigger', 'resend', 'drain'),
  fc.constantFrom('rotate', 'disable', 'enable', 'reset', 'restore'),
  fc.record({ advance: fc.constantFrom(1, 5, 60, 300, 7200, 200_000) }),
)

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Everything that a script shows, except signatures: these have the time of the machine. */
async function run(steps: readonly Step[], statuses: readonly number[]): Promise<unknown> {
  await using sandbox = await createSandbox({ webhooks: 'standard', clock: testNow, frozen: true })
  const { events, webhooks, simulate, clock } = sandbox
  const call = uncheckedCaller(sandbox)
  const seen: unknown[] = []
  const { id } = webhooks.add({
    async handler(request) {
      const body = await request.text()
      // Some deliveries cause an event in turn.
      if (seen.length % 5 === 4) await call('POST', '/v2/transaction_intents', { json: intent })
      seen.push([clock.now(), request.headers.get('webhook-id'), body])
      return new Response(null, { status: statuses[seen.length % statuses.length] ?? 200 })
    },
  })
  const first = sandbox.snapshot()
  const acts: Record<Extract<Step, string>, () => unknown> = {
    intent: () => call('POST', '/v2/transaction_intents', { json: intent }),
    settle: () => call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } }),
    transaction: () => simulate.transaction({ intent_id: 'int_ada_1' }),
    refund: () => simulate.transaction(refund),
    statement: () => simulate.statement({ account_id: 'acct_ada' }),
    trigger: () => events.trigger('reward.updated', { id: 'rwd_ada_pending' }),
    resend: () => events.resend(events.list().at(-1)?.id ?? 'evt_1'),
    drain: () => events.drain(),
    rotate: () => void webhooks.rotate(id),
    disable: () => webhooks.update(id, { enabled: false }),
    enable: () => webhooks.update(id, { enabled: true }),
    reset: () => sandbox.reset(),
    restore: () => sandbox.restore(first),
  }
  const results: unknown[] = []
  for (const one of steps) {
    try {
      const result =
        typeof one === 'string' ? await acts[one]() : await clock.advance({ seconds: one.advance })
      results.push(typeof one === 'string' && one !== 'rotate' ? textOf(result) : undefined)
    } catch (error) {
      results.push(String(error))
    }
    // A call is followed by its attempts, at a moment that depends on the machine.
    await events.drain()
  }
  return { seen, results, events: events.list(), endpoints: webhooks.list(), state: sandbox.state.document() }
}

/** A result without what depends on the machine. */
function textOf(result: unknown): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  return 'text' in result ? String(result.text) : JSON.stringify(result)
}

it('any script, run twice -> equal events, bodies, order and attempts', async () => {
  let delivered = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 12 }),
      fc.array(fc.constantFrom(200, 204, 500, 503, 410), { minLength: 1, maxLength: 4 }),
      async (steps, statuses) => {
        const first = await run(steps, statuses)
        expect(await run(steps, statuses)).toEqual(first)
        delivered += (first as { seen: unknown[] }).seen.length
      },
    ),
    { numRuns: 18 },
  )
  expect(delivered).toBeGreaterThan(25)
})
