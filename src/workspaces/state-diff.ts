// The diff of two states: rows added, changed and removed, by collection.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { collectionNames } from '../store/rows.ts'
import type { State } from '../store/state.ts'

/** A changed row; a new field has no `before`, a removed one no `after`. */
export interface ChangedRow {
  id: string
  fields: Record<string, { before?: unknown; after?: unknown }>
}

/** The changes of one collection, each list by ascending id. */
export type CollectionDiff = {
  added: object[]
  changed: ChangedRow[]
  removed: object[]
}

/**
 * The collections that differ, in the order of a state document; `account` and `stubs` have one row. Equal states have
 * none.
 */
export type StateDiff = Record<string, CollectionDiff>

/**
 * Returns the changes between two states. The rows are the states' own: copy them before other code can change them. If
 * the later state is a fork of the earlier one, the cost depends on the number of writes since.
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

/** Returns the fields in which two rows differ, in the order of the earlier one; undefined if they are equal. */
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

const row = z.record(z.string(), z.unknown())
const fieldChange = z.object({ before: z.unknown().exactOptional(), after: z.unknown().exactOptional() })

/** A difference as it is read from JSON. */
export const stateDiff = z.record(
  z.string(),
  z.object({
    added: z.array(row),
    changed: z.array(z.object({ id: z.string(), fields: z.record(z.string(), fieldChange) })),
    removed: z.array(row),
  }),
)

export type ReadStateDiff = z.output<typeof stateDiff>
