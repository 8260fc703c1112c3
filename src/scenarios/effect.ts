import type { z } from 'zod'
import type { Environment, Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Plan } from './plan.ts'

/** What an effect may draw on when it is applied to a call. */
export interface EffectContext {
  endpoint: Endpoint
  /** The version that was chosen for the call. */
  version: Version
  environment: Environment
  /** A number from 0 up to 1, from the seed. */
  random(): number
}

/**
 * An effect is one record: how it is written, what it does and one sentence of help. The engine picks rules and knows
 * no effect by name, so adding one takes one file and its name in the list.
 */
export interface Effect<Value = unknown> {
  name: string
  help: string
  /** What its names are called in messages, such as scope; `value` if left out. */
  noun?: string
  /** The value behind the name, as in `latency: 250`. */
  schema: z.ZodType<Value>
  /** What the bare name means, where it can stand alone. */
  bare?: Value
  /** What may stand beside the name, such as `at` or `message`. */
  beside?: Readonly<Record<string, z.ZodType>>
  /** The answer is one that the contract does not allow, whatever the call. */
  offContract?: (value: Value) => boolean
  /** Why it can never do anything for an operation, or undefined when it can. */
  misfit?: (value: Value, endpoint: Endpoint) => string | undefined
  apply(value: Value, plan: Plan, context: EffectContext, beside: Readonly<Record<string, unknown>>): void
}

/** Keeps the type of the value between the schema and the functions that take it. */
export function effect<Value>(declared: Effect<Value>): Effect {
  // Values reach `apply` and `misfit` only through the schema, which makes this widening safe.
  return declared as unknown as Effect
}
