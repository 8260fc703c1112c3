// One assumption of a target, asked alone: what was planted there is what is to be found.
import type { AssumptionId } from '../../src/contract/assumptions.ts'
import { calibrate } from '../../src/probe/calibrate.ts'
import type { GivenTarget } from '../../src/probe/target-type.ts'
import type { Observation } from '../../src/probe/observation.ts'
import type { UnvalidatedSettings } from '../../src/input/resolve-assumptions.ts'
import { probedSandbox, randomAssumptions, wholeLists, type Rewrite } from './probed-sandbox.ts'
import { testMachine } from './probing.ts'

interface Planted {
  assume: UnvalidatedSettings
  /** Draws all other assumptions. */
  seed: number
  rewrite?: Rewrite
  /** Changes what the target names. */
  target?: (target: GivenTarget) => GivenTarget
}

/** The result of calibrate for an assumption, without its evidence, and its requests. */
export async function observe(
  id: AssumptionId,
  { assume, seed, rewrite, target: change = (target) => target }: Planted,
): Promise<Omit<Observation, 'at' | 'evidence'> & { sent: number }> {
  const { sandbox, target } = await probedSandbox(
    randomAssumptions(seed, { ...wholeLists, ...assume }),
    rewrite,
  )
  try {
    const { observations, requests } = await calibrate(
      change(target),
      { allow: ['write', 'irreversible'], only: [id] },
      testMachine(),
    )
    const observation = observations[id]
    if (!observation) throw new Error(`${id} was not asked`)
    const { at: _at, evidence: _evidence, ...found } = observation
    return { ...found, sent: requests.sent }
  } finally {
    await sandbox.close()
  }
}
