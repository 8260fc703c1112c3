// The sorted tree under tables and indexes: a copy-on-write B+ tree with bulk loading and diff.
import sortedBtree from 'sorted-btree'
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js'
import treeDiff from 'sorted-btree/extended/diffAgainst.js'

// The package is CommonJS: its default exports are properties of what Node gives as the default imports.
const BTree = sortedBtree.default

/** Tells of every entry that two trees do not share; what both of them hold as one is not looked at. */
export const diffAgainst = treeDiff.default

/** Values by sorted text keys, copied on write: a clone costs the same for any size. */
export type Tree<V> = InstanceType<typeof BTree<string, V>>

/** The order of keys. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function newTree<V>(): Tree<V> {
  return new BTree<string, V>(undefined, byCodeUnit)
}

/** A tree of many entries by ascending keys, which costs a fraction of adding them one by one. No key may come twice. */
export function treeOf<V>(entries: readonly { key: string; row: V }[]): Tree<V> {
  const keys = entries.map(({ key }) => key)
  return bulkLoad(
    keys,
    entries.map(({ row }) => row),
    newTree<V>()._maxNodeSize,
    byCodeUnit,
  )
}
