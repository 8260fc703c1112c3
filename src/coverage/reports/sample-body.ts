// Builds the body of a sample request: a documented example, overridden by the fields that the point needs.
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import { docs, keywordsInForce } from '../../contract/docs.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { fieldsIn } from '../../contract/schema-shape.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { Recipe } from '../points/point.ts'
import { sends, unknownId } from './sample-row.ts'
import type { SampleRow } from './samples.ts'

export function sampleBody(
  endpoint: Endpoint,
  recipe: Recipe,
  subject: SampleRow | undefined,
  values: Assumptions,
): unknown {
  if (!endpoint.body) return undefined
  if (recipe.body !== undefined) return recipe.body
  const schema = endpoint.body(values)
  const examples = (docs.get(schema)?.examples ?? []).filter(isJsonObject)
  const { shows, fields, unknown } = recipe
  // If the row already shows the value, omit the field: the example's value would overwrite it.
  const kept = shows && !sends(endpoint, shows, values) ? shows.field : undefined
  const example = examples
    .map(({ [kept ?? '']: _kept, ...rest }) => shortened(rest, schema, values))
    .find((rest) => Object.keys(rest).length > 0)
  if (example === undefined && fields === undefined && endpoint.bodyOptional) return undefined
  return {
    ...example,
    ...idsOf(subject, example),
    ...(shows && kept === undefined ? { [shows.field]: shows.value } : {}),
    ...fields,
    ...(unknown !== undefined && unknown in schema.shape ? { [unknown]: unknownId } : {}),
  }
}

/** Reduces an example to its required fields, if there are any: a short line is better to paste. */
function shortened(
  example: Readonly<Record<string, unknown>>,
  schema: z.ZodObject,
  values: Assumptions,
): Record<string, unknown> {
  const inForce: unknown = keywordsInForce.get(schema)?.keywords(values)['required']
  const required = new Set<unknown>(Array.isArray(inForce) ? inForce : [])
  for (const { name, isOptional } of fieldsIn(schema)) if (!isOptional) required.add(name)
  return Object.fromEntries(
    Object.entries(example).filter(([name]) => required.size === 0 || required.has(name)),
  )
}

/** The ids that the body shares with the addressed row. */
function idsOf(subject: SampleRow | undefined, example: object | undefined): Record<string, unknown> {
  const names = Object.keys(example ?? {}).filter((name) => name.endsWith('_id'))
  return Object.fromEntries(
    names.flatMap((name) => (subject?.[name] === undefined ? [] : [[name, subject[name]]])),
  )
}
