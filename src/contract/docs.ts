// Descriptions and examples of schemas, for the OpenAPI document; zod registries store them.
import { z } from 'zod'
import type { AssumptionId, Assumptions } from './assumptions.ts'
import { isOptional } from './schema-shape.ts'
import type { OmittingScope } from './scopes.ts'

/** Documentation of a schema in addition to its type. All of it appears in the OpenAPI document. */
export interface Docs {
  /** The name of the schema, which makes it a component of the OpenAPI document. */
  id?: string
  description?: string
  /** Complete, valid values; the OpenAPI document shows them wherever a request or an answer contains the schema. */
  examples?: readonly unknown[]
  /** The scope without which an answer omits this field. */
  'x-requires-scope'?: OmittingScope
  /** The assumptions that this part depends on. */
  'x-assumption'?: AssumptionId | readonly AssumptionId[]
  [keyword: string]: unknown
}

/** Our own registry: zod's default one lives on `globalThis`, where the embedding application's schemas share it. */
export const docs = z.registry<Docs>()

/** JSON Schema keywords that depend on assumption values, such as a field that a value makes required. */
export type InForce = (values: Assumptions) => Readonly<Record<string, unknown>>

/** Separate from `docs`: only a reader that has the assumption values can use it. */
export const keywordsInForce = z.registry<{ keywords: InForce }>()

/**
 * Attaches documentation to a schema. Put it outermost: a wrapper such as `.optional()` is another schema.
 *
 * @example
 * documented(minorUnits.optional(), { description: 'The new amount.' }, (values) =>
 *   values.negative_amount === 'refuse' ? { minimum: 0 } : {},
 * )
 */
export function documented<S extends z.ZodType>(schema: S, about: Docs, inForce?: InForce): S {
  docs.add(schema, about)
  if (inForce) keywordsInForce.add(schema, { keywords: inForce })
  return schema
}

/** JSON Schema for a field that is present and not null, as null may stand for an absent value. */
export const requiresField = (name: string): Record<string, unknown> => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
})

const absentOnPurpose = new WeakSet<z.ZodType>()

/**
 * Marks an optional field whose absence has a meaning in the contract, such as that there is no next page. No value is
 * ever shown in its place.
 */
export function presentByRule<S extends z.ZodOptional>(schema: S): S {
  absentOnPurpose.add(schema)
  return schema
}

/** Whether a field may lack a value without a meaning of its own. An answer omits such a field. */
export function mayBeEmpty(schema: z.ZodType): boolean {
  return isOptional(schema) && !absentOnPurpose.has(schema)
}

/** Returns the first example of a documented schema, from which containing schemas build their examples. */
export function exampleOf(schema: z.ZodType): unknown {
  return docs.get(schema)?.examples?.[0]
}
