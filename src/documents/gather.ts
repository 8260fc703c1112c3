// Laying documents over each other, row by row, before anything in a row is looked at. Where each row came from is
// kept, so that a problem that only shows in the whole still points at a line of the right file.
import { isJsonObject } from '../contract/formats.ts'
import { idField } from '../store/references.ts'
import { collectionNames, type CollectionName } from '../store/rows.ts'
import { stubKey } from '../store/stubs.ts'
import { documentKeys, schemaVersion } from './state-document.ts'
import { mergePatch } from './merge-patch.ts'
import type { Path } from '../reading/json-text.ts'
import { didYouMean } from '../reading/did-you-mean.ts'
import { isPassedOver, type Source } from '../reading/source-file.ts'
import { ProblemList, type Finding } from '../reading/problem-list.ts'
import type { Fields } from './fill/filler.ts'

/** What a row without an id is told. */
export const idRequired = 'is required: ids are never made up'

/** Where a row or part stands; what several documents have also knows where it stood before. */
export interface Origin {
  source: Source
  /** The name at the top of the document. */
  key: string
  /** The place in its list; undefined for a part that is one object. */
  index: number | undefined
  earlier: Origin | undefined
}

/** A row as the documents together give it. */
export interface GatheredRow extends Origin {
  key: CollectionName
  index: number
  id: string
  fields: Fields
}

/** A part that is one object, such as `account`. */
export interface GatheredPart extends Origin {
  value: unknown
}

/** Adds a problem of what stands at a place of some document; the path is within that. */
export type Add = (origin: Origin, path: Path, message: Finding['message'], at?: 'key' | 'value') => void

/** How many rows are laid down before others may have a turn. */
const rowsInStep = 256

/** A stub as the last document that says something of it gives it. */
export interface GatheredStub extends Origin {
  index: number
  value: unknown
}

/** All documents laid over each other. */
export class Gathered {
  readonly rows = new Map<CollectionName, Map<string, GatheredRow>>(
    collectionNames.map((collection) => [collection, new Map()]),
  )
  readonly parts = new Map<string, GatheredPart>()
  readonly stubs = new Map<string, GatheredStub>()
  readonly problems: ProblemList
  /** Rows of an id that stood in the same file before: refused, and looked at for what else is wrong with them. */
  readonly duplicates: GatheredRow[] = []
  /** Rows of an id that stands in two files of one folder: perhaps on purpose, as the later one says more. */
  readonly repeated: GatheredRow[] = []
  /** Whether a document could not be read, so that what seems to be missing may stand in it. */
  readonly isIncomplete: boolean

  /** @param problems of documents that could not be read. */
  constructor(problems: ProblemList = new ProblemList({ byLine: true })) {
    this.problems = problems
    this.isIncomplete = problems.size > 0
  }

  /**
   * Lays one more document over what is there; yields after every few rows, for others to have a turn.
   * @param only the parts to take; the others are passed over.
   * @throws {DocumentError} when there are so many problems that nothing more is worth reading.
   */
  *add(source: Source, only?: ReadonlySet<string>): Generator<void, void> {
    const document = source.value
    if (!isJsonObject(document)) {
      this.#refuse(source, [], `must be an object with ${documentKeys.join(', ')}`)
      return
    }
    for (const key of Object.keys(document)) {
      // Editors find the schema of a JSON file by this key.
      if (key === '$schema' || isPassedOver(key) || (only && !only.has(key))) continue
      const collection = collectionNames.find((name) => name === key)
      if (collection !== undefined) yield* this.#addRows(source, collection, document[key])
      else if (key === 'schema_version') this.#checkVersion(source, document[key])
      else if (key === 'stubs') this.#addStubs(source, document[key])
      else if (documentKeys.includes(key)) this.#addPart(source, key, document[key])
      else this.#refuse(source, [key], `unknown collection${didYouMean(key, documentKeys)}`, 'key')
    }
  }

  #refuse(source: Source, path: Path, message: string, at?: 'key' | 'value'): void {
    this.problems.add({ source, path, message, at })
  }

  #checkVersion(source: Source, version: unknown): void {
    if (version === schemaVersion) return
    this.#refuse(source, ['schema_version'], `must be ${schemaVersion}, the only version of state documents`)
  }

  #addPart(source: Source, key: string, value: unknown): void {
    const earlier = this.parts.get(key)
    this.parts.set(key, { source, key, index: undefined, earlier, value: mergePatch(earlier?.value, value) })
  }

  /** Takes these stubs in place of all that are there. */
  replaceStubs(source: Source, list: unknown): void {
    this.stubs.clear()
    this.#addStubs(source, list)
  }

  /** Stubs have no id: one of the same method and path replaces that of an earlier document. */
  #addStubs(source: Source, list: unknown): void {
    if (!Array.isArray(list)) {
      this.#refuse(source, ['stubs'], 'must be a list of stubs')
      return
    }
    for (const [index, value] of list.entries()) {
      const { method, path } = isJsonObject(value) ? value : {}
      const isNamed = typeof method === 'string' && typeof path === 'string'
      // What has neither is refused by the schema, in its own place.
      const key = isNamed ? stubKey({ method, path }) : `${source.name} ${index}`
      const earlier = this.stubs.get(key)
      if (earlier?.source === source) {
        const message = `is also the method and path of stubs[${earlier.index}]`
        this.#refuse(source, ['stubs', index, 'path'], message)
      } else this.stubs.set(key, { source, key: 'stubs', index, earlier, value })
    }
  }

  *#addRows(source: Source, key: CollectionName, list: unknown): Generator<void, void> {
    if (!Array.isArray(list)) {
      this.#refuse(source, [key], 'must be a list of rows')
      return
    }
    const rows = this.rows.get(key) ?? new Map<string, GatheredRow>()
    const field = idField(key)
    for (const [index, fields] of list.entries()) {
      if (index % rowsInStep === rowsInStep - 1) yield
      if (!isJsonObject(fields)) {
        this.#refuse(source, [key, index], 'must be an object')
        continue
      }
      const id = fields[field]
      if (typeof id !== 'string') {
        const rule = id === undefined ? idRequired : 'must be a string'
        this.#refuse(source, [key, index, field], rule)
        continue
      }
      const earlier = rows.get(id)
      if (earlier === undefined) {
        rows.set(id, { source, key, index, earlier, id, fields })
      } else if (earlier.source === source) {
        const message = `is also the ${field} of ${key}[${earlier.index}]`
        this.problems.add({ source, path: [key, index, field], message, lineOf: [key, earlier.index] })
        this.duplicates.push({ source, key, index, earlier: undefined, id, fields })
      } else {
        const merged = mergePatch(earlier.fields, fields)
        const row = { source, key, index, earlier, id, fields: isJsonObject(merged) ? merged : {} }
        if (source.folder !== undefined && source.folder === earlier.source.folder) this.repeated.push(row)
        rows.set(id, row)
      }
    }
  }
}

/** The path of a row or part in its document. */
export function pathOf({ key, index }: Origin): Path {
  return index === undefined ? [key] : [key, index]
}

/**
 * A problem of a row, shown where the value in question was given: in the last document that has it, or else at the
 * row in the last document that has the row.
 *
 * @param inner the path within the row.
 */
export function problemOf(
  origin: Origin,
  inner: Path,
  message: Finding['message'],
  at?: 'key' | 'value',
): Finding {
  let from: Origin | undefined = origin
  while (from !== undefined && !has(from.source.value, [...pathOf(from), ...inner])) from = from.earlier
  const place = from ?? origin
  return { source: place.source, path: [...pathOf(place), ...inner], message, at }
}

function has(value: unknown, path: Path): boolean {
  let inner = value
  for (const part of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, part)) return false
    inner = (inner as Readonly<Record<string | number, unknown>>)[part]
  }
  return true
}
