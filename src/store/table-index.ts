// One index of a table: adding, removing and bulk loading rows.
import { indexKey, type Index } from './indexes.ts'
import type { CollectionName, Row } from './rows.ts'
import { byCodeUnit, newTree, treeOf, type Tree } from './tree.ts'

/** An index of a table: the rows of every group in their order, and the size of each group if the rule counts them. */
export interface TableIndex<C extends CollectionName> {
  readonly name: string
  readonly rule: Index<C>
  readonly idOf: (row: Row<C>) => string
  /** Whether it has all rows; false for an index that no lookup has needed yet. */
  isFilled: boolean
  rows: Tree<Row<C>>
  sizes: Tree<number> | undefined
}

export function emptyIndex<C extends CollectionName>(
  name: string,
  rule: Index<C>,
  idOf: (row: Row<C>) => string,
): TableIndex<C> {
  return {
    name,
    rule,
    idOf,
    isFilled: !rule.onDemand,
    rows: newTree(),
    sizes: rule.counted ? newTree() : undefined,
  }
}

/** An index with the same rows, independent from here on. */
export function forkIndex<C extends CollectionName>(index: TableIndex<C>): TableIndex<C> {
  return { ...index, rows: index.rows.clone(), sizes: index.sizes?.clone() }
}

/** Fills an empty index. */
export function loadIndex<C extends CollectionName>(index: TableIndex<C>, rows: readonly Row<C>[]): void {
  const { rule, idOf } = index
  const listed: { key: string; row: Row<C> }[] = []
  const sizes = new Map<string, number>()
  for (const row of rows) {
    const group = rule.group(row)
    if (group === undefined) continue
    listed.push({ key: indexKey(group, rule.order(row), idOf(row)), row })
    if (index.sizes) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  index.isFilled = true
  index.rows = treeOf(listed.toSorted((a, b) => byCodeUnit(a.key, b.key)))
  const groups = [...sizes].map(([key, row]) => ({ key, row }))
  if (index.sizes) index.sizes = treeOf(groups.toSorted((a, b) => byCodeUnit(a.key, b.key)))
}

/** Adds a row under its current key, and removes its earlier key. Either row may be missing. */
export function relist<C extends CollectionName>(
  { isFilled, rule, idOf, rows, sizes }: TableIndex<C>,
  before: Row<C> | undefined,
  after: Row<C> | undefined,
): void {
  if (!isFilled) return
  const [from, to] = [before && rule.group(before), after && rule.group(after)]
  const oldKey = before && from !== undefined ? indexKey(from, rule.order(before), idOf(before)) : undefined
  const key = after && to !== undefined ? indexKey(to, rule.order(after), idOf(after)) : undefined
  if (oldKey !== undefined && oldKey !== key) rows.delete(oldKey)
  if (after && key !== undefined) rows.set(key, after)
  if (!sizes || from === to) return
  if (from !== undefined) sizes.set(from, (sizes.get(from) ?? 0) - 1)
  if (to !== undefined) sizes.set(to, (sizes.get(to) ?? 0) + 1)
}
