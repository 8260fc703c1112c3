// The state: all data that a sandbox has and can change, as rows, the account, stubs and the position of the id
// sequence.
import type { Assumptions } from '../contract/assumptions.ts'
import { declareIndexes, type Index, type IndexName } from './indexes.ts'
import { collectionNames, type Account, type CollectionName, type Row } from './rows.ts'
import { noSequences, type Sequences } from './sequences.ts'
import { noStubs, type Stubs } from './stubs.ts'
import { Table, type IndexPosition, type Page, type Range, type RowDifference } from './table.ts'

type Tables = { [C in CollectionName]: Table<C> }

export class State {
  readonly #tables: Tables
  account: Account
  stubs: Stubs
  /** How many ids were assigned. */
  ids: number
  /** How many ids were assigned in each sequence of its own. */
  sequences: Sequences

  private constructor(tables: Tables, account: Account, stubs: Stubs, ids: number, sequences: Sequences) {
    this.#tables = tables
    this.account = account
    this.stubs = stubs
    this.ids = ids
    this.sequences = sequences
  }

  static empty(account: Account, assumptions: Pick<Assumptions, 'customers_order'>): State {
    const rules: { readonly [C in CollectionName]: Readonly<Record<string, Index<C>>> } =
      declareIndexes(assumptions)
    return new State(
      forEachCollection((collection) => Table.empty(collection, rules[collection])),
      account,
      noStubs,
      0,
      noSequences,
    )
  }

  /** Returns an independent state with the same rows; the cost does not depend on the number of rows. */
  fork(): State {
    return new State(
      forEachCollection((collection) => this.#tables[collection].fork()),
      this.account,
      this.stubs,
      this.ids,
      this.sequences,
    )
  }

  get<C extends CollectionName>(collection: C, id: string): Row<C> | undefined {
    return this.#tables[collection].get(id)
  }

  /** The rows with secrets that no log shows. */
  *secretRows(): Generator<object> {
    yield* this.all('api_keys')
    yield* this.all('webhook_endpoints')
  }

  /** All rows of a collection by ascending id. */
  all<C extends CollectionName>(collection: C): IterableIterator<Row<C>> {
    return this.#tables[collection].all()
  }

  /** Returns some of them: those after an id, or those whose ids have a prefix. */
  page<C extends CollectionName>(collection: C, page: Page): Iterable<Row<C>> {
    return this.#tables[collection].page(page)
  }

  size(collection: CollectionName): number {
    return this.#tables[collection].size
  }

  /** Returns the number of rows in all collections. */
  get rows(): number {
    let sum = 0
    for (const collection of collectionNames) sum += this.size(collection)
    return sum
  }

  /** Returns the rows of a collection that differ in another state; see `Table.diff`. */
  diff<C extends CollectionName>(collection: C, later: State): RowDifference<C>[] {
    return this.#tables[collection].diff(later.#tables[collection])
  }

  /** The rows of one group of an index, in its order. */
  scan<C extends CollectionName>(collection: C, index: IndexName<C>, group: string, range?: Range): Row<C>[] {
    return this.#tables[collection].scan(index, group, range)
  }

  /** Returns the first row of a group, for indexes whose groups usually have one. */
  find<C extends CollectionName>(collection: C, index: IndexName<C>, group: string): Row<C> | undefined {
    return this.#tables[collection].find(index, group)
  }

  /** Returns the number of rows in a group of a counted index. */
  count<C extends CollectionName>(collection: C, index: IndexName<C>, group: string): number {
    return this.#tables[collection].count(index, group)
  }

  /** Returns the position of a row in an index, to continue a scan after it. */
  positionOf<C extends CollectionName>(collection: C, index: IndexName<C>, row: Row<C>): IndexPosition {
    return this.#tables[collection].positionOf(index, row)
  }

  idOf<C extends CollectionName>(collection: C, row: Row<C>): string {
    return this.#tables[collection].idOf(row)
  }

  /** Adds a row; false if another one has its id. Only transactions call this. */
  insert<C extends CollectionName>(collection: C, row: Row<C>): boolean {
    return this.#tables[collection].insert(row)
  }

  /** Writes a row. Only transactions and the loading of documents call this. */
  put<C extends CollectionName>(collection: C, row: Row<C>): Row<C> | undefined {
    return this.#tables[collection].put(row)
  }

  /** Fills an empty collection with rows of different ids, in steps. Only the loading of documents calls this. */
  load<C extends CollectionName>(collection: C, rows: readonly Row<C>[]): void {
    return this.#tables[collection].load(rows)
  }

  /** Removes a row. Only transactions call this. */
  delete<C extends CollectionName>(collection: C, id: string): Row<C> | undefined {
    return this.#tables[collection].delete(id)
  }
}

/** One table per collection. TypeScript cannot see that each key gets its own kind of table. */
function forEachCollection(make: (collection: CollectionName) => unknown): Tables {
  return Object.fromEntries(collectionNames.map((collection) => [collection, make(collection)])) as Tables
}
