// Notifies the watchers of a workspace: of each call with its answer, of rows changed by other means, of resets and of
// its end.
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

/** A watcher; events have ascending numbers. */
export interface Watcher {
  /** A call was answered. @param text returns its entry as JSON, without bodies and rows. */
  called(number: number, text: () => string): void
  /** Rows were changed by something other than a call. */
  changed(number: number, rows: readonly NamedRow[]): void
  reset(number: number): void
  /** The workspace was deleted, or its keys were revoked. */
  end(): void
}

/** The workspace that is watched. */
interface Watched {
  readonly watchers: ReadonlySet<Watcher> | undefined
  readonly journal: Journal
}

/** Notifies the watchers of a workspace of a call; its text is created once for all of them, if one needs it. */
export function notifyCall({ watchers, journal }: Watched, number: number, call: Call): void {
  let made: string | undefined
  const text = (): string => (made ??= streamedText(call, journal))
  for (const watcher of watchers ?? []) watcher.called(number, text)
}

/** Returns the entry of a call in the form of a stream. */
export function streamedText(call: Call, { secrets }: Journal): string {
  return stringify(streamedEntryOf(call, redactor(secrets)))
}

/** Maximum number of rows in a notification when a whole state is replaced. */
const maxReported = 1_000

/** Returns the rows in which two states differ, at most a thousand. */
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
