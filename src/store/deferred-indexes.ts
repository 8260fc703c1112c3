// The indexes of a table that are looked up far less often than its rows are written. Keeping an index costs more
// than the rest of a write, so writes are only noted, and a look-up lists those since the last one.
import type { CollectionName, Row } from './rows.ts'
import { forkIndex, loadIndex, relist, type TableIndex } from './table-index.ts'

/** A write that no index knows of yet, and those before it: a list that forks can share. */
interface Write<C extends CollectionName> {
  id: string
  before: Row<C> | undefined
  after: Row<C> | undefined
  earlier: Write<C> | undefined
}

/** The rows that a table was filled with; whichever fork looks them up first makes the trees for all. */
interface Load<C extends CollectionName> {
  rows: readonly Row<C>[]
  ids: readonly string[]
  indexes: readonly TableIndex<C>[] | undefined
}

export class DeferredIndexes<C extends CollectionName> {
  #indexes: readonly TableIndex<C>[]
  #load: Load<C> | undefined
  #last: Write<C> | undefined

  constructor(indexes: readonly TableIndex<C>[], load?: Load<C>, last?: Write<C>) {
    this.#indexes = indexes
    this.#load = load
    this.#last = last
  }

  /** The same indexes that go their own way from here. */
  fork(): DeferredIndexes<C> {
    // Most tables have none, and a fork is to cost little.
    if (this.#indexes.length === 0) return this
    return new DeferredIndexes(this.#indexes.map(forkIndex), this.#load, this.#last)
  }

  /** Notes the rows that an empty table is filled with. */
  load(rows: readonly Row<C>[], ids: readonly string[]): void {
    if (this.#indexes.length > 0) this.#load = { rows, ids, indexes: undefined }
  }

  /** Notes a write. */
  relist(id: string, before: Row<C> | undefined, after: Row<C> | undefined): void {
    if (this.#indexes.length > 0) this.#last = { id, before, after, earlier: this.#last }
  }

  /** The index of this name, with every row as it is now. */
  find(name: string): TableIndex<C> | undefined {
    if (this.#load) this.#listLoaded(this.#load)
    if (this.#last) this.#listWritten(this.#last)
    return this.#indexes.find((index) => index.name === name)
  }

  #listLoaded(load: Load<C>): void {
    load.indexes ??= this.#indexes.map((empty) => {
      const index = forkIndex(empty)
      loadIndex(index, load.rows, load.ids)
      return index
    })
    this.#indexes = load.indexes.map(forkIndex)
    this.#load = undefined
  }

  /** In the order in which it was written: each write goes on from the row that the one before left. */
  #listWritten(last: Write<C>): void {
    const writes: Write<C>[] = []
    for (let write: Write<C> | undefined = last; write; write = write.earlier) writes.push(write)
    for (const { id, before, after } of writes.toReversed()) {
      for (const index of this.#indexes) relist(index, id, before, after)
    }
    this.#last = undefined
  }
}
