// What of a value is against its declared schema, as far as the contract itself says it: other fields are welcome.
import { z } from 'zod'
import { docs, shownFormats } from '../../contract/docs.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { releasedVersions, versionHeader } from '../../contract/versions.ts'
import { innerOf } from '../../coverage/points/result-rows.ts'
import type { Answer } from '../asker.ts'

/** One thing that is against a schema. */
export interface Breach {
  /** Where it is, such as `card.exp_month`. */
  at: string
  seen: string
  expected: string
}

/**
 * The version of an answer, where it is one that the contract does not describe: it may have other types, formats and
 * values of enums (contract: Versioning 7).
 */
export function unknownVersion({ headers }: Answer): string | undefined {
  const version = headers[versionHeader]
  return releasedVersions.some((known) => known === version) ? undefined : version
}

/**
 * Whether a field must be there. Where an assumption says which fields a resource always has, the contract does not,
 * and so it is for everything within.
 */
export function isRequired(object: z.ZodType, field: z.ZodType): boolean {
  return !isOpen(object) && !(field instanceof z.ZodOptional)
}

/** Whether it is an assumption which fields an object has. */
export const isOpen = (object: z.ZodType): boolean => docs.get(object)?.['x-assumption'] !== undefined

/** What a schema allows, in words that complete "is …". */
export function wordsFor(schema: z.ZodType): string {
  const inner = innerOf(schema)
  if (inner instanceof z.ZodArray) return `a list, of which each is ${wordsFor(inner.element as z.ZodType)}`
  return leafOf(schema)?.is ?? 'an object'
}

/**
 * Everything in a value that is against its schema.
 * @param at where the value is.
 * @param open whether it is an assumption which fields are there.
 */
export function breaches(schema: z.ZodType, value: unknown, at: string, open = false): Breach[] {
  const inner = innerOf(schema)
  const leaf = leafOf(schema)
  const wrong = (): Breach[] => [{ at, seen: shown(value), expected: wordsFor(schema) }]
  if (leaf?.fits(value)) return []
  if (leaf) return typeof value === 'string' ? [{ at, seen: 'another string', expected: leaf.is }] : wrong()
  if (inner instanceof z.ZodArray) {
    if (!Array.isArray(value)) return wrong()
    return value.flatMap((item, place) => breaches(inner.element as z.ZodType, item, `${at}[${place}]`, open))
  }
  if (!isJsonObject(value)) return wrong()
  if (inner instanceof z.ZodRecord) {
    return Object.entries(value).flatMap(([name, item]) =>
      breaches(inner.valueType as z.ZodType, item, `${at}.${name}`, open),
    )
  }
  if (!(inner instanceof z.ZodObject)) return []
  const isOpenHere = open || isOpen(inner)
  return Object.entries(inner.shape).flatMap(([name, given]) => {
    const field = given as z.ZodType
    const item = value[name]
    if (item !== undefined && item !== null) return breaches(field, item, `${at}.${name}`, isOpenHere)
    if (isOpenHere || field instanceof z.ZodOptional) return []
    return [{ at: `${at}.${name}`, seen: shown(item), expected: wordsFor(field) }]
  })
}

interface Leaf {
  is: string
  fits(value: unknown): boolean
}

function leafOf(schema: z.ZodType): Leaf | undefined {
  const inner = innerOf(schema)
  const format = shownFormats.get(schema) ?? shownFormats.get(inner)
  if (format) return { is: format.is, fits: (value) => typeof value === 'string' && format.fits(value) }
  if (inner instanceof z.ZodEnum) {
    return {
      is: `one of ${inner.options.join(', ')}`,
      fits: (value) => inner.options.some((option) => option === value),
    }
  }
  if (inner instanceof z.ZodNumber || docs.get(inner)?.['type'] === 'integer')
    return { is: 'an integer', fits: Number.isInteger }
  if (inner instanceof z.ZodBoolean)
    return { is: 'true or false', fits: (value) => typeof value === 'boolean' }
  if (inner.def.type === 'string') return { is: 'a string', fits: (value) => typeof value === 'string' }
  return undefined
}

/** A value as a report shows it: what may be somebody's is in the evidence only, where it is replaced. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
