// A parsed scenario: its rules, their operations, and the header that names scenarios.
import type { EventType } from '../contract/event-types.ts'
import type { Calls } from './calls.ts'
import type { Effect } from './effect.ts'
import type { When } from './scenario-schema.ts'

/** The request header that names scenarios for one call. */
export const scenarioHeader = 'x-sandbox-scenario'

/** An effect with the value from a rule. */
export interface ArmedEffect {
  effect: Effect
  value: unknown
  extra: Readonly<Record<string, unknown>>
}

/** The calls or events of a rule, and its consequences. */
export interface Rule {
  /** `scenario#place`, counted from 1, in journals and lists. */
  id: string
  /** Empty for a rule for events. */
  operations: ReadonlySet<string>
  /** The types of events; empty for a rule for calls. */
  events: ReadonlySet<EventType>
  when: When
  calls: Calls
  effects: readonly ArmedEffect[]
  /** It may give answers that the contract does not allow. */
  offContract: boolean
}

/** A named list of rules, parsed and validated. */
export interface Scenario {
  name: string
  description: string
  rules: readonly Rule[]
  /** One of its rules acts only if version `latest` is served. */
  needsLatest: boolean
  /** Its source in messages. */
  source: string
  /** The original document, for showing it. */
  document: unknown
}
