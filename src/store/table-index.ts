// One index of a table: listing, unlisting and bulk loading rows.
import { HashMap } from './hash-map.ts'
import { endOfGroup, indexKey, startOfGroup, type Index } from './indexes.ts'
import type { CollectionName, Row } from './rows.ts'
import { sortInTurns, stepLength } from './sort-in-turns.ts'
import { newTree, treeOf, type Tree } from './tree.ts'

/** An index of a table: the rows of every group in their order, and how many each group has where that is asked. */
export interface TableIndex<C extends CollectionName> {
  name: string
  rule: Index<C>
  idOf: (row: Row<C>) => string
  /** The first row of each group by its group, where a group has one as a rule: found at once, and in no tree. */
  firsts: HashMap<Row<C>> | undefined
  rows: Tree<Row<C>>
  sizes: Tree<number> | undefined
}

export function emptyIndex<C extends CollectionName>(
  name: string,
  rule: Index<C>,
  idOf: (row: Row<C>) => string,
): TableIndex<C> {
  const firsts = rule.unique ? new HashMap<Row<C>>((row) => rule.group(row) ?? '') : undefined
  return { name, rule, idOf, firsts, rows: newTree(), sizes: rule.counted ? newTree() : undefined }
}

/** An index with the same rows that goes its own way from here. */
export function forkIndex<C extends CollectionName>(index: TableIndex<C>): TableIndex<C> {
  const { firsts, rows, sizes } = index
  return { ...index, firsts: firsts?.fork(), rows: rows.clone(), sizes: sizes?.clone() }
}

/** Fills an index that has no rows; yields between steps. */
export function* loadIndex<C extends CollectionName>(
  index: TableIndex<C>,
  rows: readonly Row<C>[],
): Generator<void, void> {
  const { rule, idOf } = index
  const listed: { key: string; row: Row<C> }[] = []
  const sizes = new Map<string, number>()
  for (const [place, row] of rows.entries()) {
    if (place % stepLength === stepLength - 1) yield
    if (index.firsts) {
      relist(index, undefined, row)
      continue
    }
    const group = rule.group(row)
    if (group === undefined) continue
    listed.push({ key: indexKey(group, rule.order(row), idOf(row)), row })
    if (index.sizes) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  if (index.firsts) return
  index.rows = treeOf(yield* sortInTurns(listed, ({ key }) => key))
  const groups = [...sizes].map(([key, row]) => ({ key, row }))
  if (index.sizes) index.sizes = treeOf(yield* sortInTurns(groups, ({ key }) => key))
}

/** Lists a row where it is now, and no longer where it was; a row that was not there before, or is not now. */
export function relist<C extends CollectionName>(
  index: TableIndex<C>,
  before: Row<C> | undefined,
  after: Row<C> | undefined,
): void {
  const [from, to] = [before && index.rule.group(before), after && index.rule.group(after)]
  if (before && after && from !== undefined && from === to) {
    const key = keyIn(index, from, after)
    if (key === keyIn(index, from, before)) {
      if (index.firsts?.get(from) === before) index.firsts.set(from, after)
      else index.rows.set(key, after)
      return
    }
  }
  if (before && from !== undefined) unlist(index, from, before)
  if (after && to !== undefined) list(index, to, after)
}

function list<C extends CollectionName>(index: TableIndex<C>, group: string, row: Row<C>): void {
  const { firsts, rows, sizes } = index
  sizes?.set(group, (sizes.get(group) ?? 0) + 1)
  const first = firsts?.set(group, row)
  if (firsts && !first) return
  const key = keyIn(index, group, row)
  const firstKey = first && keyIn(index, group, first)
  if (first === undefined || firstKey === undefined) rows.set(key, row)
  else if (key < firstKey) rows.set(firstKey, first)
  else {
    firsts?.set(group, first)
    rows.set(key, row)
  }
}

function unlist<C extends CollectionName>(index: TableIndex<C>, group: string, row: Row<C>): void {
  const { firsts, rows, sizes } = index
  sizes?.set(group, (sizes.get(group) ?? 0) - 1)
  if (firsts?.get(group) !== row) {
    rows.delete(keyIn(index, group, row))
    return
  }
  firsts.delete(group)
  const nextKey = rows.size > 0 ? rows.nextHigherKey(startOfGroup(group)) : undefined
  const next = nextKey !== undefined && nextKey < endOfGroup(group) ? rows.get(nextKey) : undefined
  if (nextKey === undefined || next === undefined) return
  rows.delete(nextKey)
  firsts.set(group, next)
}

/** The sortable key of a row in its group. */
export function keyIn<C extends CollectionName>(index: TableIndex<C>, group: string, row: Row<C>): string {
  return indexKey(group, index.rule.order(row), index.idOf(row))
}
