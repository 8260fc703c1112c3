// What limits a parameter or field: its range, length, characters and allowed values, as documented.
import type { z } from 'zod'
import { assumptionCatalogue, type AssumptionId, type Assumptions } from '../../contract/assumptions.ts'
import { docs, keywordsInForce } from '../../contract/docs.ts'
import { innerOf, shapeOf, type Shape } from '../../contract/schema-shape.ts'

/** What is documented of a parameter or field, in the keywords of JSON Schema, with those in force now. */
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

/** How JavaScript holds numbers is no limit of the contract. */
function limitsOf({ minimum, maximum }: NonNullable<Shape['range']>): Record<string, number> {
  return {
    ...(minimum !== null && minimum > Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== null && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
  }
}

/** The values of a field that are allowed, where they are listed. */
export function allowedValues(keywords: Readonly<Record<string, unknown>>): readonly string[] {
  const listed = keywords['enum']
  return Array.isArray(listed) ? listed.filter((value) => typeof value === 'string') : []
}

/** The assumptions that a field rests on. */
export function assumptionsOf(keywords: Readonly<Record<string, unknown>>): readonly AssumptionId[] {
  return [keywords['x-assumption']].flat().filter(isAssumption)
}

function isAssumption(id: unknown): id is AssumptionId {
  return typeof id === 'string' && Object.hasOwn(assumptionCatalogue, id)
}

/** The range of characters of a pattern that allows nothing else, such as `^[\x20-\x7e]{1,128}$`. */
export function charactersOf(pattern: unknown): readonly [lowest: string, highest: string] | undefined {
  const [, low, high] =
    typeof pattern === 'string'
      ? (/^\^\[\\x([\da-f]{2})-\\x([\da-f]{2})\](?:\{[\d,]+\}|[*+])?\$$/.exec(pattern) ?? [])
      : []
  return low === undefined || high === undefined
    ? undefined
    : [String.fromCharCode(Number.parseInt(low, 16)), String.fromCharCode(Number.parseInt(high, 16))]
}
