// One index of a table: listing, unlisting and bulk loading rows.
import { indexKey, type Index } from './indexes.ts'
import type { CollectionName, Row } from './rows.ts'
import { newTree, treeOf, type Tree } from './tree.ts'

/** An index of a table: the rows of every group in their order, and how many each group has where that is asked. */
export interface TableIndex<C extends CollectionName> {
  name: string
  rule: Index<C>
  rows: Tree<Row<C>>
  sizes: Tree<number> | undefined
}

export function emptyIndex<C extends CollectionName>(name: string, rule: Index<C>): TableIndex<C> {
  return { name, rule, rows: newTree<Row<C>>(), sizes: rule.counted ? newTree<number>() : undefined }
}

/** An index with the same rows that goes its own way from here. */
export function forkIndex<C extends CollectionName>(index: TableIndex<C>): TableIndex<C> {
  return { ...index, rows: index.rows.clone(), sizes: index.sizes?.clone() }
}

/** Fills an index that has no rows, all at once. */
export function loadIndex<C extends CollectionName>(
  index: TableIndex<C>,
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

/** Lists a row where it is now, and no longer where it was; a row that was not there before, or is not now. */
export function relist<C extends CollectionName>(
  index: TableIndex<C>,
  id: string,
  before: Row<C> | undefined,
  after: Row<C> | undefined,
): void {
  if (before !== undefined) list(index, before, id, -1)
  if (after !== undefined) list(index, after, id, 1)
}

/** Adds a row to an index, or takes it away. */
function list<C extends CollectionName>(index: TableIndex<C>, row: Row<C>, id: string, by: 1 | -1): void {
  const group = index.rule.group(row)
  if (group === undefined) return
  const key = indexKey(group, index.rule.order(row), id)
  const changed = by === 1 ? index.rows.set(key, row) : index.rows.delete(key)
  if (changed && index.sizes) index.sizes.set(group, (index.sizes.get(group) ?? 0) + by)
}
