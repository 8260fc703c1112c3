import { closest } from '../contract/closest.ts'
import { id as idSchema, isJsonObject } from '../contract/formats.ts'
import { collectionNames, idField, type CollectionName } from '../store/rows.ts'
import { documentKeys, schemaVersion } from './document.ts'
import { mergePatch } from './merge-patch.ts'
import type { Path } from './json-text.ts'
import { problemAt, type Source } from './source-file.ts'
import type { Problem } from './problems.ts'
import type { Fields } from './fill.ts'

/**
 * Laying documents over each other, row by row, before anything in a row is looked at. Where each row came from is
 * kept, so that a problem that only shows in the whole still points at a line of the right file.
 */

/** Where a row stands; a row that several documents have also knows where it stood before. */
export interface Origin {
  source: Source
  path: Path
  earlier?: Origin
}

/** A row as the documents together give it. */
export interface GatheredRow {
  id: string
  fields: Fields
  origin: Origin
}

/** A part that is one object, such as `account`. */
export interface GatheredPart {
  value: unknown
  origin: Origin
}

/** All documents laid over each other. */
export class Gathered {
  readonly rows = new Map<CollectionName, Map<string, GatheredRow>>(
    collectionNames.map((collection) => [collection, new Map()]),
  )
  readonly parts = new Map<string, GatheredPart>()
  /** What the documents name at their top, an empty list included. */
  readonly named = new Set<string>()
  readonly problems: Problem[] = []

  /**
   * Lays one more document over what is there.
   * @param only the parts to take; the others are passed over.
   */
  add(source: Source, only?: ReadonlySet<string>): void {
    const document = source.value
    if (!isJsonObject(document)) {
      this.problems.push(problemAt(source, [], `must be an object with ${documentKeys.join(', ')}`))
      return
    }
    for (const key of Object.keys(document)) {
      // Editors find the schema of a JSON file by this key.
      if (key === '$schema' || (only && !only.has(key))) continue
      this.named.add(key)
      const collection = collectionNames.find((name) => name === key)
      if (collection !== undefined) this.#addRows(source, collection, document[key])
      else if (key === 'schema_version') this.#checkVersion(source, document[key])
      else if (documentKeys.includes(key)) this.#addPart(source, key, document[key])
      else this.problems.push(problemAt(source, [key], unknownName('collection', key, documentKeys), 'key'))
    }
  }

  #checkVersion(source: Source, version: unknown): void {
    if (version === schemaVersion) return
    const message = `must be ${schemaVersion}, the only version of state documents`
    this.problems.push(problemAt(source, ['schema_version'], message))
  }

  #addPart(source: Source, key: string, value: unknown): void {
    const before = this.parts.get(key)
    const origin: Origin = { source, path: [key], ...(before ? { earlier: before.origin } : {}) }
    this.parts.set(key, { value: mergePatch(before?.value, value), origin })
  }

  #addRows(source: Source, collection: CollectionName, list: unknown): void {
    if (!Array.isArray(list)) {
      this.problems.push(problemAt(source, [collection], 'must be a list of rows'))
      return
    }
    const rows = this.rows.get(collection) ?? new Map<string, GatheredRow>()
    const field = idField(collection)
    const named = new Map<string, number>()
    for (const [index, fields] of list.entries()) {
      const path = [collection, index]
      if (!isJsonObject(fields)) {
        this.problems.push(problemAt(source, path, 'must be an object'))
        continue
      }
      const id = fields[field]
      if (typeof id !== 'string' || !idSchema.safeParse(id).success) {
        const rule =
          id === undefined ? 'is required: ids are never made up' : 'must be a string of 1 to 200 characters'
        this.problems.push(problemAt(source, [...path, field], rule))
        continue
      }
      const twin = named.get(id)
      if (twin !== undefined) {
        const line = source.locate([collection, twin])?.line
        const where = line === undefined ? '' : ` in line ${line}`
        const message = `this ${field} is also the one of ${collection}[${twin}]${where}`
        this.problems.push(problemAt(source, [...path, field], message))
        continue
      }
      named.set(id, index)
      const before = rows.get(id)
      rows.set(
        id,
        before ? laidOver(before, fields, { source, path }) : { id, fields, origin: { source, path } },
      )
    }
  }
}

function laidOver(before: GatheredRow, patch: Fields, origin: Origin): GatheredRow {
  const merged = mergePatch(before.fields, patch)
  return {
    id: before.id,
    fields: isJsonObject(merged) ? merged : {},
    origin: { ...origin, earlier: before.origin },
  }
}

/** The message for a name that is none of those there are. */
export function unknownName(kind: string, name: string, known: Iterable<string>): string {
  const guess = closest(name, known)
  return `unknown ${kind}${guess === undefined ? '' : `, did you mean '${guess}'?`}`
}

/**
 * A problem of a row, shown where the value in question was given: in the last document that has it, or else at the
 * row in the last document that has the row.
 *
 * @param inner the path within the row.
 */
export function problemOf(origin: Origin, inner: Path, message: string, at?: 'key' | 'value'): Problem {
  let from: Origin | undefined = origin
  while (from !== undefined && !has(from.source.value, [...from.path, ...inner])) from = from.earlier
  const { source, path } = from ?? origin
  return problemAt(source, [...path, ...inner], message, at)
}

function has(value: unknown, path: Path): boolean {
  let inner = value
  for (const part of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return false
    inner = (inner as Readonly<Record<string | number, unknown>>)[part]
  }
  return true
}
