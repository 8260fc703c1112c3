// The context in which the points of conform are derived: a sandbox with every assumption at its default.
import type { PointContext } from '../coverage/points/point.ts'
import { resolveAssumptions } from '../input/resolve-assumptions.ts'

/** The default of each assumption, for derivations that need some value; never used for a verdict. */
export const defaultAssumptions = resolveAssumptions()

export const defaultContext: PointContext = { values: defaultAssumptions, environment: 'sandbox' }
