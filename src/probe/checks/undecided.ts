// Points that an assumption decides: the contract promises nothing, so conform leaves them to calibrate.
import { assumptionCatalogue, type AssumptionId } from '../../contract/assumptions.ts'
import { cannotTell } from '../probe.ts'
import type { Checking } from './check.ts'

/** A point about an assumption, without any of its values. */
export const decidedBy = (id: AssumptionId): Checking => ({
  sentence: assumptionCatalogue[id].question,
  ...never(`an assumption decides it, ${id}: ask calibrate`),
})

/** A point that no target can show. */
export const never = (why: string, takes?: string): Checking => ({
  needs: [],
  steps: [],
  read: () => cannotTell(why, takes),
})

/** A point that the contract leaves open, where the sandbox has a fixed behaviour: a differing service is no violation. */
export const leftOpen = never('the contract leaves it open')
