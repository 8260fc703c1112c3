import type { Assumptions } from '../contract/assumptions.ts'
import { closest } from '../contract/closest.ts'
import { dumpState } from '../seed/dump.ts'
import { mergePatch } from '../seed/merge-patch.ts'
import { DocumentError } from '../seed/problems.ts'
import { readAccount, readRow, referencesTo } from '../seed/row.ts'
import { collectionNames, idField, type CollectionName, type Row } from '../store/rows.ts'
import type { Transaction } from '../store/transaction.ts'
import type { Workspace } from './workspace.ts'

/**
 * The rows of a workspace, for tests that arrange and look. Every write is checked like a fixture, gaps are filled
 * like those of a fixture, and what is refused changes nothing.
 *
 * Collections are those of a state document; `account` holds one row, whose id is `account`.
 */
export interface SandboxState {
  /** The whole state document; a copy. */
  document(): object
  /** How many rows a collection has. */
  size(collection: string): number
  /** Every row of a collection, by ascending id; copies. */
  list(collection: string): object[]
  /** One row, or undefined; a copy. @example state.get('rewards', 'rwd_ada_pending') */
  get(collection: string, id: string): object | undefined
  /**
   * Adds a row or replaces the one with this id; gives back the row as it is now, gaps filled.
   * @throws {DocumentError} for a row that no fixture could hold.
   */
  put(collection: string, id: string, row: object): object
  /**
   * Lays some fields over a row (JSON Merge Patch: null removes a field).
   * @throws {RangeError} when there is no such row. @throws {DocumentError} for a row that no fixture could hold.
   * @example state.patch('api_keys', 'key_full', { scopes: [] })
   */
  patch(collection: string, id: string, patch: object): object
  /**
   * Removes a row; false when there is none.
   * @throws {DocumentError} when another row still names it.
   */
  delete(collection: string, id: string): boolean
}

/** What checking a row takes beside the row. */
export interface RowRules {
  seed: number
  assumptions: Assumptions
  allowAnyPan: boolean
  /** The merchant key of rows that name no product. */
  firstProduct: string | undefined
}

export class WorkspaceState implements SandboxState {
  readonly #workspace: Workspace
  readonly #rules: RowRules

  constructor(workspace: Workspace, rules: RowRules) {
    this.#workspace = workspace
    this.#rules = rules
  }

  document(): object {
    const { state, clock } = this.#workspace
    return copy(
      dumpState(state, { seed: this.#rules.seed, ...(clock.changed ? { clock: clock.read() } : {}) }),
    )
  }

  size(collection: string): number {
    return collection === 'account' ? 1 : this.#workspace.state.size(collectionNamed(collection))
  }

  list(collection: string): object[] {
    const { state } = this.#workspace
    if (collection === 'account') return [copy(state.account)]
    return [...state.all(collectionNamed(collection))].map(copy)
  }

  get(collection: string, id: string): object | undefined {
    const row = this.#row(collection, id)
    return row && copy(row)
  }

  put(collection: string, id: string, row: object): object {
    if (collection === 'account') return this.#putAccount(row)
    const name = collectionNamed(collection)
    const field = idField(name)
    if (field in row && (row as Record<string, unknown>)[field] !== id) {
      throw new DocumentError([
        { source: collection, path: field, message: `must be '${id}', or be left out` },
      ])
    }
    return this.#putRow(name, { ...row, [field]: id })
  }

  patch(collection: string, id: string, patch: object): object {
    const before = this.#row(collection, id)
    if (!before) throw new RangeError(`${collection}: no row has the id '${id}'`)
    const merged = mergePatch(before, patch)
    if (typeof merged !== 'object' || merged === null) {
      throw new DocumentError([{ source: collection, path: '', message: 'must be an object of fields' }])
    }
    return this.put(collection, id, merged)
  }

  delete(collection: string, id: string): boolean {
    if (collection === 'account') throw new RangeError('account: its one row cannot be deleted')
    const name = collectionNamed(collection)
    const { state } = this.#workspace
    if (state.get(name, id) === undefined) return false
    const naming = referencesTo(state, name, id)
    if (naming.length > 0) {
      throw new DocumentError(
        naming.map((row) => ({
          source: `${collection}/${id}`,
          path: '',
          message: `cannot be deleted: ${row.collection} ${row.id} names it in ${row.field}`,
        })),
      )
    }
    return this.#write((tx) => tx.delete(name, id))
  }

  #row(collection: string, id: string): object | undefined {
    const { state } = this.#workspace
    if (collection === 'account') return id === 'account' ? state.account : undefined
    return state.get(collectionNamed(collection), id)
  }

  #putAccount(input: object): object {
    const account = readAccount(input, 'account')
    this.#write((tx) => tx.putAccount(account))
    return copy(account)
  }

  #putRow<C extends CollectionName>(collection: C, input: object): object {
    const { state, scenarios } = this.#workspace
    const row: Row<C> = readRow(collection, input, {
      ...this.#rules,
      state,
      source: collection,
      whyUnknownScenario: (name) => scenarios.whyUnknown(name),
    })
    this.#write((tx) => tx.put(collection, row))
    return copy(row)
  }

  #write<T>(change: (tx: Transaction) => T): T {
    const tx = this.#workspace.begin()
    const result = change(tx)
    this.#workspace.commit(tx)
    return result
  }
}

function collectionNamed(name: string): CollectionName {
  const found = collectionNames.find((collection) => collection === name)
  if (found) return found
  const guess = closest(name, [...collectionNames, 'account'])
  throw new RangeError(
    `unknown collection '${name}', ${guess === undefined ? `expected one of: ${collectionNames.join(', ')}` : `did you mean '${guess}'?`}`,
  )
}

/** Rows are shared by every workspace that has not changed them, so nobody outside gets hold of one. */
function copy<T extends object>(row: T): T {
  return structuredClone(row)
}
