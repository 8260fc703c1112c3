// Planted faults, in the short form: conform names the points that a fault breaks, and no others.
import { afterAll, describe, expect, it } from 'vitest'
import { additions, brokenBy, faults, FaultyTargets } from './faults.ts'

const targets = new FaultyTargets()
afterAll(() => targets.close())

/** So many faults share a target, with its assumptions. */
const together = 15
/** One of so many is asked with every point, to see that none of another operation is named. */
const every = 17

describe('a planted fault is named, and nothing else', () => {
  it.each(faults.map((fault, place) => [fault.operation, fault.name, fault, place] as const))(
    '%s: %s',
    async (operation, _, fault, place) => {
      // A fault that only a change shows has its own target.
      const seed = fault.changes ? 1_000 + place : 1 + Math.floor(place / together)
      const options = {
        ...(fault.changes ? { allow: ['write', 'irreversible'] as const } : {}),
        ...(place % every === 0 ? {} : { only: [operation] }),
      }
      expect(await targets.broken(fault, seed, options)).toEqual(brokenBy(fault))
    },
  )

  it('of at least 60 rules', () => {
    expect(faults.length).toBeGreaterThanOrEqual(60)
  })
})

describe('what the contract lets a service add breaks nothing', () => {
  it.each(additions.map((addition, place) => [addition.name, addition, place] as const))(
    '%s',
    async (_, addition, place) => {
      expect(await targets.broken(addition, 1 + (place % 3))).toEqual([])
    },
  )
})
