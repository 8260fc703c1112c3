// Descriptions and examples of schemas, for the OpenAPI document; zod's registries hold them.
import { z } from 'zod'
import type { AssumptionId, Assumptions } from './assumptions.ts'
import { isOptional } from './schema-shape.ts'
import type { OmittingScope } from './scopes.ts'

/** What is said about a schema beside its type; all of it ends up in the OpenAPI document. */
export interface Docs {
  /** Names a schema, which makes it a component of the OpenAPI document. */
  id?: string
  description?: string
  /** Whole, valid values; the OpenAPI document shows them wherever the schema is sent or answered. */
  examples?: readonly unknown[]
  /** The scope without which this field is left out of an answer. */
  'x-requires-scope'?: OmittingScope
  /** The assumptions that this part rests on. */
  'x-assumption'?: AssumptionId | readonly AssumptionId[]
  [keyword: string]: unknown
}

/**
 * Our own registry: zod's default one lives on `globalThis` and is shared with the schemas of whoever embeds us.
 */
export const docs = z.registry<Docs>()

/** JSON Schema keywords that hold under some values of assumptions only, such as a field that one makes required. */
export type InForce = (values: Assumptions) => Readonly<Record<string, unknown>>

/** Kept apart from `docs`: it depends on values, so only a reader who has them can use it. */
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

/** JSON Schema for a field that is there and has a value, as null may stand for one that has none. */
export const given = (name: string): Record<string, unknown> => ({
  required: [name],
  properties: { [name]: { not: { type: 'null' } } },
})

const absentOnPurpose = new WeakSet<z.ZodType>()

/**
 * An optional field whose absence tells something by the contract, such as that there is no next page: no value is
 * ever shown in its place.
 */
export function presentByRule<S extends z.ZodOptional>(schema: S): S {
  absentOnPurpose.add(schema)
  return schema
}

/** Whether a field may have no value and be of interest all the same, which assumption `empty_optional_fields` shows. */
export function mayBeEmpty(schema: z.ZodType): boolean {
  return isOptional(schema) && !absentOnPurpose.has(schema)
}

/** The first example of a documented schema, for building the examples of schemas that contain it. */
export function exampleOf(schema: z.ZodType): unknown {
  return docs.get(schema)?.examples?.[0]
}
