import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkRecording, type Summary } from './check-recording.ts'
import { Recording, runWork } from './run-work.ts'
import { Reference } from './sandbox-model.ts'
import { ToyFleet, toyFaults, type ToyFault } from './toy-fleet.ts'

let references: Reference[]

beforeAll(async () => {
  references = await Promise.all([1, 2, 3, 4].map(() => Reference.create()))
})
afterAll(async () => {
  await Promise.all(references.map((reference) => reference.close()))
})

async function run(seed: number, fault?: ToyFault): Promise<Summary> {
  const [judge, ...replicas] = references
  if (!judge) throw new Error('no reference')
  const recording = new Recording()
  const fleet = new ToyFleet(replicas, seed, fault)
  const work = { seed, clients: 8, workspaces: 10, calls: 500 }
  const failover = {
    name: 'failover',
    at: 250,
    lasts: 1,
    begin: async () => fleet.lose(recording, 0.2),
    end: async () => {},
  }
  await runWork(fleet, work, recording, [failover])
  const summary = await checkRecording(judge, recording)
  for (const workspace of recording.workspaces) for (const one of references) one.forget(workspace)
  return summary
}

test('a store that is right has no violation', async () => {
  const summary = await run(1)
  expect(summary.violations).toEqual([])
  expect(summary.lost).toBeGreaterThan(0)
  expect(summary.unknown).toBeGreaterThan(0)
  expect(summary.histories).toBeGreaterThan(10)
})

test.each(toyFaults)('%s is caught', async (fault) => {
  expect((await run(1, fault)).violations).not.toEqual([])
})
