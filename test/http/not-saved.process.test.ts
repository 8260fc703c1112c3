import { describe, expect, it } from 'vitest'
import { watchDisk, type Disk } from '../helpers/disk.ts'
import { startOn, type Kept } from '../helpers/data.ts'
import { testNow } from '../helpers/sandbox.ts'

const intent = { json: { customer_id: 'cus_ada', amount: 1, currency: 'USD' } }

/** A sandbox whose journal cannot be written. */
/** @param arrange done while the disk has room. */
async function startOnFullDisk(
  arrange: (sandbox: Kept['sandbox']) => Promise<unknown> = async () => undefined,
): Promise<Kept & { disk: Disk }> {
  const disk = await watchDisk()
  const kept = await startOn(disk)
  await arrange(kept.sandbox)
  await kept.sandbox.saved()
  disk.judge = (step) => (step.startsWith('write') || step.startsWith('open') ? 'ENOSPC' : undefined)
  return { ...kept, disk }
}

const headersOf = (headers: Headers): Record<string, string> => {
  const { date: _date, 'x-sandbox-assumptions': _restsOn, ...rest } = Object.fromEntries(headers)
  return rest
}

describe('a write that cannot be saved', () => {
  it('every call of the batch -> 500 B with the version, and nothing of it is there', async () => {
    const { sandbox } = await startOnFullDisk()
    const answers = await Promise.all([
      sandbox.call('POST', '/v2/transaction_intents', intent),
      sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', { json: { status: 'AVAILABLE' } }),
      sandbox.call('DELETE', '/v2/order_events/ord_ada_1'),
      sandbox.call('POST', '/v2/keys'),
    ])
    const message =
      'The change could not be saved to data.json (no space is left on the disk), so it was rolled back.'
    for (const [at, { status, json, headers }] of answers.entries()) {
      expect([status, json]).toEqual([500, { error: { type: 'INTERNAL_ERROR', message } }])
      expect(headersOf(headers)).toEqual({
        'content-type': 'application/json',
        'content-length': String(JSON.stringify(json).length),
        'x-sandbox-request-id': `req_default_${at + 1}`,
        'x-service-version': '2026-10-13',
      })
    }
    expect(sandbox.state.size('transaction_intents')).toBe(3)
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ status: 'PENDING' })
    expect(sandbox.state.get('order_events', 'ord_ada_1')).toBeDefined()
    expect(sandbox.state.size('api_keys')).toBe(10)
  })

  it('until it can be saved: writes 503 B, naming file and reason; reads 200; health 200 degraded', async () => {
    const { sandbox, disk, says } = await startOnFullDisk()
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    const message =
      'data.json cannot be written (no space is left on the disk): changes are refused until it can; reads continue.'
    const refused = await sandbox.call('PATCH', '/v2/rewards/rwd_ada_pending', {
      json: { status: 'AVAILABLE' },
    })
    expect([refused.status, refused.json, refused.version]).toEqual([
      503,
      { error: { type: 'SERVICE_UNAVAILABLE_ERROR', message } },
      '2026-10-13',
    ])
    // Invalid and missing input is still reported.
    expect((await sandbox.call('DELETE', '/v2/order_events/ord_nobody')).status).toBe(400)
    expect((await sandbox.call('POST', '/v2/transaction_intents', { json: {} })).status).toBe(400)
    const read = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending')
    expect([read.status, read.json.status]).toEqual([200, 'PENDING'])
    expect(
      (await sandbox.call('POST', '/v2/payment_methods', { json: { customer_id: 'cus_ada' } })).status,
    ).toBe(200)
    const health = await sandbox.fetch('/_sandbox/health')
    expect([health.status, ((await health.json()) as { status: string }).status]).toEqual([200, 'degraded'])
    // Workspaces in memory know nothing of files.
    const w1 = { key: 'sk_sandbox_full.w1' }
    expect((await sandbox.call('POST', '/v2/transaction_intents', { ...intent, ...w1 })).status).toBe(200)

    disk.judge = () => undefined
    await says()
    expect((await sandbox.fetch('/_sandbox/health')).status).toBe(200)
    const made = await sandbox.call('POST', '/v2/transaction_intents', intent)
    expect([made.status, made.json.created_at]).toEqual([200, testNow])
  })

  it('an answer that is to be lost -> the call fails all the same', async () => {
    const { sandbox } = await startOnFullDisk()
    const { status } = await sandbox.call('POST', '/v2/transaction_intents', {
      ...intent,
      headers: { 'x-sandbox-scenario': 'commit-but-answer-lost' },
    })
    expect(status).toBe(500)
    expect(sandbox.state.size('transaction_intents')).toBe(3)
  })

  it('a scenario that changes the state meanwhile -> its call is refused, before and after the handler', async () => {
    const { sandbox } = await startOnFullDisk(async ({ scenarios }) => {
      for (const at of ['before', 'after']) {
        await scenarios.register({
          name: `settles-${at}`,
          description: 'Somebody else settles the reward.',
          rules: [
            {
              on: 'retrieveReward',
              effect: { change: { rewards: { rwd_ada_pending: { status: 'AVAILABLE' } } }, at },
            },
          ],
        })
      }
    })
    await sandbox.call('POST', '/v2/transaction_intents', intent)
    for (const name of ['settles-before', 'settles-after']) {
      const headers = { 'x-sandbox-scenario': name }
      const answer = await sandbox.call('GET', '/v2/rewards/rwd_ada_pending', { headers })
      expect([name, answer.status]).toEqual([name, 503])
    }
    expect(sandbox.state.get('rewards', 'rwd_ada_pending')).toMatchObject({ status: 'PENDING' })
  })
})
