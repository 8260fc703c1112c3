// The world in which the points of conform are derived: a sandbox with every assumption at its default.
import type { World } from '../coverage/points/point.ts'
import { resolveAssumptions } from '../input/resolve-assumptions.ts'

/** The default of each assumption, for what must be derived from some value; nothing may be judged by it. */
export const usual = resolveAssumptions()

export const world: World = { values: usual, environment: 'sandbox' }
