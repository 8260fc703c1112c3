// The sorted tree under tables and indexes: a copy-on-write B+ tree with bulk loading and diff.
import sortedBtree from 'sorted-btree'
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js'
import treeDiff from 'sorted-btree/extended/diffAgainst.js'

// The package is CommonJS: Node imports its exports as properties of the default export.
const BTree = sortedBtree.default

/** Calls back for every entry that two trees do not share; it skips shared nodes. */
export const diffAgainst = treeDiff.default

/** Values by sorted text keys, copied on write: the cost of a clone does not depend on the size. */
export type Tree<V> = InstanceType<typeof BTree<string, V>>

/** The order of keys. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function newTree<V>(): Tree<V> {
  return new BTree<string, V>(undefined, byCodeUnit)
}

/**
 * Creates a tree of entries by ascending keys at a fraction of the cost of adding them one by one. Keys must be unique.
 */
export function treeOf<V>(entries: readonly { key: string; row: V }[]): Tree<V> {
  const keys = entries.map(({ key }) => key)
  return bulkLoad(
    keys,
    entries.map(({ row }) => row),
    newTree<V>()._maxNodeSize,
    byCodeUnit,
  )
}
