import { z } from 'zod'
import type { AssumptionId } from './assumptions.ts'
import type { OmittingScope } from './scopes.ts'

/** What is said about a schema beside its type; all of it ends up in the OpenAPI document. */
export interface Docs {
  /** Names a schema, which makes it a component of the OpenAPI document. */
  id?: string
  description?: string
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

/** Attaches documentation to a schema. Put it outermost: a wrapper such as `.optional()` is another schema. */
export function documented<S extends z.ZodType>(schema: S, about: Docs): S {
  docs.add(schema, about)
  return schema
}
