// A state as text: the rows in which it differs from another state that every replica has.
import { z } from 'zod'
import { collectionNames, type Account, type CollectionName, type Row } from '../../store/rows.ts'
import type { Sequences } from '../../store/sequences.ts'
import type { State } from '../../store/state.ts'
import type { Stubs } from '../../store/stubs.ts'

/** The differences between two states. Omitted parts are equal in both. */
export interface StateText {
  ids: number
  sequences?: Sequences
  account?: Account
  stubs?: Stubs
  put?: { [C in CollectionName]?: Row<C>[] }
  gone?: { [C in CollectionName]?: string[] }
}

const rowLists = z.record(z.string(), z.array(z.unknown())).optional()
const form = z.looseObject({ ids: z.number(), put: rowLists, gone: rowLists })

/** A state text that was read: the sandbox that wrote it had validated its rows. */
export const stateTextForm = z.custom<StateText>((value) => form.safeParse(value).success)

/** The cost depends on the number of writes since one state was forked from the other. */
export function stateText(from: State, to: State): StateText {
  const text: StateText = { ids: to.ids }
  if (to.sequences !== from.sequences) text.sequences = to.sequences
  if (to.account !== from.account) text.account = to.account
  if (to.stubs !== from.stubs) text.stubs = to.stubs
  const put: Partial<Record<CollectionName, Row<CollectionName>[]>> = {}
  const gone: StateText['gone'] = {}
  for (const collection of collectionNames) {
    for (const { id, after } of from.diff(collection, to)) {
      if (after === undefined) (gone[collection] ??= []).push(id)
      else (put[collection] ??= []).push(after)
    }
  }
  // The compiler does not see that each collection got its own kind of rows.
  if (Object.keys(put).length > 0) text.put = put as NonNullable<StateText['put']>
  if (Object.keys(gone).length > 0) text.gone = gone
  return text
}

/** Whether a text changes only the id counter of a state. */
export function isEmpty({ sequences, account, stubs, put, gone }: StateText): boolean {
  return (
    sequences === undefined &&
    account === undefined &&
    stubs === undefined &&
    put === undefined &&
    gone === undefined
  )
}

/** A row that a text changed. */
export interface ChangedRow {
  collection: CollectionName | 'account' | 'stubs'
  id: string
}

/** Applies a text to a state. Returns the changed rows. */
export function applyState(
  state: State,
  { ids, sequences, account, stubs, put = {}, gone = {} }: StateText,
): ChangedRow[] {
  const changed: ChangedRow[] = []
  state.ids = ids
  if (sequences) state.sequences = sequences
  if (account) {
    state.account = account
    changed.push({ collection: 'account', id: 'account' })
  }
  if (stubs) {
    state.stubs = stubs
    changed.push({ collection: 'stubs', id: 'stubs' })
  }
  const putAll = <C extends CollectionName>(collection: C, rows: readonly Row<C>[] = []): void => {
    for (const row of rows) {
      state.put(collection, row)
      changed.push({ collection, id: state.idOf(collection, row) })
    }
  }
  for (const collection of collectionNames) {
    putAll(collection, put[collection])
    for (const id of gone[collection] ?? []) {
      state.delete(collection, id)
      changed.push({ collection, id })
    }
  }
  return changed
}

/** Returns the state that a text makes of another one, which stays unchanged. */
export function readState(from: State, text: StateText): State {
  const state = from.fork()
  applyState(state, text)
  return state
}
