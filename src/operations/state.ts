// The rows of a workspace: read, put, patch and delete one, dump or replace them all.
import { z } from 'zod'
import type { Assumptions } from '../contract/assumptions.ts'
import { closest, didYouMean } from '../input/did-you-mean.ts'
import { depthOf, isJsonObject } from '../contract/formats.ts'
import {
  dumpedCollections,
  dumpLazily,
  documentText,
  dumpRowsLazily,
  dumpState,
  type DumpOptions,
} from '../fixtures/dump.ts'
import type {
  DumpedDocument,
  FixtureDocument,
  OptionalCollection,
  Sparse,
  StateCollection,
  StateRows,
  StateStub,
} from '../fixtures/document-shape.ts'
import type { StateDocument } from '../fixtures/state-document.ts'
import type { Baseline } from '../fixtures/load.ts'
import { plainCopy } from '../json/copy.ts'
import { integerBetween } from '../input/integer-between.ts'
import { readInput } from '../input/read-input.ts'
import { mergePatch } from '../fixtures/merge-patch.ts'
import { DocumentError, printable } from '../input/problems.ts'
import { readStubList } from '../fixtures/check-stubs.ts'
import { readAccount, readRow, referencesTo } from '../fixtures/row.ts'
import { maxDepth, sourceFromObject, type Source } from '../input/source-file.ts'
import { missingSteps } from '../fixtures/fill/fill-steps.ts'
import { idField } from '../store/references.ts'
import { collectionNames, type CollectionName, type Row } from '../store/rows.ts'
import type { Page } from '../store/table.ts'
import { InvalidError, NotFoundError, RowInUseError } from '../input/refusals.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { operation } from './declare.ts'
import type { RecordAction } from './timeline.ts'

/** A row of any collection: its fields by name. */
type StateRow = Readonly<Record<string, unknown>>

/** A copy of a whole document, in which nothing is undefined. */
export function dumped(document: StateDocument): DumpedDocument {
  return plainCopy(document) as DumpedDocument
}

/** Returns a copy of a row. The compiler does not see that each collection holds the rows that its schema declares. */
export function rowCopy<C extends StateCollection>(_collection: C, row: object): StateRows[C] {
  return plainCopy(row) as StateRows[C]
}

/**
 * The rows of a workspace, for tests that arrange and inspect them. Every write is validated like a fixture, missing
 * fields are filled in, and a refused write changes nothing.
 *
 * Collections are those of a state document; `account` has one row, whose id is `account`.
 */
export interface SandboxState {
  /** Returns the whole state document; a copy. Equal states give documents of equal bytes. */
  document(): DumpedDocument
  /**
   * Replaces the state atomically by a document: rows, and ids and clock if the document has them. It is loaded
   * like a fixture: missing fields are filled in, and `account`, `products` and `api_keys` default to those of the
   * built-in fixtures.
   * @throws {DocumentError} with every problem of an invalid document; then nothing changes.
   * @example await state.replace({ customers: [{ id: 'cus_1' }] })
   */
  replace(document: FixtureDocument): Promise<void>
  /** Returns the number of rows of a collection, or of all. */
  size(collection?: StateCollection): number
  /** Returns the number of rows of each collection, and of `account` and `stubs`; events and their endpoints if any. */
  counts(): RowCounts
  /**
   * Returns every row of a collection, or a page, by ascending id; copies.
   * @throws {DocumentError} for an unknown field of the page, or an invalid value.
   * @example state.list('rewards', { id_prefix: 'rwd_ada_', limit: 20 })
   */
  list<C extends StateCollection>(collection: C, page?: RowPage): StateRows[C][]
  /** Returns one row, or undefined; a copy. @example state.get('rewards', 'rwd_ada_pending') */
  get<C extends StateCollection>(collection: C, id: string): StateRows[C] | undefined
  /**
   * Adds a row or replaces the one with this id; returns the stored row with missing fields filled in.
   * @throws {DocumentError} for a row that a fixture could not have.
   */
  put<C extends StateCollection>(collection: C, id: string, row: Sparse<StateRows[C]>): StateRows[C]
  /**
   * Changes some fields of a row (JSON Merge Patch: null removes a field).
   * @throws {NotFoundError} for an unknown id. @throws {DocumentError} for a row that a fixture could not have.
   * @example state.patch('api_keys', 'key_full', { scopes: [] })
   */
  patch<C extends StateCollection>(collection: C, id: string, patch: Sparse<StateRows[C]>): StateRows[C]
  /**
   * Deletes a row; false if it does not exist.
   * @throws {RowInUseError} if another row refers to it.
   */
  delete(collection: StateCollection, id: string): boolean
  /** Returns the stubs of operations that the contract mentions and does not list; a copy. */
  stubs(): StateStub[]
  /**
   * Replaces all stubs.
   * @throws {DocumentError} for stubs that a fixture could not have, such as one with the path of an endpoint.
   * @example state.putStubs([{ method: 'GET', path: '/v2/customers/{customer_id}/notes', body: { data: [] } }])
   */
  putStubs(stubs: readonly StateStub[]): void
}

/** The number of rows of each collection; the collections of events are absent while they are empty. */
export type RowCounts = Record<Exclude<StateCollection, OptionalCollection> | 'stubs', number> &
  Partial<Record<OptionalCollection, number>>

/** Which rows of a collection to return. */
export interface RowPage {
  /** Maximum number of rows, 1 to 1,000; the next page begins after the last of them. */
  limit?: number
  /** Only rows after this id, which need not exist. */
  after?: string
  /** Only rows whose id has this prefix. */
  id_prefix?: string
}

export const rowPage = z.strictObject({
  limit: integerBetween(1, 1_000)
    .optional()
    .describe('the maximum number of rows of a collection, 1 to 1000'),
  after: z.string().optional().describe('only rows of a collection after this id'),
  id_prefix: z.string().optional().describe('only rows of a collection whose id has this prefix'),
})

function readPage(page: unknown): Page {
  const { id_prefix: prefix, ...rest } = readInput(rowPage, page, 'page')
  return { ...rest, prefix }
}

/** The dependencies of validating a row. */
export interface RowRules {
  seed: number
  allowAnyPan: boolean
  assumptions: Assumptions
}

/** Loads documents into a state like fixtures; their API keys may name the scenarios that `isKnown` accepts. */
export type LoadDocuments = (
  sources: readonly Source[],
  isKnown: (scenario: string) => boolean,
) => Promise<Baseline>

/** Returns copies: workspaces share rows that they have not changed, so callers outside must not get them. */
export function workspaceState(
  workspace: Workspace,
  rules: RowRules,
  load: LoadDocuments,
  record: RecordAction,
) {
  const dumpOptions = (): DumpOptions => {
    const { clock } = workspace
    return { seed: rules.seed, ...(clock.changed ? { clock: clock.read() } : {}) }
  }
  const rowOf = (collection: string, id: string): StateRow | undefined => {
    const { state } = workspace
    if (collection === 'account') return id === 'account' ? state.account : undefined
    return state.get(collectionNamed(collection), id)
  }
  /** Returns the error for an unknown row, with the id that was probably meant. */
  const missing = (collection: string, id: string): NotFoundError => {
    const refusal = `${collection}: no row has the id '${id.slice(0, 200)}'`
    if (collection === 'account') return new NotFoundError(`${refusal}`)
    const name = collectionNamed(collection)
    const { state } = workspace
    const ids = state.size(name) > maxCompared ? [] : [...state.all(name)].map((row) => state.idOf(name, row))
    // Ids are similar to each other, so more than one wrong letter is no hint.
    const meant = closest(id, ids, 1)
    return new NotFoundError(
      meant === undefined ? refusal : `${refusal}, did you mean '${printable(meant)}'?`,
    )
  }
  const putAccount = (id: string, input: unknown): StateRow => {
    if (id !== 'account') throw missing('account', id)
    const account = readAccount(input, 'account')
    workspace.write((tx) => tx.putAccount(account))
    return account
  }
  const putRow = <C extends CollectionName>(collection: C, input: object): StateRow => {
    const { state, firstProduct, scenarios } = workspace
    const row: Row<C> = readRow(collection, input, {
      ...rules,
      state,
      firstProduct,
      source: collection,
      whyUnknownScenario: (name) => scenarios.whyUnknown(name),
    })
    return workspace.write((tx) => {
      const written = tx.put(collection, row)
      const transaction =
        collection === 'transactions' ? tx.get('transactions', state.idOf(collection, row)) : undefined
      for (const step of transaction ? missingSteps(transaction, tx) : []) tx.put('transaction_events', step)
      return written
    })
  }
  /** Like `put`, `patch`, `get` and `stubs`, but without copies: only for serialization. */
  const own = {
    get: rowOf,
    put(collection: string, id: string, row: unknown) {
      const written = putOwn(collection, id, row)
      record('state', `Wrote ${rowName(collection, id)}`)
      return written
    },
    patch: patchOwn,
    stubs: () => workspace.state.stubs,
  }
  function putOwn(collection: string, id: string, row: unknown): StateRow {
    if (collection === 'account') return putAccount(id, row)
    const name = collectionNamed(collection)
    const refusal = (path: string, message: string): DocumentError =>
      new DocumentError([{ source: collection, path, message }])
    if (!isJsonObject(row)) throw refusal('', 'must be an object of fields')
    const field = idField(name)
    if (field in row && row[field] !== id) throw refusal(field, `must be '${id}', or be omitted`)
    return putRow(name, { ...row, [field]: id })
  }
  function patchOwn(collection: string, id: string, patch: unknown): StateRow {
    const before = rowOf(collection, id)
    if (!before) throw missing(collection, id)
    // Merging recurses, and a program may pass a patch of any depth.
    if (depthOf(patch, maxDepth + 1) > maxDepth) {
      const message = `must not be nested deeper than ${maxDepth} levels`
      throw new DocumentError([{ source: collection, path: '', message }])
    }
    const written = putOwn(collection, id, mergePatch(before, patch))
    record('state', `Changed ${fieldsIn(patch)} of ${rowName(collection, id)}`)
    return written
  }
  /**
   * Like `replace`, with a document that was read from a text: problems are shown at their lines.
   * @param requireHeld throws if the caller is no longer authorized: called after the document was read, which takes a
   * while.
   */
  const replaceBy = async (source: Source, requireHeld: () => void = () => undefined): Promise<void> => {
    const isKnown = (name: string): boolean => workspace.scenarios.whyUnknown(name) === undefined
    const { state, clock } = await load([source], isKnown)
    requireHeld()
    const keys = state.size('api_keys')
    if (workspace.isolation && keys > maxKeys) {
      const message = `has ${keys} keys: a partner's workspace takes at most ${maxKeys}, as each is created again`
      throw new DocumentError([{ source: source.name, path: 'api_keys', message }])
    }
    // The clock may be moved back here, as when a snapshot is restored.
    const at = clock && { at: Date.parse(clock.now), frozen: clock.frozen }
    workspace.replace(state, at && workspace.clock.another(at))
    workspace.journal.secrets.note(workspace.state.secretRows())
    record('state', `Replaced all rows by ${source.name}, which has ${state.rows}`)
  }

  return {
    document: () => dumped(dumpState(workspace.state, dumpOptions())),
    /** The current document, for serialization; its rows are no copies. */
    dump: () => dumpLazily(workspace.state, dumpOptions()),
    /** One collection of it, or a page, under its name. */
    dumpRows: (collection: string, page: unknown = {}) =>
      dumpRowsLazily(workspace.state, [collectionNamed(collection, ['account', 'stubs'])], readPage(page)),
    replace: async (document) => replaceBy(sourceFromObject(document, 'document')),
    replaceBy,
    size(collection?: string) {
      if (collection === undefined) return workspace.state.rows
      return collection === 'account' ? 1 : workspace.state.size(collectionNamed(collection))
    },
    counts() {
      const { state } = workspace
      const sizes = dumpedCollections(state).map((name) => [name, state.size(name)])
      // The compiler does not see which collections are among the names.
      const ofRows = Object.fromEntries(sizes) as Omit<RowCounts, 'stubs' | 'account'>
      return { account: 1, ...ofRows, stubs: state.stubs.length }
    },
    list<C extends StateCollection>(collection: C, page: RowPage = {}) {
      const { state } = workspace
      const requested = readPage(page)
      if (collection === 'account') return [rowCopy(collection, state.account)]
      return [...state.page(collectionNamed(collection), requested)].map((row) => rowCopy(collection, row))
    },
    own,
    missing,
    get<C extends StateCollection>(collection: C, id: string) {
      const row = rowOf(collection, id)
      return row && rowCopy(collection, row)
    },
    put: (collection, id, row) => rowCopy(collection, own.put(collection, id, row)),
    patch: (collection, id, patch) => rowCopy(collection, patchOwn(collection, id, patch)),
    delete(collection: string, id: string) {
      if (collection === 'account') throw new InvalidError('account: its one row cannot be deleted')
      const name = collectionNamed(collection)
      const { state } = workspace
      if (state.get(name, id) === undefined) return false
      const naming = referencesTo(state, name, id)
      if (naming.length > 0) {
        const messages = naming.map((row) => `${row.collection} ${row.id} refers to it in ${row.field}`)
        const source = `${collection}/${id}`
        throw new RowInUseError(
          messages.map((why) => ({ source, path: '', message: `cannot be deleted: ${why}` })),
        )
      }
      const isDeleted = workspace.write((tx) => tx.delete(name, id))
      record('state', `Deleted ${rowName(collection, id)}`)
      return isDeleted
    },
    stubs: () => plainCopy([...workspace.state.stubs]),
    putStubs(input: unknown) {
      const stubs = readStubList(input, rules.assumptions)
      workspace.write((tx) => tx.putStubs(stubs))
      record('state', stubs.length === 1 ? 'Wrote 1 stub' : `Wrote ${stubs.length} stubs`)
    },
  } satisfies SandboxState & Record<string, unknown>
}

const rowName = (collection: string, id: string): string =>
  collection === 'account' ? 'the account' : `${collection} ${id}`

/** The names of the fields in a patch. */
const fieldsIn = (patch: unknown): string =>
  isJsonObject(patch) ? Object.keys(patch).join(', ') || 'no field' : 'all'

/** In a collection with more rows, ids are not searched for a suggestion. */
const maxCompared = 1_000

/**
 * Maximum number of API keys that a partner may write in one request: deriving 50,000 blocks the process for seconds.
 */
const maxKeys = 1_000

/** @param others other names that could have been meant. */
function collectionNamed(name: string, others = ['account']): CollectionName {
  const found = collectionNames.find((collection) => collection === name)
  if (found) return found
  const known = [...collectionNames, ...others]
  throw new NotFoundError(`unknown collection '${name.slice(0, 80)}'${didYouMean(name, known)}`)
}

interface StateTarget {
  workspace: { state: ReturnType<typeof workspaceState> }
}

const counts = z.strictObject({
  counts: z.boolean('must be true or false').optional().describe('the row counts instead of the rows'),
})

/** A document, a row or a list of rows: its own schema is that of fixtures. */
const json = z.unknown()
const fields = z.looseObject({})

export const listRows = operation({
  id: 'state.list',
  route: 'GET /_sandbox/state/:collection',
  about: 'list the rows of a collection, by ascending id',
  query: rowPage,
  word: 'page',
  result: json,
  isStreamed: true,
  expensive: ({ limit }) => limit === undefined,
  run: ({ workspace: { state } }: StateTarget, { path, query }) =>
    documentText(state.dumpRows(path.collection, query)),
})

/** Reading and writing rows; `control/replace-state.ts` replaces all of them. */
export const stateOperations = [
  operation({
    id: 'state.document',
    route: 'GET /_sandbox/state',
    verb: { name: 'state dump', writes: 'the state', without: ['counts'] },
    about: 'print the whole state as a document for --fixtures and apply',
    query: counts,
    result: json,
    isStreamed: true,
    expensive: ({ counts: isCounted }) => !isCounted,
    run: ({ workspace: { state } }: StateTarget, { query }) =>
      query.counts ? [JSON.stringify({ counts: state.counts() })].values() : documentText(state.dump()),
  }),
  operation({
    id: 'state.get',
    route: 'GET /_sandbox/state/account',
    about: 'show the settings of the account',
    result: json,
    run: ({ workspace: { state } }: StateTarget) => state.own.get('account', 'account'),
  }),
  operation({
    id: 'state.put',
    route: 'PUT /_sandbox/state/account',
    about: 'replace the settings of the account',
    body: fields,
    result: json,
    run: ({ workspace: { state } }: StateTarget, { body }) => state.own.put('account', 'account', body),
  }),
  operation({
    id: 'state.patch',
    route: 'PATCH /_sandbox/state/account',
    about: 'change some settings of the account (JSON Merge Patch)',
    body: fields,
    result: json,
    run: ({ workspace: { state } }: StateTarget, { body }) => state.own.patch('account', 'account', body),
  }),
  operation({
    id: 'state.stubs',
    route: 'GET /_sandbox/state/stubs',
    about: 'list the answers for operations that the contract does not list',
    result: z.object({ stubs: z.array(json) }),
    run: ({ workspace: { state } }: StateTarget) => ({ stubs: state.own.stubs() }),
  }),
  operation({
    id: 'state.putStubs',
    route: 'PUT /_sandbox/state/stubs',
    about: 'replace all stubs: by a list, or by {stubs}',
    body: z.array(json).or(z.looseObject({ stubs: z.array(json) })),
    result: z.object({ stubs: z.array(json) }),
    run({ workspace: { state } }: StateTarget, { body }) {
      // PUT accepts what GET returns.
      state.putStubs(isJsonObject(body) && 'stubs' in body ? body['stubs'] : body)
      return { stubs: state.own.stubs() }
    },
  }),
  listRows,
  operation({
    id: 'state.get',
    route: 'GET /_sandbox/state/:collection/:id',
    about: 'show a row',
    result: json,
    run: ({ workspace: { state } }: StateTarget, { path }) => requireRow(state, path.collection, path.id),
  }),
  operation({
    id: 'state.put',
    route: 'PUT /_sandbox/state/:collection/:id',
    about: 'add a row, or replace the one with this id',
    body: fields,
    result: json,
    // Throws for an unknown collection.
    requires: ({ workspace: { state } }: StateTarget, { collection }) => void state.size(collection),
    run: ({ workspace: { state } }: StateTarget, { path, body }) =>
      state.own.put(path.collection, path.id, body),
  }),
  operation({
    id: 'state.patch',
    route: 'PATCH /_sandbox/state/:collection/:id',
    about: 'change some fields of a row (JSON Merge Patch: null removes a field)',
    body: fields,
    result: json,
    requires: ({ workspace: { state } }: StateTarget, { collection, id }) =>
      void requireRow(state, collection, id),
    run: ({ workspace: { state } }: StateTarget, { path, body }) =>
      state.own.patch(path.collection, path.id, body),
  }),
  operation({
    id: 'state.delete',
    route: 'DELETE /_sandbox/state/:collection/:id',
    verb: 'state delete',
    path: z.object({ collection: z.string().describe('such as customers') }),
    about: 'delete a row that no other row refers to',
    printed: {
      note: (_, { args: [collection, id], workspace }) =>
        `Deleted ${collection} '${id}' of workspace '${workspace}'`,
    },
    run({ workspace: { state } }: StateTarget, { path: { collection, id } }) {
      if (!state.delete(collection, id)) throw state.missing(collection, id)
    },
  }),
]

function requireRow(
  { own, missing }: ReturnType<typeof workspaceState>,
  collection: string,
  id: string,
): object {
  const found = own.get(collection, id)
  if (!found) throw missing(collection, id)
  return found
}
