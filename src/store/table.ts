// A table: the rows of one collection with its indexes; lookup by id, range scans, diff, copy-on-write forks.
import { endOfGroup, indexKey, isGroup, startOfGroup, type Index } from './indexes.ts'
import { idField } from './references.ts'
import type { CollectionName, Row } from './rows.ts'
import { emptyIndex, forkIndex, loadIndex, relist, type TableIndex } from './table-index.ts'
import { byCodeUnit, diffAgainst, newTree, treeOf, type Tree } from './tree.ts'

/** A position in the order of an index. */
export interface IndexPosition {
  order: string
  id: string
}

/** Where a scan of a group starts, and its limit. */
export interface Range {
  /** Starts after the row at this position; from the first row of the group if omitted. */
  after?: IndexPosition | undefined
  limit?: number
  /** Backwards: from the last row of the group, or from the one before `after`. */
  backwards?: boolean
}

/** Which rows a page has, by their ids. */
export interface Page {
  /** Only rows after this id, which need not exist. */
  after?: string | undefined
  /** Only rows whose id has this prefix. */
  prefix?: string | undefined
  limit?: number | undefined
}

/** A row that differs between two tables: `before` is missing if it is new, `after` if it was deleted. */
export interface RowDifference<C extends CollectionName> {
  id: string
  before?: Row<C>
  after?: Row<C>
}

/**
 * The parts that forks share until one of them writes: one object, so that a fork that only reads costs almost nothing.
 */
interface Parts<C extends CollectionName> {
  /** By id. */
  readonly rows: Tree<Row<C>>
  readonly indexes: readonly TableIndex<C>[]
}

/**
 * The rows of one collection with its indexes, all copied on write: a fork costs the same for any number of rows, and
 * the first write after it copies only the nodes on its path. Scans are ranges of sorted keys. Sizes of groups are
 * stored, because a tree cannot count a range.
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
    return new Table(idOf, { rows: newTree(), indexes })
  }

  /** A table with the same rows, independent from here on. */
  fork(): Table<C> {
    const fork = new Table(this.idOf, this.#parts)
    this.#isShared = true
    fork.#isShared = true
    return fork
  }

  /** Copies the parts before this table writes to them. */
  #claim(): void {
    if (!this.#isShared) return
    const { rows, indexes } = this.#parts
    this.#parts = { rows: rows.clone(), indexes: indexes.map(forkIndex) }
    this.#isShared = false
  }

  get size(): number {
    return this.#parts.rows.size
  }

  get(id: string): Row<C> | undefined {
    return this.#parts.rows.get(id)
  }

  /** Returns all rows by ascending id as they are at the call, whatever is written while they are read. */
  all(): IterableIterator<Row<C>> {
    return this.#parts.rows.clone().values()
  }

  /**
   * Returns the rows of a page by ascending id, as `all` does; the cost depends on the page, not on the number of rows.
   */
  *page({ after = '', prefix = '', limit = Number.POSITIVE_INFINITY }: Page): Generator<Row<C>> {
    let left = limit
    for (const [id, row] of this.#parts.rows.clone().entries(after > prefix ? after : prefix)) {
      // Ids with the same prefix are next to each other.
      if (left <= 0 || !id.startsWith(prefix)) return
      if (id === after) continue
      yield row
      left--
    }
  }

  /** Adds a row; false if another one has its id. It descends the tree of rows once. */
  insert(row: Row<C>): boolean {
    this.#claim()
    const { rows, indexes } = this.#parts
    if (!rows.set(this.idOf(row), row, false)) return false
    for (const index of indexes) relist(index, undefined, row)
    return true
  }

  /** Adds a row or replaces the one with its id; returns the earlier one. */
  put(row: Row<C>): Row<C> | undefined {
    // Most rows are new.
    if (this.insert(row)) return undefined
    const { rows, indexes } = this.#parts
    const id = this.idOf(row)
    const before = rows.get(id)
    rows.set(id, row)
    for (const index of indexes) relist(index, before, row)
    return before
  }

  /** Fills an empty table with rows of different ids. */
  load(rows: readonly Row<C>[]): void {
    if (this.size > 0) throw new Error('only an empty table can be loaded')
    this.#claim()
    const { indexes } = this.#parts
    const byId = rows
      .map((row) => ({ key: this.idOf(row), row }))
      .toSorted((a, b) => byCodeUnit(a.key, b.key))
    this.#parts = { indexes, rows: treeOf(byId) }
    for (const index of indexes) if (index.isFilled) loadIndex(index, rows)
  }

  /** Removes a row; returns it. */
  delete(id: string): Row<C> | undefined {
    const before = this.get(id)
    if (before === undefined) return undefined
    this.#claim()
    this.#parts.rows.delete(id)
    for (const index of this.#parts.indexes) relist(index, before, undefined)
    return before
  }

  /**
   * Returns the differences to a later table, by ascending id, including rows that were replaced by equal ones. It
   * skips nodes that both tables share, so the cost depends on the number of writes between them.
   */
  diff(later: Table<C>): RowDifference<C>[] {
    const found: RowDifference<C>[] = []
    diffAgainst(
      this.#parts.rows,
      later.#parts.rows,
      (id, before) => void found.push({ id, before }),
      (id, after) => void found.push({ id, after }),
      (id, before, after) => void found.push({ id, before, after }),
    )
    return found.toSorted((a, b) => byCodeUnit(a.id, b.id))
  }

  /** Returns the first row of a group. */
  find(indexName: string, group: string): Row<C> | undefined {
    return this.scan(indexName, group, { limit: 1 })[0]
  }

  /** Returns the rows of a group in the order of the index. */
  scan(indexName: string, group: string, range: Range = {}): Row<C>[] {
    const index = this.#index(indexName)
    const { after, limit = Number.POSITIVE_INFINITY, backwards = false } = range
    const start = after ? indexKey(group, after.order, after.id) : undefined
    const found: Row<C>[] = []
    // A group name from a client could contain the separator, and would then reach into another group.
    if (limit <= 0 || !isGroup(group)) return found
    rangeOf(index, group, start, limit, backwards, found)
    return found
  }

  /** Returns the number of rows in a group of a counted index. */
  count(indexName: string, group: string): number {
    return this.#index(indexName).sizes?.get(group) ?? 0
  }

  /** Returns the position of a row in the order of an index. */
  positionOf(indexName: string, row: Row<C>): IndexPosition {
    return { order: this.#index(indexName).rule.order(row), id: this.idOf(row) }
  }

  #index(name: string): TableIndex<C> {
    const index = this.#parts.indexes.find((one) => one.name === name)
    if (!index) throw new Error(`no index ${name}`)
    // Forks that still share the index are filled, too.
    if (!index.isFilled) loadIndex(index, this.#parts.rows.valuesArray())
    return index
  }
}

function idReader<C extends CollectionName>(collection: C): (row: Row<C>) => string {
  const field = idField(collection)
  // Every row schema has its id field; its name depends on the collection.
  return (row) => (row as unknown as Record<string, string>)[field] ?? ''
}

/** Adds the rows of a group after a key, or before it when scanning backwards, up to a limit. */
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
