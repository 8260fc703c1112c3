// A table: the rows of one collection with its indexes; lookup by id, range scans, diff, copy-on-write forks.
import { Derived, type Derivation } from './derived.ts'
import { HashMap, type Difference } from './hash-map.ts'
import { endOfGroup, indexKey, isGroup, startOfGroup, type Index } from './indexes.ts'
import { orderById, pageOf, sortById, type Page } from './ordered-rows.ts'
import { allAtOnce, isSorted, sortInTurns, stepLength } from './sort-in-turns.ts'
import { idField } from './references.ts'
import type { CollectionName, Row } from './rows.ts'
import { emptyIndex, forkIndex, keyIn, loadIndex, relist, type TableIndex } from './table-index.ts'

/** A place in the order of an index. */
export interface Place {
  order: string
  id: string
}

/** Where a scan of a group starts and how much it gives. */
export interface Range {
  /** Start after the row at this place; from the first row of the group if left out. */
  after?: Place | undefined
  limit?: number
  /** The other way round: from the last row of the group, or from the one before `after`. */
  backwards?: boolean
}

/** A row that two tables do not have alike. */
export type RowDifference<C extends CollectionName> = Difference<Row<C>>

type Indexes<C extends CollectionName> = readonly TableIndex<C>[]

/** What forks share until one of them writes: one object, so that a table that is only read has no more than that. */
interface Parts<C extends CollectionName> {
  readonly rows: HashMap<Row<C>>
  readonly indexes: Indexes<C>
  readonly ordered: Derived<Row<C>, readonly Row<C>[]>
  /** The indexes that are looked up far less often than rows are written. */
  readonly deferred: Derived<Row<C>, Indexes<C>> | undefined
}

/**
 * The rows of one collection with its indexes, all copied on write: a fork costs the same for any number of rows, and
 * the first write after it copies only the nodes on its way. Rows are found by a hash of their id; scans are ranges of
 * sorted keys; sizes of groups are kept, because a tree cannot count a range.
 */
export class Table<C extends CollectionName> {
  readonly idOf: (row: Row<C>) => string
  #parts: Parts<C>
  /** Whether another table has the same parts: most forks never write to most of their tables. */
  #isShared = false

  private constructor(idOf: (row: Row<C>) => string, parts: Parts<C>) {
    this.idOf = idOf
    this.#parts = parts
  }

  static empty<C extends CollectionName>(collection: C, rules: Readonly<Record<string, Index<C>>>): Table<C> {
    const idOf = idReader(collection)
    const indexes = Object.entries(rules).map(([name, rule]) => emptyIndex(name, rule, idOf))
    const prompt = indexes.filter(({ rule }) => !rule.deferred)
    const later = indexes.filter(({ rule }) => rule.deferred)
    const rows = new HashMap(idOf)
    const deferred = later.length > 0 ? new Derived(listing(later), rows) : undefined
    return new Table(idOf, { rows, indexes: prompt, ordered: new Derived(orderById(idOf), rows), deferred })
  }

  /** A table with the same rows that goes its own way from here. */
  fork(): Table<C> {
    if (!this.#isShared) {
      this.#parts.ordered.share(this.#parts.rows)
      this.#parts.deferred?.share(this.#parts.rows)
    }
    const fork = new Table(this.idOf, this.#parts)
    this.#isShared = true
    fork.#isShared = true
    return fork
  }

  /** Makes the parts this table's own, before it writes to them. */
  #claim(): void {
    if (!this.#isShared) return
    const { rows, indexes, ordered, deferred } = this.#parts
    this.#parts = {
      rows: rows.fork(),
      indexes: indexes.map(forkIndex),
      ordered: ordered.fork(),
      deferred: deferred?.fork(),
    }
    this.#isShared = false
  }

  get size(): number {
    return this.#parts.rows.size
  }

  get(id: string): Row<C> | undefined {
    return this.#parts.rows.get(id)
  }

  /** All rows by ascending id. */
  all(): IterableIterator<Row<C>> {
    return this.#parts.ordered.of(this.#parts.rows).values()
  }

  /** Some of them; see `pageOf`. */
  page(page: Page): Iterable<Row<C>> {
    return pageOf(this.#parts.ordered.of(this.#parts.rows), this.idOf, page)
  }

  /** Adds a row or replaces the one with its id; gives back what was there. */
  put(row: Row<C>): Row<C> | undefined {
    this.#claim()
    const before = this.#parts.rows.set(this.idOf(row), row)
    for (const index of this.#parts.indexes) relist(index, before, row)
    return before
  }

  /** Fills an empty table with rows of different ids; yields between steps, for others to have a turn. */
  *load(rows: readonly Row<C>[]): Generator<void, void> {
    if (this.size > 0) throw new Error('only an empty table can be loaded')
    this.#claim()
    for (const [place, row] of rows.entries()) {
      this.#parts.rows.set(this.idOf(row), row)
      if (place % stepLength === stepLength - 1) yield
    }
    for (const index of this.#parts.indexes) yield* loadIndex(index, rows)
    // Their order is made here for a large table, whose first reader would have to wait for all of it at once.
    const isLarge = rows.length > stepLength
    if (isLarge || isSorted(rows, this.idOf)) {
      this.#parts.ordered.begin(this.#parts.rows, [...(yield* sortInTurns(rows, this.idOf))])
    }
  }

  /** Removes a row; gives back what was there. */
  delete(id: string): Row<C> | undefined {
    if (this.#parts.rows.get(id) === undefined) return undefined
    this.#claim()
    const before = this.#parts.rows.delete(id)
    for (const index of this.#parts.indexes) relist(index, before, undefined)
    return before
  }

  /**
   * What became different on the way to another table, by ascending id; a row that was replaced by an equal one is
   * among it. What two forks still share is not looked at, so the cost is that of what was written.
   */
  diff(later: Table<C>): RowDifference<C>[] {
    return sortById(this.#parts.rows.diff(later.#parts.rows), ({ id }) => id)
  }

  /** The first row of a group. */
  find(indexName: string, group: string): Row<C> | undefined {
    const { firsts } = this.#index(indexName)
    return firsts ? firsts.get(group) : this.scan(indexName, group, { limit: 1 })[0]
  }

  /** The rows of a group in the order of the index. */
  scan(indexName: string, group: string, range: Range = {}): Row<C>[] {
    const index = this.#index(indexName)
    const { after, limit = Number.POSITIVE_INFINITY, backwards = false } = range
    const start = after ? indexKey(group, after.order, after.id) : undefined
    const found: Row<C>[] = []
    // A group named by a client could hold the separator, and would then reach into another group.
    if (limit <= 0 || !isGroup(group)) return found
    const first = index.firsts?.get(group)
    const firstKey = first && keyIn(index, group, first)
    const takesFirst =
      firstKey !== undefined && (start === undefined || (backwards ? firstKey < start : firstKey > start))
    if (first && takesFirst && !backwards) found.push(first)
    if (index.rows.size > 0 && found.length < limit) rangeOf(index, group, start, limit, backwards, found)
    if (first && takesFirst && backwards && found.length < limit) found.push(first)
    return found
  }

  /** How many rows a group has; the index must be a counted one. */
  count(indexName: string, group: string): number {
    return this.#index(indexName).sizes?.get(group) ?? 0
  }

  /** The place of a row in the order of an index. */
  placeOf(indexName: string, row: Row<C>): Place {
    return { order: this.#index(indexName).rule.order(row), id: this.idOf(row) }
  }

  #index(name: string): TableIndex<C> {
    const isNamed = (index: TableIndex<C>): boolean => index.name === name
    const index =
      this.#parts.indexes.find(isNamed) ?? this.#parts.deferred?.of(this.#parts.rows).find(isNamed)
    if (!index) throw new Error(`no index ${name}`)
    return index
  }
}

function idReader<C extends CollectionName>(collection: C): (row: Row<C>) => string {
  const field = idField(collection)
  // Every row schema has its id field; which one it is depends on the collection.
  return (row) => (row as unknown as Record<string, string>)[field] ?? ''
}

/** How the indexes of a table are made of its rows, given the empty ones. */
function listing<C extends CollectionName>(empty: Indexes<C>): Derivation<Row<C>, Indexes<C>> {
  return {
    make(rows) {
      const made = empty.map(forkIndex)
      for (const index of made) allAtOnce(loadIndex(index, rows.values()))
      return made
    },
    update(before, differences) {
      const updated = before.map(forkIndex)
      for (const { before: old, after } of differences) {
        for (const index of updated) relist(index, old, after)
      }
      return updated
    },
  }
}

/** Adds the rows of a group that come after a key, or before it when it goes backwards, up to a limit. */
function rangeOf<C extends CollectionName>(
  { rows }: TableIndex<C>,
  group: string,
  start: string | undefined,
  limit: number,
  backwards: boolean,
  found: Row<C>[],
): void {
  const [first, end] = [startOfGroup(group), endOfGroup(group)]
  if (backwards) {
    for (const [key, row] of rows.entriesReversed(start ?? end, undefined, true)) {
      if (key < first) break
      found.push(row)
      if (found.length >= limit) break
    }
    return
  }
  rows.forRange(start ?? first, end, false, (key, row) => {
    if (key === start) return undefined
    found.push(row)
    return found.length >= limit ? { break: true } : undefined
  })
}
