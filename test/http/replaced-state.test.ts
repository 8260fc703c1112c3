import { describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { createdKey } from '../helpers/created-key.ts'
import { patient } from '../helpers/patient.ts'
import { fullKey, startSandbox, type Answered, type CallApi, type CallOptions } from '../helpers/sandbox.ts'

/** A call whose body is on its way: it was authenticated, and is handled once `finish` has sent the rest. */
interface SlowCall {
  finish(): Promise<Answered>
}

type Started = Sandbox & { call: CallApi }

/** Begins a call; when it gives back, the call was judged and waits for its body. */
async function begin(
  sandbox: Started,
  method: string,
  path: string,
  body: object,
  options: CallOptions = {},
): Promise<SlowCall> {
  let send = (): void => undefined
  let onPull = (): void => undefined
  const waiting = new Promise<void>((resolve) => (onPull = resolve))
  const stream = new ReadableStream<Uint8Array>(
    {
      // Asked for the first time when the stage that receives bodies has come.
      pull: (controller) =>
        new Promise((resolve) => {
          send = () => {
            controller.enqueue(new TextEncoder().encode(JSON.stringify(body)))
            controller.close()
            resolve()
          }
          onPull()
        }),
    },
    { highWaterMark: 0 },
  )
  const headers = { 'content-type': 'application/json', ...options.headers }
  const answer = sandbox.call(method, path, { ...options, headers, body: stream })
  await waiting
  return {
    finish: () => {
      send()
      return answer
    },
  }
}

const intents = '/v2/transaction_intents'
const intent = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
const settle = { status: 'AVAILABLE' }
const pending = '/v2/rewards/rwd_ada_pending'
const unusable = { error: { type: 'UNAUTHORIZED_ERROR', message: 'The API key is not usable here.' } }

/** The ways in which another state comes in place, each back to what there was at the start. */
const swaps: [string, (sandbox: Started) => void | Promise<void>][] = [
  ['reset', (sandbox) => sandbox.reset()],
  ['restore', (sandbox) => sandbox.restore('start')],
  ['upload', (sandbox) => sandbox.state.replace(sandbox.snapshots.get('start') ?? {})],
]

async function withStart(): Promise<Started> {
  const sandbox = await startSandbox()
  sandbox.snapshot('start')
  return sandbox
}

describe.each(swaps)('a call whose body is still coming during a %s is judged again', (_how, swap) => {
  it('it is handled in the new state, and counted once', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'POST', intents, intent)
    await sandbox.call('POST', intents, { json: intent })
    await swap(sandbox)
    const { status, json, requestId } = await slow.finish()
    expect([status, requestId]).toEqual([200, 'req_default_1'])
    expect(sandbox.state.get('transaction_intents', json.id)).toMatchObject({ id: json.id, amount: 100 })
    // The first id of the sequence: nothing of the old state is left in it.
    const fresh = await startSandbox()
    expect((await fresh.call('POST', intents, { json: intent })).json.id).toBe(json.id)
  })

  it('with a key that is gone with the old state -> 401 without a version', async () => {
    const sandbox = await withStart()
    const { key } = (await sandbox.call('POST', '/v2/keys')).json
    const slow = await begin(sandbox, 'POST', intents, intent, { key })
    await swap(sandbox)
    const before = sandbox.state.document()
    const { status, json, version, requestId } = await slow.finish()
    expect([status, json, version, requestId]).toEqual([401, unusable, null, 'req_default_2'])
    expect(sandbox.state.document()).toEqual(before)
  })

  it('with a key that is gone -> it counts as refused, and not as one that the key was accepted for', async () => {
    const sandbox = await withStart()
    const { key } = (await sandbox.call('POST', '/v2/keys')).json
    sandbox.coverage.clear()
    const slow = await begin(sandbox, 'POST', intents, intent, { key })
    await swap(sandbox)
    await slow.finish()
    const { points } = await sandbox.coverage.get()
    const counted = points.filter(({ covered }) => covered).map(({ id }) => id)
    expect(counted).toEqual(['createTransactionIntent/auth/unusable'])
  })

  it('with a scope that only the old state gave -> 403', async () => {
    const sandbox = await withStart()
    const key = 'sk_sandbox_none'
    sandbox.state.patch('api_keys', 'key_none', { scopes: ['TRANSACTION_INTENT_WRITE'] })
    const begun = await begin(sandbox, 'POST', intents, intent, { key })
    await swap(sandbox)
    expect((await begun.finish()).status).toBe(403)
  })

  it('the saved version and the product are those of the new state', async () => {
    const sandbox = await withStart()
    sandbox.state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    sandbox.state.patch('api_keys', 'key_full', { products: ['mk_summit', 'mk_harbor'] })
    const headers = { 'x-service-merchant-key': 'mk_harbor' }
    const slow = await begin(sandbox, 'POST', '/v2/payment_methods', { customer_id: 'cus_ada' }, { headers })
    await swap(sandbox)
    const { status, version, json } = await slow.finish()
    expect([status, version]).toEqual([400, '2026-10-13'])
    expect(json.error.message).toBe('The header x-service-merchant-key names no product of this API key.')
  })

  it('what the handler refuses, it refuses by the rows of the new state', async () => {
    const sandbox = await withStart()
    await sandbox.call('PATCH', pending, { json: settle })
    const slow = await begin(sandbox, 'PATCH', pending, settle)
    await swap(sandbox)
    expect((await slow.finish()).json).toMatchObject({ id: 'rwd_ada_pending', status: 'AVAILABLE' })
  })

  it('a body that is refused is refused as ever', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'POST', intents, { ...intent, amount: 'x' })
    await swap(sandbox)
    const { status, json, version } = await slow.finish()
    expect([status, json.details, version]).toEqual([400, ['amount: must be an integer'], '2026-10-13'])
  })
})

describe('a call whose body is still coming', () => {
  it('when its key is deleted -> 401, and nothing is written', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'POST', intents, intent)
    sandbox.state.delete('api_keys', 'key_full')
    const before = sandbox.state.document()
    const { status, json, version, requestId } = await slow.finish()
    expect([status, json, version, requestId]).toEqual([401, unusable, null, 'req_default_1'])
    expect(sandbox.state.document()).toEqual(before)
  })

  it('when its key loses the scope -> 403; when other rows change -> as if they had been so', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'POST', intents, intent)
    sandbox.state.patch('api_keys', 'key_full', { scopes: [] })
    expect((await slow.finish()).status).toBe(403)
    const unsettled = await begin(sandbox, 'PATCH', pending, settle)
    sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'DEDUCTED' })
    expect((await unsettled.finish()).status).toBe(400)
  })

  it('when its workspace is deleted -> it is finished there, and makes no new one', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'POST', intents, intent, { key: `${fullKey}.w1` })
    sandbox.workspaces.delete('w1')
    const { status, requestId } = await slow.finish()
    expect([status, requestId]).toEqual([200, 'req_w1_1'])
    expect(sandbox.workspaces.get('w1')).toBeUndefined()
    expect(sandbox.state.document()).toEqual(sandbox.snapshots.get('start'))
  })

  it.each(['deleted', 'deleted and made anew'])(
    'when the workspace of its partner is %s -> 401, and nothing is written',
    async (how) => {
      const sandbox = await startSandbox({ isolation: 'partner', adminToken: 'the-token-of-the-operator' })
      const made = await sandbox.workspaces.create({ name: 'acme' })
      const slow = await begin(sandbox, 'POST', intents, intent, { key: made.apiKey })
      sandbox.workspaces.delete('acme')
      const again = how === 'deleted' ? undefined : await sandbox.workspaces.create({ name: 'acme' })
      const before = again?.state.document()
      const { status, json } = await slow.finish()
      expect([status, json]).toEqual([401, unusable])
      expect(again?.state.document()).toEqual(before)
    },
  )

  it('in a workspace that is reset -> it is handled there, by its new state', async () => {
    const sandbox = await withStart()
    const w1 = sandbox.workspace('w1')
    const { key } = (await sandbox.call('POST', '/v2/keys', { key: `${fullKey}.w1` })).json
    const id = createdKey(w1.state.list('api_keys'), key).id.replace('.w1', '')
    expect(w1.state.get('api_keys', id)).toBeDefined()
    const slow = await begin(sandbox, 'POST', intents, intent, { key: `${fullKey}.w1` })
    w1.reset()
    expect((await slow.finish()).status).toBe(200)
    expect(w1.state.size('transaction_intents')).toBe(sandbox.state.size('transaction_intents') + 1)
    expect(w1.state.get('api_keys', id)).toBeUndefined()
  })

  it('swaps in a row -> judged by the last of them', async () => {
    const sandbox = await withStart()
    const slow = await begin(sandbox, 'PATCH', pending, settle)
    sandbox.reset()
    sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'DEDUCTED' })
    const snapshot = sandbox.snapshot()
    sandbox.reset()
    sandbox.restore(snapshot)
    expect((await slow.finish()).json).toMatchObject({ error: { type: 'BAD_REQUEST_ERROR' } })
  })
})

describe('case 121: 50 calls in flight during a reset', () => {
  it('case 121: each sees all of the old state or all of the new', async () => {
    const sandbox = await withStart()
    // In the old state the reward is settled, the version is another, and half of the keys are new.
    sandbox.state.patch('rewards', 'rwd_ada_pending', { status: 'AVAILABLE', amount: 1 })
    sandbox.state.patch('account', 'account', { saved_version: { sandbox: '2025-05-05' } })
    const { key } = (await sandbox.call('POST', '/v2/keys')).json
    const slow = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        begin(sandbox, 'PATCH', pending, { amount: at }, at % 2 === 0 ? {} : { key }),
      ),
    )
    const early = await Promise.all(slow.slice(0, 10).map((call) => call.finish()))
    sandbox.reset()
    const late = await Promise.all(slow.slice(10).map((call) => call.finish()))
    expect(new Set(early.map(({ status, version }) => `${status} ${version}`))).toEqual(
      new Set(['400 2025-05-05']),
    )
    expect(late.map(({ status, version }) => `${status} ${version}`)).toEqual(
      Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? '200 2026-10-13' : '401 null')),
    )
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ status: 'PENDING', amount: 48 })
  })
})

describe('scenarios of a call that is judged again', () => {
  const failing = (more: object): object => ({
    name: 'mine',
    description: 'The first call fails.',
    rules: [
      { on: 'createTransactionIntent', calls: '1', effect: { error: 'SERVICE_UNAVAILABLE_ERROR' }, ...more },
    ],
  })

  it('a restored state -> the call is not counted a second time', async () => {
    const sandbox = await withStart()
    await sandbox.scenarios.register(failing({ calls: '2' }))
    await sandbox.scenarios.activate('mine')
    const slow = await begin(sandbox, 'POST', intents, intent)
    sandbox.restore('start')
    expect((await slow.finish()).status).toBe(200)
    expect((await sandbox.scenarios.get('mine'))?.rules).toEqual([{ id: 'mine#1', calls: 1, hits: 0 }])
    expect((await sandbox.call('POST', intents, { json: intent })).status).toBe(503)
  })

  it('a scope that a scenario took away stays away', async () => {
    const sandbox = await withStart()
    await sandbox.scenarios.register(failing({ on: 'listPaymentMethods', effect: 'missing_scope' }))
    await sandbox.scenarios.activate('mine')
    const slow = await begin(sandbox, 'POST', '/v2/payment_methods', { customer_id: 'cus_ada' })
    sandbox.restore('start')
    expect((await slow.finish()).text).not.toContain('pci_details')
  })

  it('a reset -> what was armed before it is gone, and what is active from the start counts the call anew', async () => {
    const sandbox = await startSandbox({ scenarios: failing({ calls: '2' }) })
    await sandbox.scenarios.register({ ...failing({}), name: 'other' })
    await sandbox.scenarios.activate('other')
    const body = { ...intent, merchant_name: 'X' }
    const watching = failing({ when: { body: { merchant_name: 'X' } } })
    await sandbox.scenarios.register({ ...watching, name: 'watching' })
    await sandbox.scenarios.activate('watching')
    // The rule looks at the body, so the call waits for it before anything is decided.
    const slow = await begin(sandbox, 'POST', intents, body)
    sandbox.reset()
    expect((await slow.finish()).status).toBe(200)
    expect((await sandbox.scenarios.get('mine'))?.rules).toEqual([{ id: 'mine#1', calls: 1, hits: 0 }])
    expect((await sandbox.call('POST', intents, { json: intent })).status).toBe(503)
  })

  it.each<[string, object]>([
    ['a change of rows', { change: { rewards: { rwd_ada_pending: { amount: 7 } } } }],
    ['an answer in its place', { respond: { status: 418 } }],
    ['a lost connection', { transport: 'reset' }],
  ])(
    '%s that was to come after a delay -> not in the state that a reset puts in place',
    async (_what, effect) => {
      const sandbox = await withStart()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        await sandbox.scenarios.register(
          failing({ on: 'retrieveReward', effect: [{ latency: 1000 }, effect] }),
        )
        await sandbox.scenarios.activate('mine')
        const before = sandbox.state.document()
        const slow = sandbox.call('GET', pending)
        await vi.waitFor(
          async () => expect((await sandbox.scenarios.get('mine'))?.rules).toMatchObject([{ hits: 1 }]),
          patient,
        )
        sandbox.reset()
        vi.advanceTimersByTime(1000)
        const { status, json } = await slow
        expect([status, json.amount]).toEqual([200, 252])
        expect(sandbox.state.document()).toEqual(before)
      } finally {
        vi.useRealTimers()
      }
    },
  )

  it('a delay is waited for once', async () => {
    const sandbox = await startSandbox({
      scenarios: failing({ on: 'retrieveReward', calls: '1..', effect: { latency: 1000 } }),
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const slow = sandbox.call('GET', pending)
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patient)
      sandbox.reset()
      vi.advanceTimersByTime(1000)
      expect((await slow).status).toBe(200)
      expect(vi.getTimerCount()).toBe(0)
      expect((await sandbox.scenarios.get('mine'))?.rules).toMatchObject([{ calls: 1, hits: 1 }])
    } finally {
      vi.useRealTimers()
    }
  })
})
