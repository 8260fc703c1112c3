// The rows that a call refers to, as text: rows of the baseline by their ids, others completely, and those above the
// limit by their ids again.
import { stringify } from '../json/stringify.ts'
import { idField } from '../store/references.ts'
import type { CollectionName, Row } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Change } from '../store/transaction.ts'

type Collection = Change['collection']

/** A row: its index among the complete ones, or its id, as it was at start (`=`) or as it is now (`~`). */
export type RowText = number | `=${string}` | `~${string}`

/** The sources of rows that are not written completely. */
export interface KnownRows {
  /** The rows at start, which are the same for every replica. */
  baseline: State
  /** The current rows of the workspace. */
  state: State
}

/** The rows of one call that is being written. */
export class RowWriter {
  readonly #baseline: State
  #left: number
  readonly #written = new Map<object, RowText>()
  /** The complete ones, each as JSON. */
  readonly texts: string[] = []

  /** @param most maximum size of their texts in bytes together. */
  constructor(baseline: State, most: number) {
    this.#baseline = baseline
    this.#left = most
  }

  write(collection: Collection, id: string, row: object): RowText {
    // Rows are immutable, so the same object as at start is the row of every replica.
    if (rowIn(this.#baseline, collection, id) === row) return `=${id}`
    let text = this.#written.get(row)
    if (text === undefined) {
      text = this.#left === 0 ? `~${id}` : this.#add(id, row)
      this.#written.set(row, text)
    }
    return text
  }

  /** Writes no further row completely. */
  close(): void {
    this.#left = 0
  }

  #add(id: string, row: object): RowText {
    const text = stringify(row)
    // The first that exceeds the limit ends it, so that later ones are not serialized only to be measured.
    this.#left = Math.max(0, this.#left - Buffer.byteLength(text))
    return this.#left === 0 ? `~${id}` : this.texts.push(text) - 1
  }
}

/** The rows of one call that is being read. */
export class RowReader {
  readonly #whole: readonly object[]
  readonly #known: KnownRows

  constructor(whole: readonly object[], known: KnownRows) {
    this.#whole = whole
    this.#known = known
  }

  /** Returns the row; undefined if it was not written completely and no longer exists. */
  find(collection: Collection, text: RowText): object | undefined {
    if (typeof text === 'number') return this.#whole[text]
    const { baseline, state } = this.#known
    return rowIn(text.startsWith('=') ? baseline : state, collection, text.slice(1))
  }

  /** Returns the row, or only its id: the call refers to a row in any case. */
  read<C extends Collection>(collection: C, text: RowText): C extends CollectionName ? Row<C> : object
  read(collection: Collection, text: RowText): object {
    const found = this.find(collection, text)
    if (found || typeof text === 'number') return found ?? {}
    return { [isSingle(collection) ? 'id' : idField(collection)]: text.slice(1) }
  }
}

/** Returns the id of a row. */
export function idOfRow(collection: CollectionName, row: object): string {
  return String(Reflect.get(row, idField(collection)))
}

function rowIn(state: State, collection: Collection, id: string): object | undefined {
  return isSingle(collection) ? state[collection] : state.get(collection, id)
}

function isSingle(collection: Collection): collection is 'account' | 'stubs' {
  return collection === 'account' || collection === 'stubs'
}
