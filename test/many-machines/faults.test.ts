import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithEngine } from '../helpers/engine.ts'
import { faulty, type Fault } from './faults.ts'
import { prove } from './prove.ts'
import type { Work } from './run-work.ts'
import { Reference } from './sandbox-model.ts'

/** Each with what brings it out. */
const faults: [Fault, troubles: readonly string[], work?: Partial<Work>][] = [
  ['no catch-up', ['the engine is slow']],
  ['nonce not compared', ['an engine is promoted that lacks writes']],
  ['retry without looking', ['the engine is slow']],
  ['counters left out of the log', ['the engine is slow']],
  // Enough calls elsewhere while one replica sees none of them.
  ['trimmed log without reload', ['a network loses its way'], { clients: 32, workspaces: 1, calls: 400 }],
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
  const usual = { clients: 12, workspaces: 4, calls: 150 }

  test.each(faults)('%s is caught', { timeout: 120_000 }, async (fault, troubles, work = usual) => {
    const { violations } = await prove(reference, {
      seed: 1,
      work,
      troubles,
      snapshotEvery,
      between: (engine) => faulty(engine, fault),
    })
    expect(violations).not.toEqual([])
  })

  test.each(faults)(
    'and without it there is nothing to catch: %s',
    { timeout: 120_000 },
    async (_, troubles, work = usual) => {
      const { violations } = await prove(reference, { seed: 1, work, troubles, snapshotEvery })
      expect(violations).toEqual([])
    },
  )
})
