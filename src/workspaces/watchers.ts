// Who watches a workspace: told of each call as it is answered, of rows changed from elsewhere, of resets and the end.
import { isDeepStrictEqual } from 'node:util'
import type { Call } from '../call/index.ts'
import { streamedEntryOf } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { stringify } from '../json/stringify.ts'
import { redactor } from '../secrets/redact.ts'
import { collectionNames } from '../store/rows.ts'
import type { State } from '../store/state.ts'
import type { Change } from '../store/transaction.ts'

/** A row that changed. */
export type NamedRow = Pick<Change, 'collection' | 'id'>

/** Somebody who watches; events come with their numbers, which rise. */
export interface Watcher {
  /** A call was answered. @param text gives its entry as JSON, without bodies and rows. */
  called(number: number, text: () => string): void
  /** Rows were changed by something else than a call. */
  changed(number: number, rows: readonly NamedRow[]): void
  reset(number: number): void
  /** The workspace was deleted. */
  end(): void
}

/** What is watched. */
interface Watched {
  readonly watchers: ReadonlySet<Watcher> | undefined
  readonly journal: Journal
}

/** Tells who watches a workspace of a call; its text is made once for all of them, if anybody wants it. */
export function tellCall({ watchers, journal }: Watched, number: number, call: Call): void {
  let made: string | undefined
  const text = (): string => (made ??= streamedText(call, journal))
  for (const watcher of watchers ?? []) watcher.called(number, text)
}

/** The entry of a call as a stream has it. */
export function streamedText(call: Call, { secrets }: Journal): string {
  return stringify(streamedEntryOf(call, redactor(secrets)))
}

/** How many rows are told of when a whole state is replaced. */
const maxReported = 1_000

/** The rows in which two states differ, the first thousand of them. */
export function rowsThatDiffer(before: State, after: State): NamedRow[] {
  const found: NamedRow[] = []
  const { account, stubs } = after
  if (!isDeepStrictEqual(before.account, account)) found.push({ collection: 'account', id: 'account' })
  if (!isDeepStrictEqual(before.stubs, stubs)) found.push({ collection: 'stubs', id: 'stubs' })
  for (const collection of collectionNames) {
    for (const { id, ...row } of before.diff(collection, after)) {
      if (found.length === maxReported) return found
      if (!isDeepStrictEqual(row.before, row.after)) found.push({ collection, id })
    }
  }
  return found
}
