// A table: the rows of one collection with its indexes; lookup by id, range scans, diff, copy-on-write forks.
import { DeferredIndexes } from './deferred-indexes.ts'
import { endOfGroup, indexKey, isGroup, startOfGroup, type Index } from './indexes.ts'
import { idField, type CollectionName, type Row } from './rows.ts'
import { emptyIndex, forkIndex, loadIndex, relist, type TableIndex } from './table-index.ts'
import { byCodeUnit, diffAgainst, newTree, treeOf, type Tree } from './tree.ts'

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

/** A row that two tables do not have alike: `before` is missing where it is new, `after` where it is gone. */
export interface RowDifference<C extends CollectionName> {
  id: string
  before?: Row<C>
  after?: Row<C>
}

/**
 * The rows of one collection with its indexes, in copy-on-write trees: a fork costs the same for any number of
 * rows, and the first write after it copies only the nodes on its way. Scans are ranges of sorted keys; sizes of
 * groups are kept, because a tree cannot count a range.
 */
export class Table<C extends CollectionName> {
  readonly #idField: string
  #rows: Tree<Row<C>>
  #indexes: readonly TableIndex<C>[]
  #deferred: DeferredIndexes<C>
  /** Whether another table has the same trees: most forks never write to most of their tables. */
  #isShared = false

  private constructor(
    idOf: string,
    rows: Tree<Row<C>>,
    indexes: readonly TableIndex<C>[],
    deferred: DeferredIndexes<C>,
  ) {
    this.#idField = idOf
    this.#rows = rows
    this.#indexes = indexes
    this.#deferred = deferred
  }

  static empty<C extends CollectionName>(collection: C, rules: Readonly<Record<string, Index<C>>>): Table<C> {
    const indexes = Object.entries(rules).map(([name, rule]) => emptyIndex(name, rule))
    const prompt = indexes.filter(({ rule }) => !rule.deferred)
    const deferred = new DeferredIndexes(indexes.filter(({ rule }) => rule.deferred))
    return new Table(idField(collection), newTree(), prompt, deferred)
  }

  /** A table with the same rows that goes its own way from here. */
  fork(): Table<C> {
    const fork = new Table(this.#idField, this.#rows, this.#indexes, this.#deferred)
    this.#isShared = true
    fork.#isShared = true
    return fork
  }

  /** Makes the trees this table's own, before it writes to them. */
  #claim(): void {
    if (!this.#isShared) return
    this.#rows = this.#rows.clone()
    this.#indexes = this.#indexes.map(forkIndex)
    this.#deferred = this.#deferred.fork()
    this.#isShared = false
  }

  get size(): number {
    return this.#rows.size
  }

  idOf(row: Row<C>): string {
    // Every row schema has its id field; which one it is depends on the collection.
    return (row as unknown as Record<string, string>)[this.#idField] ?? ''
  }

  get(id: string): Row<C> | undefined {
    return this.#rows.get(id)
  }

  /** All rows by ascending id. */
  all(): IterableIterator<Row<C>> {
    return this.#rows.values()
  }

  /** Adds a row or replaces the one with its id; gives back what was there. */
  put(row: Row<C>): Row<C> | undefined {
    this.#claim()
    const id = this.idOf(row)
    // A new row, which most are, is found to be new on the way to its place.
    if (this.#rows.setIfNotPresent(id, row)) {
      this.#relist(id, undefined, row)
      return undefined
    }
    const before = this.#rows.get(id)
    this.#rows.set(id, row)
    this.#relist(id, before, row)
    return before
  }

  /** Fills an empty table with rows of different ids, all at once. */
  load(rows: readonly Row<C>[]): void {
    if (this.size > 0) throw new Error('only an empty table can be loaded')
    this.#claim()
    const ids = rows.map((row) => this.idOf(row))
    this.#rows = treeOf(ids, [...rows])
    for (const index of this.#indexes) loadIndex(index, rows, ids)
    this.#deferred.load(rows, ids)
  }

  /** Removes a row; gives back what was there. */
  delete(id: string): Row<C> | undefined {
    const before = this.#rows.get(id)
    if (before === undefined) return undefined
    this.#claim()
    this.#rows.delete(id)
    this.#relist(id, before, undefined)
    return before
  }

  /**
   * What became different on the way to another table, by ascending id; a row that was replaced by an equal one is
   * among it. What two forks still share is not looked at, so the cost is that of what was written.
   */
  diff(later: Table<C>): RowDifference<C>[] {
    const found: RowDifference<C>[] = []
    diffAgainst(
      this.#rows,
      later.#rows,
      (id, before) => void found.push({ id, before }),
      (id, after) => void found.push({ id, after }),
      (id, before, after) => void found.push({ id, before, after }),
    )
    // The trees are walked from their ends, which is nothing that is promised.
    return found.toSorted((a, b) => byCodeUnit(a.id, b.id))
  }

  /** The rows of a group in the order of the index. */
  scan(indexName: string, group: string, range: Range = {}): Row<C>[] {
    const index = this.#index(indexName)
    const { after, limit = Number.POSITIVE_INFINITY } = range
    const start = after ? indexKey(group, after.order, after.id) : startOfGroup(group)
    const found: Row<C>[] = []
    // A group named by a client could hold the separator, and would then reach into another group.
    if (limit <= 0 || !isGroup(group)) return found
    if (range.backwards) {
      const end = after ? start : endOfGroup(group)
      for (const [key, row] of index.rows.entriesReversed(end, undefined, true)) {
        if (key < startOfGroup(group)) break
        found.push(row)
        if (found.length >= limit) break
      }
      return found
    }
    index.rows.forRange(start, endOfGroup(group), false, (key, row) => {
      if (after && key === start) return undefined
      found.push(row)
      return found.length >= limit ? { break: true } : undefined
    })
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

  /** Lists a row where it is now, and no longer where it was. */
  #relist(id: string, before: Row<C> | undefined, after: Row<C> | undefined): void {
    for (const index of this.#indexes) relist(index, id, before, after)
    this.#deferred.relist(id, before, after)
  }

  #index(name: string): TableIndex<C> {
    const index = this.#indexes.find((candidate) => candidate.name === name) ?? this.#deferred.find(name)
    if (!index) throw new Error(`no index ${name}`)
    return index
  }
}
