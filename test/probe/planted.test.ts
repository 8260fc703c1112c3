// Planted values: whatever a target of ours assumes, calibrate finds it, and never a wrong one.
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../src/probe/calibrate.ts'
import { testMachine } from '../helpers/probing.ts'
import { probedSandbox, randomAssumptions } from '../helpers/probed-sandbox.ts'

describe('calibrate finds what was planted', () => {
  it.each([1, 2, 3])('in target %i', async (seed) => {
    const planted = randomAssumptions(seed)
    const { sandbox, target } = await probedSandbox(planted)
    try {
      const { observations } = await calibrate(target, { allow: ['write', 'irreversible'] }, testMachine())
      for (const [id, { verdict, value }] of Object.entries(observations)) {
        expect({ id, verdict, value }).toEqual({ id, verdict: 'observed', value: planted[id] })
      }
    } finally {
      await sandbox.close()
    }
  })
})
