import sortedBtree from 'sorted-btree'
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js'
import treeDiff from 'sorted-btree/extended/diffAgainst.js'
import { endOfGroup, indexKey, isGroup, startOfGroup, type Index } from './indexes.ts'
import { idField, type CollectionName, type Row } from './rows.ts'

// The package is CommonJS: its default exports are properties of what Node gives as the default imports.
const BTree = sortedBtree.default
const diffAgainst = treeDiff.default
type Tree<V> = InstanceType<typeof BTree<string, V>>

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function newTree<V>(): Tree<V> {
  return new BTree<string, V>(undefined, byCodeUnit)
}

/** A tree of many entries, which costs a fraction of adding them one by one. No key may come twice. */
function treeOf<V>(keys: string[], values: V[]): Tree<V> {
  const empty = newTree<V>()
  for (let at = 1; at < keys.length; at++) {
    if ((keys[at - 1] ?? '') < (keys[at] ?? '')) continue
    const order = [...keys.keys()].toSorted((a, b) => byCodeUnit(keys[a] ?? '', keys[b] ?? ''))
    return treeOf(
      order.map((place) => keys[place] ?? ''),
      order.map((place) => values[place] as V),
    )
  }
  return bulkLoad(keys, values, empty._maxNodeSize, byCodeUnit)
}

interface BuiltIndex<C extends CollectionName> {
  name: string
  rule: Index<C>
  rows: Tree<Row<C>>
  sizes: Tree<number> | undefined
}

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
  readonly #indexes: readonly BuiltIndex<C>[]

  private constructor(idOf: string, rows: Tree<Row<C>>, indexes: readonly BuiltIndex<C>[]) {
    this.#idField = idOf
    this.#rows = rows
    this.#indexes = indexes
  }

  static empty<C extends CollectionName>(collection: C, rules: Readonly<Record<string, Index<C>>>): Table<C> {
    const indexes = Object.entries(rules).map(([name, rule]) => ({
      name,
      rule,
      rows: newTree<Row<C>>(),
      sizes: rule.counted ? newTree<number>() : undefined,
    }))
    return new Table(idField(collection), newTree(), indexes)
  }

  /** A table with the same rows that goes its own way from here. */
  fork(): Table<C> {
    const indexes = this.#indexes.map((index) => ({
      ...index,
      rows: index.rows.clone(),
      sizes: index.sizes?.clone(),
    }))
    return new Table(this.#idField, this.#rows.clone(), indexes)
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
    const id = this.idOf(row)
    // A new row, which most are, is found to be new on the way to its place.
    if (this.#rows.setIfNotPresent(id, row)) {
      for (const index of this.#indexes) list(index, row, id)
      return undefined
    }
    const before = this.#rows.get(id)
    this.#rows.set(id, row)
    for (const index of this.#indexes) {
      if (before !== undefined) unlist(index, before, id)
      list(index, row, id)
    }
    return before
  }

  /** Fills an empty table with rows of different ids, all at once. */
  load(rows: readonly Row<C>[]): void {
    if (this.size > 0) throw new Error('only an empty table can be loaded')
    const ids = rows.map((row) => this.idOf(row))
    this.#rows = treeOf(ids, [...rows])
    for (const index of this.#indexes) loadIndex(index, rows, ids)
  }

  /** Removes a row; gives back what was there. */
  delete(id: string): Row<C> | undefined {
    const before = this.#rows.get(id)
    if (before === undefined) return undefined
    this.#rows.delete(id)
    for (const index of this.#indexes) unlist(index, before, id)
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

  #index(name: string): BuiltIndex<C> {
    const index = this.#indexes.find((candidate) => candidate.name === name)
    if (!index) throw new Error(`no index ${name}`)
    return index
  }
}

function loadIndex<C extends CollectionName>(
  index: BuiltIndex<C>,
  rows: readonly Row<C>[],
  ids: readonly string[],
): void {
  const keys: string[] = []
  const listed: Row<C>[] = []
  const sizes = new Map<string, number>()
  for (const [at, row] of rows.entries()) {
    const group = index.rule.group(row)
    if (group === undefined) continue
    keys.push(indexKey(group, index.rule.order(row), ids[at] ?? ''))
    listed.push(row)
    if (index.sizes) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  index.rows = treeOf(keys, listed)
  if (index.sizes) index.sizes = treeOf([...sizes.keys()], [...sizes.values()])
}

function list<C extends CollectionName>(index: BuiltIndex<C>, row: Row<C>, id: string): void {
  const group = index.rule.group(row)
  if (group === undefined) return
  const added = index.rows.set(indexKey(group, index.rule.order(row), id), row)
  if (added && index.sizes) index.sizes.set(group, (index.sizes.get(group) ?? 0) + 1)
}

function unlist<C extends CollectionName>(index: BuiltIndex<C>, row: Row<C>, id: string): void {
  const group = index.rule.group(row)
  if (group === undefined) return
  const removed = index.rows.delete(indexKey(group, index.rule.order(row), id))
  if (removed && index.sizes) index.sizes.set(group, (index.sizes.get(group) ?? 0) - 1)
}
