// A check: a contract point with the probe that shows whether a service keeps it.
import type { ContractPoint, Draft } from '../../coverage/points/point.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { other, value, type Probe, type Reading } from '../probe.ts'

/** A contract point that a black box can show. Its reading is `holds`, or how it is broken. */
export interface Check extends ContractPoint, Omit<Probe<'holds'>, 'id'> {}

/** How a point is checked, and its sentence if that of coverage names a value of an assumption. */
export interface Checking extends Omit<Probe<'holds'>, 'id'> {
  readonly sentence?: string
}

/** Checks the points of one kind that coverage has. */
export type Facet = (endpoint: Endpoint, draft: Draft) => Checking

/** The statement of a check. */
export const holds: Reading<'holds'> = value('holds')

/** The observation breaks the contract, which requires `expected`. */
export const broken = (seen: string, expected: string): Reading<never> => other(seen, expected)
