// The documented limits of a parameter or field: its range, length, characters and allowed values.
import type { z } from 'zod'
import { assumptionCatalogue, type AssumptionId, type Assumptions } from '../../contract/assumptions.ts'
import { docs, keywordsInForce } from '../../contract/docs.ts'
import { innerOf, shapeOf, type Shape } from '../../contract/schema-shape.ts'

/** Returns the documentation of a parameter or field as JSON Schema keywords, with those that the values add. */
export function keywordsOf(schema: z.ZodType, values: Assumptions): Readonly<Record<string, unknown>> {
  const inner = innerOf(schema)
  const { range, values: listed } = shapeOf(schema)
  return {
    ...(range && limitsOf(range)),
    ...(listed && { enum: listed }),
    ...docs.get(inner),
    ...docs.get(schema),
    ...keywordsInForce.get(inner)?.keywords(values),
    ...keywordsInForce.get(schema)?.keywords(values),
  }
}

/** The bounds of JavaScript's safe integers are not limits of the contract. */
function limitsOf({ minimum, maximum }: NonNullable<Shape['range']>): Record<string, number> {
  return {
    ...(minimum !== null && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== null && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  }
}

/** Returns the allowed values of a field, if it lists them. */
export function allowedValues(keywords: Readonly<Record<string, unknown>>): readonly string[] {
  const listed = keywords['enum']
  return Array.isArray(listed) ? listed.filter((value) => typeof value === 'string') : []
}

/** The assumptions that a field depends on. */
export function assumptionsOf(keywords: Readonly<Record<string, unknown>>): readonly AssumptionId[] {
  return [keywords['x-assumption']].flat().filter(isAssumption)
}

function isAssumption(id: unknown): id is AssumptionId {
  return typeof id === 'string' && Object.hasOwn(assumptionCatalogue, id)
}

/** Returns the character range of a pattern that allows no other characters, such as `^[\x20-\x7e]{1,128}$`. */
export function charactersOf(pattern: unknown): readonly [lowest: string, highest: string] | undefined {
  const [, low, high] =
    typeof pattern === 'string'
      ? (/^\^\[\\x([\da-f]{2})-\\x([\da-f]{2})\](?:\{[\d,]+\}|[*+])?\$$/.exec(pattern) ?? [])
      : []
  return low === undefined || high === undefined
    ? undefined
    : [String.fromCharCode(Number.parseInt(low, 16)), String.fromCharCode(Number.parseInt(high, 16))]
}
