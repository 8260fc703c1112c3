import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeWithEngine, startEngine } from '../helpers/engine.ts'
import type { Fault } from './faults.ts'
import type { SandboxRequest } from './requests.ts'
import { Reference } from './sandbox-model.ts'
import { ScriptedRun, workspace, type EnginePair } from './scripted-run.ts'

const patch = (reward: string, amount: number): SandboxRequest => ({
  method: 'PATCH',
  path: `/v2/rewards/${reward}`,
  json: { amount },
})
const look: SandboxRequest = { method: 'GET', path: '/v2/rewards/rwd_ada_pending' }
const pay: SandboxRequest = {
  method: 'POST',
  path: '/v2/transaction_intents',
  json: { customer_id: 'cus_ada', amount: 5, currency: 'USD', payment_method_id: 'pm_ada_card' },
}
const failEveryThird: SandboxRequest = {
  method: 'PUT',
  path: `/_sandbox/scenarios/active?workspace=${workspace}`,
  json: ['flaky-every-third'],
}

interface Interleaving {
  readonly fault: Fault
  /** Calls of replicas 0 and 1, and acts on the engine. */
  play(run: ScriptedRun): Promise<void>
  /** Where no order explains the answers. */
  readonly foundAt: { readonly log: number; readonly version: number }
}

const interleavings: Interleaving[] = [
  {
    fault: 'no catch-up',
    async play(run) {
      await run.call(1, look)
      await run.call(0, patch('rwd_ada_pending', 1))
      await run.call(1, look)
    },
    foundAt: { log: 0, version: 2 },
  },
  {
    fault: 'nonce not compared',
    async play(run) {
      await run.call(1, look)
      await run.copyToFollower()
      await run.call(0, patch('rwd_ada_pending', 1))
      await run.failOver()
      // Another entry of the version that replica 0 knows.
      await run.call(1, patch('rwd_ada_pending', 2))
      await run.call(0, look)
    },
    foundAt: { log: 1, version: 2 },
  },
  {
    fault: 'retry without looking',
    async play(run) {
      await run.call(0, look)
      run.loseNextAnswer(0)
      await run.call(0, pay)
    },
    foundAt: { log: 0, version: 2 },
  },
  {
    fault: 'counters left out of the log',
    async play(run) {
      await run.call(0, failEveryThird)
      await run.call(0, look)
      await run.call(1, look)
      await run.call(0, look)
    },
    foundAt: { log: 0, version: 5 },
  },
  {
    fault: 'trimmed log without reload',
    async play(run) {
      await run.call(1, look)
      await run.call(0, patch('rwd_ada_pending', 1))
      for (let amount = 1; amount <= 5; amount++) await run.call(0, patch('rwd_ada_referral', amount))
      // The entry that replica 1 needs next is gone.
      expect(await run.firstVersion()).toBeGreaterThan(2)
      await run.call(1, look)
    },
    foundAt: { log: 0, version: 7 },
  },
]

describeWithEngine('a fault in the store', () => {
  let reference: Reference
  let pair: EnginePair

  beforeAll(async () => {
    const args = ['--repl-diskless-sync-delay', '0']
    pair = { engine: await startEngine({ args }), follower: await startEngine({ args }) }
    reference = await Reference.create()
  })
  afterAll(async () => {
    await reference.close()
    await Promise.all([pair.engine.stop(), pair.follower.stop()])
  })

  let runs = 0

  async function played({ play }: Interleaving, fault?: Fault): Promise<ScriptedRun> {
    const run = await ScriptedRun.start(pair, `run-${(runs += 1)}`, fault)
    onTestFinished(() => run.close())
    await play(run)
    return run
  }

  describe.each(interleavings)('$fault', (interleaving) => {
    const { fault, foundAt } = interleaving

    test('is caught', async () => {
      const run = await played(interleaving, fault)
      const { violations, undecided } = await run.check(reference)
      expect(violations).toMatchObject([{ workspace, violation: foundAt }])
      expect(undecided).toEqual([])
    })

    test('and without it there is nothing to catch', async () => {
      const run = await played(interleaving)
      expect(await run.check(reference)).toMatchObject({ violations: [], undecided: [], faults: [] })
      expect(run.bugs).toEqual([])
    })
  })
})
