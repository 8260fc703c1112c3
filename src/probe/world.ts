// The world in which the points of conform are derived: a sandbox with every assumption at its default.
import { assumptionCatalogue, assumptionIds, type Assumptions } from '../contract/assumptions.ts'
import type { World } from '../coverage/points/point.ts'

/** The default of each assumption, for what must be derived from some value; nothing may be judged by it. */
export const usual = Object.fromEntries(
  assumptionIds.map((id) => [id, assumptionCatalogue[id].default]),
) as unknown as Assumptions

export const world: World = { values: usual, environment: 'sandbox' }
