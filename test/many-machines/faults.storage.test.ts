import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithEngine } from '../helpers/engine.ts'
import { faulty, type Fault } from './faults.ts'
import { prove } from './prove.ts'
import { Reference } from './sandbox-model.ts'

/** Each with what brings it out. */
const faults: [Fault, trouble: string][] = [
  ['no catch-up', 'the engine is slow'],
  ['nonce not compared', 'an engine is promoted that lacks writes'],
  ['retry without looking', 'the engine is slow'],
  ['counters left out of the log', 'the engine is slow'],
  ['trimmed log without reload', 'a network loses its way'],
]

describeWithEngine('a fault in the store', () => {
  let reference: Reference

  beforeAll(async () => {
    reference = await Reference.create()
  })
  afterAll(async () => {
    await reference.close()
  })

  // Logs are so short that who is behind is behind their beginning.
  const snapshotEvery = { entries: 3, bytes: 20_000, kept: 1 }
  const work = { clients: 12, workspaces: 2, calls: 120 }

  test.each(faults)('%s is caught', { timeout: 300_000 }, async (fault, trouble) => {
    // Whether clients meet it in one run is a matter of luck.
    for (let seed = 1; seed <= 20; seed++) {
      const { violations } = await prove(reference, {
        seed,
        work,
        troubles: [trouble, trouble],
        snapshotEvery,
        between: (engine) => faulty(engine, fault),
      })
      if (violations.length > 0) return
    }
    expect.fail('no run has found it')
  })

  test('and without it there is nothing to catch', { timeout: 300_000 }, async () => {
    const troubles = [...new Set(faults.map(([, trouble]) => trouble))]
    const { violations, undecided } = await prove(reference, { seed: 1, work, troubles, snapshotEvery })
    expect(violations).toEqual([])
    expect(undecided).toEqual([])
  })
})
