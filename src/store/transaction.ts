// A transaction: the reads and writes of one request, with rollback.
import type { IndexName } from './indexes.ts'
import { references } from './references.ts'
import {
  collectionNames,
  rowSchemas,
  type Account,
  type ApiKeyRow,
  type CollectionName,
  type CustomerRow,
  type Row,
} from './rows.ts'
import type { State } from './state.ts'
import { eventIdOf, numberedId, type NumberedCollection, type Sequences } from './sequences.ts'
import type { Stubs } from './stubs.ts'
import type { IndexPosition, Range } from './table.ts'

/** One row that a transaction changed; `before` is missing for a new row, `after` for a deleted one. */
export interface Change {
  collection: CollectionName | 'account' | 'stubs'
  id: string
  before?: object
  after?: object
}

/**
 * A lookup of a transaction: one row, or the rows of a group of an index. Lookups form a linked list: the journal
 * stores them, and an array that grows reserves room for many more.
 */
export interface Read {
  collection: CollectionName
  /** The requested id. */
  id: string | undefined
  /** The requested group of an index, and how many rows of it were returned. */
  group: string | undefined
  rows: number
  /** The row, if it was requested by its id and found. */
  row: object | undefined
  /** The rows of a group that were returned; of a long list only the first ones, as the journal stores them. */
  listed: readonly object[]
  before: Read | undefined
}

/** The collections whose rows `put` stores as they are, whatever their earlier ones. */
type UnkeyedCollection = Exclude<CollectionName, 'api_keys' | 'customers'>

/** Maximum number of rows of one list that a read references. */
export const maxListed = 1_000

/** Returns the lookups so far, in order. */
export function listReads(last: Read | undefined): Read[] {
  const reads: Read[] = []
  for (let read = last; read; read = read.before) reads.push(read)
  return reads.toReversed()
}

const noChanges: readonly Change[] = Object.freeze([])
const noRows: readonly object[] = Object.freeze([])

/**
 * All writes of one request: they are committed together if it succeeds, and `rollback` reverts them if it fails.
 * Handlers run to their end without waiting, so no other call sees an intermediate state.
 */
export class Transaction {
  readonly #state: State
  readonly #newId: (place: number, prefix: string) => string
  readonly #keyed: ((row: ApiKeyRow) => ApiKeyRow) | undefined
  #changes: Change[] | undefined
  #lastRead: Read | undefined
  readonly #idsBefore: number
  readonly #sequencesBefore: Sequences

  /**
   * @param newId returns the id at a position of the sequence; see `runtime/ids.ts`.
   * @param keyed sets the key and the secret of a row of API keys, if clients may not choose them.
   */
  constructor(
    state: State,
    newId: (place: number, prefix: string) => string,
    keyed?: (row: ApiKeyRow) => ApiKeyRow,
  ) {
    this.#state = state
    this.#newId = newId
    this.#keyed = keyed
    this.#idsBefore = state.ids
    this.#sequencesBefore = state.sequences
  }

  get<C extends CollectionName>(collection: C, id: string): Row<C> | undefined {
    const row = this.#state.get(collection, id)
    this.#noteRead(collection, id, undefined, row === undefined ? 0 : 1, row, noRows)
    return row
  }

  all<C extends CollectionName>(collection: C): IterableIterator<Row<C>> {
    return this.#state.all(collection)
  }

  scan<C extends CollectionName>(collection: C, index: IndexName<C>, group: string, range?: Range): Row<C>[] {
    const rows = this.#state.scan(collection, index, group, range)
    const listed = rows.length > maxListed ? rows.slice(0, maxListed) : rows
    this.#noteRead(collection, undefined, group, rows.length, undefined, listed)
    return rows
  }

  find<C extends CollectionName>(collection: C, index: IndexName<C>, group: string): Row<C> | undefined {
    const row = this.#state.find(collection, index, group)
    const listed = row === undefined ? noRows : [row]
    this.#noteRead(collection, undefined, group, listed.length, undefined, listed)
    return row
  }

  size(collection: CollectionName): number {
    return this.#state.size(collection)
  }

  count<C extends CollectionName>(collection: C, index: IndexName<C>, group: string): number {
    return this.#state.count(collection, index, group)
  }

  positionOf<C extends CollectionName>(collection: C, index: IndexName<C>, row: Row<C>): IndexPosition {
    return this.#state.positionOf(collection, index, row)
  }

  /** Adds a row, or replaces the one with its id. Returns the stored row. */
  put<C extends CollectionName>(collection: C, input: Row<C>): Row<C> {
    // The compiler does not see that the rows of a collection are those of its name.
    const row = this.#keyed && collection === 'api_keys' ? (this.#keyed(input as ApiKeyRow) as Row<C>) : input
    const id = this.#state.idOf(collection, row)
    const before = this.#state.put(collection, row)
    this.#noteChange(
      before === undefined ? { collection, id, after: row } : { collection, id, before, after: row },
    )
    if (collection === 'customers') this.#endLink(row as CustomerRow)
    return row
  }

  /**
   * Adds a row with a new id of the sequence, as `nextId` and `put` do with two descents of the tree.
   * @param rowOf called again if a row has the id.
   * @example tx.insert('orders', 'order', (id) => ({ id, ...fields }))
   */
  insert<C extends UnkeyedCollection>(collection: C, prefix: string, rowOf: (id: string) => Row<C>): Row<C> {
    for (;;) {
      const id = this.#newId(this.#state.ids++, prefix)
      const row = rowOf(id)
      if (!this.#state.insert(collection, row)) continue
      this.#noteChange({ collection, id, after: row })
      return row
    }
  }

  /** A link belongs to one identifier: it ends when its customer gets another one. */
  #endLink({ id, partner_customer_id: partnerId }: CustomerRow): void {
    const link = this.#state.get('links', id)
    if (link && link.partner_customer_id !== partnerId) this.delete('links', id)
  }

  /** Removes a row; false if it does not exist. */
  delete<C extends CollectionName>(collection: C, id: string): boolean {
    const before = this.#state.delete(collection, id)
    if (before === undefined) return false
    this.#noteChange({ collection, id, before })
    return true
  }

  /**
   * Removes a row and every row that requires it; optional references to it are removed. It scans whole collections, so
   * it is for scenarios and tests, not for requests.
   */
  deleteWithDependents<C extends CollectionName>(collection: C, id: string): boolean {
    for (const from of collectionNames) {
      for (const [field, target] of Object.entries(references[from])) {
        if (target === collection) this.#release(from, field, id)
      }
    }
    return this.delete(collection, id)
  }

  #release<C extends CollectionName>(from: C, field: string, id: string): void {
    const naming = [...this.#state.all(from)].filter((row) => Reflect.get(row, field) === id)
    for (const row of naming) {
      const { [field]: _named, ...rest } = row as Record<string, unknown>
      const without = rowSchemas[from].safeParse(rest)
      if (without.success) this.put(from, rest as Row<C>)
      else this.deleteWithDependents(from, this.#state.idOf(from, row))
    }
  }

  /** Replaces the account's settings. */
  putAccount(account: Account): void {
    const before = this.#state.account
    this.#state.account = account
    this.#noteChange({ collection: 'account', id: 'account', before, after: account })
  }

  /** Replaces all stubs. */
  putStubs(stubs: Stubs): void {
    const before = this.#state.stubs
    this.#state.stubs = stubs
    this.#noteChange({ collection: 'stubs', id: 'stubs', before, after: stubs })
  }

  /** Returns a new id of the sequence that no row of the collection has, such as `int_…` for prefix `int`. */
  nextId(collection: CollectionName, prefix: string): string {
    let id: string
    // A state document may have any ids, including one of the sequence.
    do id = this.#newId(this.#state.ids++, prefix)
    while (this.#state.get(collection, id) !== undefined)
    return id
  }

  /** Returns the next id of an endpoint, such as `we_1`. */
  nextEndpointId(): string {
    return this.#nextNumbered('webhook_endpoints', (number) => numberedId('webhook_endpoints', number))
  }

  /** Returns the next id of an event, such as `evt_1`; see `eventIdOf`. */
  nextEventId(workspace: string): string {
    const { generation } = this.#state.sequences
    return this.#nextNumbered('events', (number) => eventIdOf(workspace, generation ?? 1, number))
  }

  #nextNumbered(collection: NumberedCollection, idOf: (number: number) => string): string {
    let id: string
    do {
      const number = this.#state.sequences[collection] + 1
      this.#state.sequences = { ...this.#state.sequences, [collection]: number }
      id = idOf(number)
    } while (this.#state.get(collection, id) !== undefined)
    return id
  }

  /** A new unguessable-looking text of the sequence, for keys and secrets. */
  nextToken(prefix: string): string {
    const first = this.#newId(this.#state.ids++, prefix)
    const second = this.#newId(this.#state.ids++, '')
    return first + second.slice(1)
  }

  /** The last lookup; see `listReads`. */
  get lastRead(): Read | undefined {
    return this.#lastRead
  }

  /** The changes so far, in order. */
  get changes(): readonly Change[] {
    return this.#changes ?? noChanges
  }

  #noteRead(
    collection: CollectionName,
    id: string | undefined,
    group: string | undefined,
    rows: number,
    row: object | undefined,
    listed: readonly object[],
  ): void {
    this.#lastRead = { collection, id, group, rows, row, listed, before: this.#lastRead }
  }

  #noteChange(change: Change): void {
    // Most calls change one row, and the journal stores the list: an array that starts empty reserves room for many
    // more.
    if (this.#changes) this.#changes.push(change)
    else this.#changes = [change]
  }

  /** Reverts every write, including assigned ids. */
  rollback(): void {
    for (const { collection, id, before } of this.changes.toReversed()) {
      // The change came from this table, so it fits there again.
      if (collection === 'account') this.#state.account = before as Account
      else if (collection === 'stubs') this.#state.stubs = before as Stubs
      else if (before === undefined) this.#state.delete(collection, id)
      else this.#state.put(collection, before as Row<typeof collection>)
    }
    this.#changes = undefined
    this.#state.ids = this.#idsBefore
    this.#state.sequences = this.#sequencesBefore
  }
}
