// Dumps a State as a state document, whole or as text in pieces.
import { stringify } from '../json/stringify.ts'
import type { ClockReading } from '../runtime/clock.ts'
import { collectionNames, rowSchemas, type CollectionName, type Row } from '../store/rows.ts'
import type { Page } from '../store/table.ts'
import type { State } from '../store/state.ts'
import { documentParts, schemaVersion, type SandboxPart, type StateDocument } from './state-document.ts'
import { inFieldOrder } from './field-order.ts'

/** What a dump says of the sandbox around the state; what is only in data files, see the schema. */
export interface DumpOptions extends Pick<
  SandboxPart,
  'workspace' | 'seq' | 'journal' | 'closed' | 'previous'
> {
  seed: number
  /** Only when the clock was set or frozen. */
  clock?: ClockReading
}

/**
 * The state as a state document: collections in the order of the format, rows by ascending id, fields in the order of
 * their schemas, so that equal states give equal bytes. The rows are the state's own: copy before handing them to
 * anybody who could change them.
 *
 * @example
 * stringify(dumpState(state, { seed: 1 }))   // load this, and dump it again: the same bytes
 */
export function dumpState(state: State, options: DumpOptions): StateDocument {
  const rows = collectionNames.map((name) => [name, [...rowsInOrder(state, name)]])
  return {
    schema_version: schemaVersion,
    account: inFieldOrder(documentParts.account, state.account),
    // TypeScript cannot see that each key gets its own kind of rows.
    ...(Object.fromEntries(rows) as { [C in CollectionName]: Row<C>[] }),
    ...stubsPart(state),
    sandbox: sandboxPartOf(state, options),
  }
}

function* rowsInOrder<C extends CollectionName>(
  state: State,
  collection: C,
  page: Page = {},
): Generator<Row<C>> {
  const schema = rowSchemas[collection]
  for (const row of state.page(collection, page)) yield inFieldOrder(schema, row)
}

function stubsPart({ stubs }: State): Pick<StateDocument, 'stubs'> {
  return stubs.length === 0 ? {} : { stubs: inFieldOrder(documentParts.stubs, stubs) }
}

function sandboxPartOf(state: State, options: DumpOptions): SandboxPart {
  return inFieldOrder(documentParts.sandbox, { ...options, ids: state.ids })
}

/**
 * The same document for writing it out once, row by row: nothing is made of a row before it is its turn, so a state of
 * any size costs a moment for each piece. It is that of this moment, whatever is written to the state later.
 *
 * @example
 * documentText(dumpLazily(state, { seed: 1 }))   // the pieces of documentText(dumpState(state, { seed: 1 }))
 */
export function dumpLazily(state: State, options: DumpOptions): Readonly<Record<string, unknown>> {
  return {
    schema_version: schemaVersion,
    account: inFieldOrder(documentParts.account, state.account),
    ...dumpRowsLazily(state, collectionNames),
    ...stubsPart(state),
    sandbox: sandboxPartOf(state, options),
  }
}

/** The rows of collections, or a page of each, as a dump has them, under their names; see `dumpLazily`. */
export function dumpRowsLazily(
  state: State,
  collections: readonly CollectionName[],
  page?: Page,
): Record<string, Iterable<unknown>> {
  const unchanging = state.fork()
  return Object.fromEntries(collections.map((name) => [name, rowsInOrder(unchanging, name, page)]))
}

/**
 * The text of a document in pieces, one row a line: readable, easy to compare, and never one text that is too long
 * for JavaScript to hold. Joined, the pieces are the document as JSON. A list may be anything that gives its rows.
 *
 * @example
 * for (const piece of documentText(dumpState(state, { seed: 1 }))) file.write(piece)
 */
export function* documentText(document: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{\n'
  for (const [name, part] of Object.entries(document)) {
    if (part === undefined) continue
    yield `${before}  ${JSON.stringify(name)}: `
    before = ',\n'
    if (isList(part)) yield* listText(part)
    else yield stringify(part)
  }
  yield before === ',\n' ? '\n}\n' : '{}\n'
}

function isList(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function* listText(rows: Iterable<unknown>): Generator<string> {
  let before = '[\n    '
  for (const row of rows) {
    yield before + stringify(row)
    before = ',\n    '
  }
  yield before.startsWith('[') ? '[]' : '\n  ]'
}
