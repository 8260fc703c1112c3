// A check: a contract point with the probe that shows whether a service keeps it.
import type { ContractPoint } from '../../coverage/points/point.ts'
import { other, value, type Probe, type Reading } from '../probe.ts'

/** A contract point as a black box shows it. Its reading is `holds`, or what is broken. */
export interface Check extends ContractPoint, Omit<Probe<'holds'>, 'id'> {}

/** What the sentence of a check says is so. */
export const holds: Reading<'holds'> = value('holds')

/** What was seen is against the contract, which would have had `expected`. */
export const broken = (seen: string, expected: string): Reading<never> => other(seen, expected)
