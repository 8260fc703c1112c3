// Events of sandboxes: sequences, waits, secrets and the end.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { describe, expect, it } from 'vitest'
import { eventTypeNames } from '../../src/contract/event-types.ts'
import { eventWorld, triggerIn } from '../helpers/event-world.ts'
import { partnerOptions } from '../helpers/partners.ts'
import { createSandbox, type Sandbox } from '../../src/index.ts'
import { startSandbox, testNow } from '../helpers/sandbox.ts'

const clock = { clock: testNow, frozen: true }
const accept = (): Response => new Response(null, { status: 204 })
const broken = (): Promise<never> => Promise.reject(new Error('broken'))

it('a document cannot move the sequence of events to where it ends', async () => {
  const sandbox = await startSandbox({ webhooks: 'standard' })
  const sequences = { webhook_endpoints: 0, events: Number.MAX_SAFE_INTEGER }
  await expect(
    sandbox.state.replace({ ...sandbox.state.document(), sandbox: { sequences } }),
  ).rejects.toThrow('sandbox.sequences.events: must be at most')
})

it('moves of the clock at the same time add up, also while events fall due', async () => {
  const sandbox = await startSandbox({ webhooks: 'standard' })
  sandbox.webhooks.add({ handler: () => new Response(null, { status: 500 }) })
  sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  await Promise.all([sandbox.clock.advance({ hours: 1 }), sandbox.clock.advance({ hours: 1 })])
  expect(sandbox.clock.now()).toBe('2026-11-21T14:00:00.000Z')
})

it('a wait ends when the sandbox closes', async () => {
  const sandbox = await createSandbox({ webhooks: 'standard' })
  const waiting = sandbox.events.waitFor({}, { timeout: 60_000 })
  await Promise.all([
    expect(waiting).rejects.toThrow('the sandbox was closed, or the workspace deleted'),
    sandbox.close(),
  ])
})

it('a closed sandbox is collected after its handler has answered, and after it threw', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const closedSandbox = async (handler: () => Response | Promise<never>): Promise<WeakRef<Sandbox>> => {
    const sandbox = await createSandbox({ webhooks: 'standard', ...clock })
    sandbox.webhooks.add({ handler })
    sandbox.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
    await sandbox.events.drain()
    await sandbox.close()
    return new WeakRef(sandbox)
  }
  const refs: WeakRef<Sandbox>[] = []
  for (const handler of [accept, accept, accept, broken, broken, broken])
    refs.push(await closedSandbox(handler))
  for (let turn = 0; turn < 3; turn++) {
    // A new reference keeps its target until the next turn of the event loop.
    await setImmediate()
    collect()
  }
  expect(refs.filter((ref) => ref.deref() !== undefined)).toHaveLength(0)
})

it('own secrets are hidden before they are first used', async () => {
  const other = await createSandbox({ webhooks: 'standard' })
  const { secret } = other.webhooks
  await other.close()
  const sandbox = await startSandbox({ webhooks: 'standard' })
  await sandbox.call('GET', `/v2/customers?limit=${encodeURIComponent(secret)}`)
  expect(JSON.stringify(sandbox.requests.list())).not.toContain(secret)
  expect(sandbox.webhooks.secret).toBe(secret)
})

it.each([
  ['standart', "no preset and no file is called 'standart', did you mean 'standard'?"],
  ['hooks.yaml', 'hooks.yaml'],
])('webhooks %s is refused', async (webhooks, message) => {
  await expect(createSandbox({ webhooks })).rejects.toThrow(message)
})

describe('every delivery of a sandbox', () => {
  const announced = { customer_id: 'cus_ada', amount: 1250, currency: 'USD' }
  const verifiers = {
    standard: (secret: string, request: Request, body: string): unknown =>
      new Webhook(secret).verify(body, Object.fromEntries(request.headers)),
    timestamped_hmac: (secret: string, request: Request, body: string): unknown =>
      new Stripe('sk_test').webhooks.constructEvent(
        body,
        request.headers.get('webhook-signature') ?? '',
        secret,
      ),
  }

  it.each(['standard', 'timestamped_hmac'] as const)('of %s is verified by its library', async (webhooks) => {
    const sandbox = await eventWorld({ webhooks })
    const verified: unknown[] = []
    const { secret } = sandbox.webhooks.add({
      async handler(request) {
        verifiers[webhooks](secret, request, await request.text())
        verified.push(request)
        return accept()
      },
    })
    const { json } = await sandbox.call('POST', '/v2/transaction_intents', { json: announced })
    sandbox.simulate.transaction({ intent_id: json.id })
    for (const type of eventTypeNames) triggerIn(sandbox, type)
    const made = eventTypeNames.length + 3
    expect(await sandbox.events.drain()).toEqual({ delivered: made, failed: 0, waiting: 0 })
    expect(verified).toHaveLength(made)
  })
})

it('a wait with the token of a partner ends without events once that is rotated', async () => {
  const sandbox = await startSandbox(partnerOptions)
  const { credentials } = await sandbox.workspaces.create({ name: 'acme' })
  const waiting = sandbox.fetch('/_sandbox/events/wait', {
    method: 'POST',
    headers: { authorization: `Bearer ${credentials?.admin_token}` },
  })
  await setImmediate()
  const acme = await sandbox.open('acme')
  sandbox.workspaces.rotate('acme')
  acme.events.trigger('reward.updated', { id: 'rwd_ada_pending' })
  expect((await waiting).status).toBe(401)
})
