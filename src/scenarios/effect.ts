// What an effect of scenarios is made of: its name, schema, help, checks, and what it does to a call.
import type { z } from 'zod'
import type { Environment, Version } from '../contract/versions.ts'
import type { Endpoint } from '../endpoints/define.ts'
import type { Consequences } from './consequences.ts'
import type { Report } from './report.ts'

/** What an effect may draw on when it is applied to a call. */
export interface EffectContext {
  endpoint: Endpoint
  /** The version that was chosen for the call. */
  version: Version
  environment: Environment
  /** A number from 0 up to 1, from the seed. */
  random(): number
}

/** The operations that a rule is for. */
export interface Targets {
  endpoints: readonly Endpoint[]
  /** It said "*". */
  all: boolean
  /** What does nothing by the contract is wanted all the same. */
  offContract: boolean
}

type Schemas = Readonly<Record<string, z.ZodType>>

/**
 * An effect is one record: how it is written, what it does and one sentence of help. The engine picks rules and knows
 * no effect by name, so adding one takes one file and its name in the list.
 */
export interface Effect<S extends z.ZodType = z.ZodType, B extends Schemas = Schemas> {
  name: string
  help: string
  /** What its names are called in messages, such as scope; `value` if left out. */
  noun?: string
  /** Where its value is a map, the keys that it can have. */
  keys?: readonly string[]
  /** The value behind the name, as in `latency: 250`. */
  schema: S
  /** What the bare name means, where it can stand alone. */
  bare?: z.output<S>
  /** What may stand beside the name, such as `at` or `message`. */
  beside?: B
  /** Why it can never do anything for an operation, or undefined when it can. */
  misfit?: (value: z.output<S>, endpoint: Endpoint) => string | undefined
  /** Whether it acts only where version `latest` is served, which is in sandbox. */
  needsLatest?: (value: z.output<S>) => boolean
  /** Tells what is wrong with a value that its schema allows, at paths within the value. */
  check?: (value: z.output<S>, targets: Targets, report: Report) => void
  apply(
    value: z.output<S>,
    call: Consequences,
    context: EffectContext,
    beside: { readonly [K in keyof B]?: z.output<B[K]> },
  ): void
}

/** Keeps the type of the value between the schema and the functions that take it. */
export function effect<S extends z.ZodType, B extends Schemas = Record<never, never>>(
  declared: Effect<S, B>,
): Effect {
  // Values reach the functions only through the schemas, which makes this widening safe.
  return declared as unknown as Effect
}
