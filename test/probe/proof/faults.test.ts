// The long form of planted faults, for `npm run probe:proof`: each with every point, and targets by seed without any.
import { afterEach, describe, expect, it } from 'vitest'
import { conform } from '../../../src/probe/conform.ts'
import { probedSandbox, randomAssumptions } from '../../helpers/probed-sandbox.ts'
import { testMachine } from '../../helpers/probing.ts'
import { additions, brokenBy, faults, FaultyTargets } from '../faults.ts'

const draws = Number(process.env['PROBE_PROOF'] ?? 0)
const timeout = 120_000
const everything = { allow: ['write', 'irreversible'] } as const

describe.runIf(draws > 0)('conform', () => {
  const targets = new FaultyTargets()
  afterEach(() => targets.close())

  it.for(faults.map((fault, place) => [`${fault.operation}: ${fault.name}`, fault, place] as const))(
    'names %s, and nothing else',
    { timeout },
    async ([, fault, place]) => {
      const options = fault.changes ? everything : {}
      expect(await targets.broken(fault, 1 + place, options)).toEqual(brokenBy(fault))
    },
  )

  it.for(additions.map((addition, place) => [addition.name, addition, place] as const))(
    'finds nothing broken by %s',
    { timeout },
    async ([, addition, place]) => {
      expect(await targets.broken(addition, 500 + place, everything)).toEqual([])
    },
  )

  it.for(Array.from({ length: draws }, (_, seed) => seed + 1))(
    'finds nothing broken in right target %i',
    { timeout },
    async (seed) => {
      const { sandbox, target, calls } = await probedSandbox(randomAssumptions(seed))
      try {
        const { fetch, budget, keys } = target
        const poor = {
          keys: { full: keys?.full ?? '' },
          // A partnership of several products may want one named with every key.
          merchant_keys: ['mk_summit'],
          ...(fetch ? { fetch } : {}),
          ...(budget ? { budget } : {}),
        }
        for (const each of seed % 4 === 0 ? [target, poor] : [target]) {
          calls.length = 0
          const { points, requests } = await conform(each, everything, testMachine())
          expect(points.filter(({ verdict }) => !['holds', 'not_observable'].includes(verdict))).toEqual([])
          expect(requests.planned).toBeLessThanOrEqual(500)
          expect(calls.length).toBeLessThanOrEqual(requests.planned)
        }
      } finally {
        await sandbox.close()
      }
    },
  )
})
