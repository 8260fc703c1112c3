// The definition of an effect: its name, schema, help, checks, and its consequences for a call.
import type { z } from 'zod'
import type { Environment, Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Consequences } from './consequences.ts'
import type { EventPlan } from './event-plan.ts'
import type { Report } from './report.ts'

/** The data that an effect can read when it is applied to a call. */
export interface EffectContext {
  endpoint: Endpoint
  /** The version that was chosen for the call. */
  version: Version
  environment: Environment
  /** Returns the next number of the seeded sequence, from 0 (inclusive) to 1 (exclusive). */
  random(): number
}

/** The operations, or the types of events, that a rule is for. */
export interface Targets {
  /** The rule is for events; then it has no endpoints. */
  isForEvents: boolean
  endpoints: readonly Endpoint[]
  /** The rule had "*". */
  all: boolean
  /** The rule has `off_contract`: it may use effects that do nothing by the contract. */
  offContract: boolean
}

type Schemas = Readonly<Record<string, z.ZodType>>

/**
 * One record per effect: its notation, its consequences and one sentence of help. The engine picks rules and knows no
 * effect by name, so adding one takes one file and its name in the list.
 */
export interface Effect<S extends z.ZodType = z.ZodType, B extends Schemas = Schemas> {
  name: string
  help: string
  /** The word for its values in messages, such as scope; `value` by default. */
  noun?: string
  /** The possible keys, if its value is a map. */
  keys?: readonly string[]
  /** The value after the name, as in `latency: 250`. */
  schema: S
  /** The meaning of the bare name, if it can be used without a value. */
  bare?: z.output<S>
  /** Fields that may follow the name, such as `at` or `message`. */
  extra?: B
  /** Returns why the effect can never act on an operation, or undefined if it can. */
  misfit?: (value: z.output<S>, endpoint: Endpoint) => string | undefined
  /** Whether it acts only if version `latest` is served, which is in sandbox. */
  needsLatest?: (value: z.output<S>) => boolean
  /** Reports problems of a value that its schema allows, at paths within the value. */
  check?: (value: z.output<S>, targets: Targets, report: Report) => void
  /** Its consequences for a call; absent if it is for events. */
  apply?(
    value: z.output<S>,
    call: Consequences,
    context: EffectContext,
    extra: { readonly [K in keyof B]?: z.output<B[K]> },
  ): void
  /** Its consequences for the deliveries of an event; absent if it is for calls. */
  applyToEvent?(value: z.output<S>, plan: EventPlan): void
}

/** Connects the type of the value with the schema and the functions that take it. */
export function effect<S extends z.ZodType, B extends Schemas = Record<never, never>>(
  declared: Effect<S, B>,
): Effect {
  // Values reach the functions only through the schemas, so this widening is safe.
  return declared as unknown as Effect
}
