// Contract points of shown values: each enum value of an answer, each kind of a resource (contract: Resources).
import type { z } from 'zod'
import { assumptionCatalogue, type Assumptions } from '../../contract/assumptions.ts'
import { docs } from '../../contract/docs.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { fieldsIn, shapeOf } from '../../contract/schema-shape.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { isOwnAnswer } from '../what-counts.ts'
import { allowedValues, assumptionsOf, keywordsOf } from './limits.ts'
import type { Counter, Draft, Facet } from './point.ts'
import { rowsIn, rowSchemaOf } from './result-rows.ts'
import { bodyOfSuccess } from './success-status.ts'

export const shownValues: Facet = {
  points(endpoint, { values }) {
    const result = bodyOfSuccess(endpoint, values)
    if (!result) return []
    const row = rowSchemaOf(result)
    const section = sectionOf(row) ?? endpoint.section
    return [
      ...enumFields(endpoint, values).flatMap(({ field, shown, isList }) => [
        ...shown.map((value): Draft => ({
          name: `${field}/${value}`,
          sentence: isList
            ? `An answer can have ${value} among its ${field}.`
            : `An answer can have ${field} ${value}.`,
          section,
          recipe: { shows: { field, value } },
        })),
        ...(isList ? [emptyPoint(field, section)] : []),
      ]),
      ...kindsOf(row).map((kind) => ({
        name: `kind/${kind}`,
        sentence: `An answer can be of the kind ${kind}.`,
        section,
        recipe: { about: (candidate: Readonly<Record<string, unknown>>) => candidate[kind] !== undefined },
      })),
    ]
  },
  watch(endpoint, placeOf, { values }) {
    const fields = enumFields(endpoint, values).map(({ field, shown }) => ({
      field,
      empty: placeOf(`${field}/none`),
      places: new Map<unknown, number | undefined>(
        shown.map((value) => [value, placeOf(`${field}/${value}`)]),
      ),
    }))
    const result = bodyOfSuccess(endpoint, values)
    const kinds = (result ? kindsOf(rowSchemaOf(result)) : []).map((kind) => ({
      kind,
      place: placeOf(`kind/${kind}`),
    }))
    return (call, counter) => {
      if (call.result === undefined || !isOwnAnswer(call)) return
      const rows = rowsIn(call.result)
      const once = rows.length > 1 ? new Once(counter) : counter
      for (const row of rows) {
        if (!isJsonObject(row)) continue
        for (const { field, places, empty } of fields) {
          const value = row[field]
          if (!Array.isArray(value)) once.hit(places.get(value))
          else if (value.length === 0) once.hit(empty)
          else for (const item of value) once.hit(places.get(item))
        }
        for (const { kind, place } of kinds) if (row[kind] !== undefined) once.hit(place)
      }
    }
  },
}

/** A list of values can also be empty: a key without scopes creates keys without scopes. */
function emptyPoint(field: string, section: string): Draft {
  return {
    name: `${field}/none`,
    sentence: `An answer can have no ${field}.`,
    section,
    recipe: { key: 'of no scopes' },
  }
}

/** Counts each point once: a page that shows a value in many rows exercises it once. */
class Once implements Counter {
  readonly #counter: Counter
  readonly #seen = new Set<number | undefined>()

  constructor(counter: Counter) {
    this.#counter = counter
  }

  hit(place: number | undefined): void {
    if (this.#seen.has(place)) return
    this.#seen.add(place)
    this.#counter.hit(place)
  }
}

/** Returns the enum fields of a row, with the values that this operation can answer. */
function enumFields(
  endpoint: Endpoint,
  values: Assumptions,
): { field: string; shown: readonly string[]; isList: boolean }[] {
  const result = endpoint.result?.(values)
  if (!result) return []
  const row = rowSchemaOf(result)
  const gives = endpoint.gives(values)
  return fieldsIn(row)
    .map(({ name: field, schema }) => {
      const { item } = shapeOf(schema)
      const shown = gives[field] ?? allowedValues(keywordsOf(item ?? schema, values))
      return { field, isList: item !== undefined, shown }
    })
    .filter(({ shown }) => shown.length > 0)
}

/** Returns the documented kinds of a resource, each named after the sub-object that identifies it. */
function kindsOf(row: z.ZodType): string[] {
  const kinds = docs.get(row)?.['oneOf']
  if (!Array.isArray(kinds)) return []
  return kinds.flatMap((kind: unknown) =>
    isJsonObject(kind) && typeof kind['title'] === 'string' ? [kind['title']] : [],
  )
}

/** A resource has its own section in the contract, unless its whole shape is an assumption. */
export function sectionOf(row: z.ZodType): string | undefined {
  const about = docs.get(row)
  const [assumed] = assumptionsOf(about ?? {})
  if (assumed !== undefined) return assumptionCatalogue[assumed].section
  return about?.id?.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
