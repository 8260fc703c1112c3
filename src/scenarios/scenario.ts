// A scenario as it was read: its rules, the operations they are for, and the header that names scenarios.
import type { Calls } from './calls.ts'
import type { Effect } from './effect.ts'
import type { When } from './scenario-schema.ts'

/** The request header that names scenarios for one call. */
export const scenarioHeader = 'x-sandbox-scenario'

/** An effect with the value that a rule gave it. */
export interface ArmedEffect {
  effect: Effect
  value: unknown
  beside: Readonly<Record<string, unknown>>
}

/** Which calls a rule is for and what happens to them. */
export interface Rule {
  /** `scenario#place`, counted from 1; journals and listings name it so. */
  id: string
  operations: ReadonlySet<string>
  when: When
  calls: Calls
  effects: readonly ArmedEffect[]
  /** It may give answers that the contract does not allow. */
  offContract: boolean
}

/** A named list of rules, read and checked. */
export interface Scenario {
  name: string
  description: string
  rules: readonly Rule[]
  /** A rule of it acts only where version `latest` is served. */
  needsLatest: boolean
  /** Where it came from, as messages name it. */
  source: string
  /** As it was written, for showing it. */
  document: unknown
}
