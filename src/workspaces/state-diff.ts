// The diff of two states: rows added, changed and removed, by collection.
import { isDeepStrictEqual } from 'node:util'
import { collectionNames } from '../store/rows.ts'
import type { State } from '../store/state.ts'

/** A row whose fields became different; a field that was not there has no `before`, one that went has no `after`. */
export interface ChangedRow {
  id: string
  fields: Record<string, { before?: unknown; after?: unknown }>
}

/** What became of the rows of one collection, each list by ascending id. */
export type CollectionDiff = {
  added: object[]
  changed: ChangedRow[]
  removed: object[]
}

/** The collections that differ, in the order of a state document; `account` and `stubs` hold one row. Equal states have none. */
export type StateDiff = Record<string, CollectionDiff>

/**
 * What changed between two states. The rows are the states' own: copy before handing them to anybody who could change
 * them. Where the later state is a fork of the earlier one, this costs as much as was written since.
 */
export function diffStates(earlier: State, later: State): StateDiff {
  const found: StateDiff = {}
  const account = changedFields(earlier.account, later.account)
  if (account) {
    found['account'] = { added: [], changed: [{ id: 'account', fields: account }], removed: [] }
  }
  const stubs = changedFields({ stubs: earlier.stubs }, { stubs: later.stubs })
  if (stubs) found['stubs'] = { added: [], changed: [{ id: 'stubs', fields: stubs }], removed: [] }
  for (const collection of collectionNames) {
    const diff: CollectionDiff = { added: [], changed: [], removed: [] }
    for (const { id, before, after } of earlier.diff(collection, later)) {
      if (before === undefined) diff.added.push(after ?? {})
      else if (after === undefined) diff.removed.push(before)
      else {
        const fields = changedFields(before, after)
        if (fields) diff.changed.push({ id, fields })
      }
    }
    if (diff.added.length + diff.changed.length + diff.removed.length > 0) found[collection] = diff
  }
  return found
}

/** The fields in which two rows differ, in their order in the earlier one; undefined when they say the same. */
function changedFields(before: object, after: object): ChangedRow['fields'] | undefined {
  if (before === after) return undefined
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const fields: ChangedRow['fields'] = {}
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    if (isDeepStrictEqual(old.get(name), now.get(name))) continue
    fields[name] = {
      ...(old.has(name) ? { before: old.get(name) } : {}),
      ...(now.has(name) ? { after: now.get(name) } : {}),
    }
  }
  return Object.keys(fields).length > 0 ? fields : undefined
}
