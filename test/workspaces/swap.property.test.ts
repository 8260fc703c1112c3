import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { askControl } from '../helpers/control.ts'
import { fullKey, startSandbox, testNow } from '../helpers/sandbox.ts'
import { samples } from '../setup/samples.ts'

const rewards = ['rwd_ada_pending', 'rwd_ada_offer', 'rwd_new_1', 'rwd_new_2']
const customers = ['cus_ada', 'cus_ben', 'cus_new_1', 'cus_new_2']
const orders = ['ord_ada_1', 'ord_ada_2', 'ord_new_1']

/** One write, over the API or through the control plane; many of them are refused, and then write nothing. */
const writes = fc.oneof(
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('/v2/transaction_intents'),
    body: fc.record({
      customer_id: fc.constantFrom(...customers),
      amount: fc.integer({ min: -1, max: 9999 }),
      currency: fc.constant('USD'),
    }),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    path: fc.constantFrom(...rewards).map((id) => `/v2/rewards/${id}`),
    body: fc.record(
      { amount: fc.nat(500), status: fc.constantFrom('PENDING', 'AVAILABLE', 'DEDUCTED') },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom(...customers).map((id) => `/v2/customers/${id}/link`),
    body: fc.record({ partner_customer_id: fc.constantFrom('a', 'b', 'c', 'd') }),
  }),
  fc.record({ method: fc.constant('POST'), path: fc.constant('/v2/keys'), body: fc.constant({}) }),
  fc.record({
    method: fc.constant('DELETE'),
    path: fc.constantFrom(...orders).map((id) => `/v2/order_events/${id}`),
    body: fc.constant(undefined),
  }),
  fc.record({
    method: fc.constantFrom('PUT', 'PATCH', 'DELETE'),
    path: fc.constantFrom(
      ...rewards.map((id) => `/_sandbox/state/rewards/${id}`),
      ...customers.map((id) => `/_sandbox/state/customers/${id}`),
      ...orders.map((id) => `/_sandbox/state/order_events/${id}`),
    ),
    body: fc.record(
      { customer_id: fc.constantFrom(...customers), metadata: fc.dictionary(fc.string(), fc.jsonValue()) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    method: fc.constant('PATCH'),
    path: fc.constant('/_sandbox/state/account'),
    body: fc.record({
      saved_version: fc.record({ sandbox: fc.constantFrom('2025-05-05', '2026-10-13') }),
    }),
  }),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('/_sandbox/clock/advance'),
    body: fc.record({ seconds: fc.nat(100_000) }),
  }),
)

type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never

/** Does one write; tells whether it was one. */
async function perform(sandbox: Sandbox, { method, path, body }: Write): Promise<boolean> {
  const init = {
    method,
    headers: { authorization: `Bearer ${fullKey}`, 'content-type': 'application/json' },
    ...(method === 'DELETE' ? {} : { body: JSON.stringify(body) }),
  }
  const { status } = await sandbox.fetch(path, init)
  expect(status).toBeLessThan(500)
  return status < 300
}

const textOf = async (sandbox: Sandbox): Promise<string> => (await askControl(sandbox, 'GET', '/state')).text

/** The ids that come next, as the API gives them out; rolled back again. */
async function nextIds(sandbox: Sandbox): Promise<string[]> {
  const before = sandbox.snapshot()
  const made: string[] = []
  for (let at = 0; at < 3; at++) {
    const { id, key, secret } = (await (
      await sandbox.fetch('/v2/keys', { method: 'POST', headers: { authorization: `Bearer ${fullKey}` } })
    ).json()) as Record<string, string>
    made.push(`${id} ${key} ${secret}`)
  }
  sandbox.restore(before)
  return made
}

it('1,000 random writes, then restore and reset -> byte-equal documents, and the next ids repeat', async () => {
  const sandbox = await startSandbox()
  const start = { text: await textOf(sandbox), ids: await nextIds(sandbox) }
  let written = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(writes, { minLength: 60, maxLength: 60 }),
      fc.array(writes, { minLength: 60, maxLength: 60 }),
      async (first, second) => {
        for (const write of first) if (await perform(sandbox, write)) written++
        const middle = { text: await textOf(sandbox), ids: await nextIds(sandbox) }
        await askControl(sandbox, 'PUT', '/snapshots/middle')
        for (const write of second) if (await perform(sandbox, write)) written++

        await askControl(sandbox, 'POST', '/snapshots/middle/restore')
        expect(await textOf(sandbox)).toBe(middle.text)
        expect(await nextIds(sandbox)).toEqual(middle.ids)
        expect(sandbox.snapshots.diff('middle')).toEqual({})
        // The download is the same state as well, in this sandbox and in another.
        expect((await askControl(sandbox, 'GET', '/snapshots/middle')).text).toBe(middle.text)
        await sandbox.state.replace(JSON.parse(middle.text))
        expect(await textOf(sandbox)).toBe(middle.text)
        expect(await nextIds(sandbox)).toEqual(middle.ids)

        await askControl(sandbox, 'POST', '/reset')
        expect(await textOf(sandbox)).toBe(start.text)
        expect(await nextIds(sandbox)).toEqual(start.ids)
      },
    ),
    { numRuns: samples(20) },
  )
  expect(written).toBeGreaterThan(samples(1000))
  expect(sandbox.clock.now()).toBe(testNow)
}, 60_000)
