// The events of a commit, by the changes of its rows.
import { isDeepStrictEqual } from 'node:util'
import {
  declarationOf,
  eventTypeNames,
  type ChangeKind,
  type EventDeclaration,
  type EventType,
} from '../contract/event-types.ts'
import type { Change } from '../store/transaction.ts'

/** The types of each collection, in their order. */
const typesOf = new Map<string | undefined, { type: EventType; declared: EventDeclaration }[]>()
for (const type of eventTypeNames) {
  const declared = declarationOf(type)
  typesOf.set(declared.collection, [...(typesOf.get(declared.collection) ?? []), { type, declared }])
}

/** An event that a change of a row creates. */
export interface ChangeEvent {
  readonly type: EventType
  /** The id of the row. */
  readonly id: string
  readonly before: object | undefined
  readonly after: object | undefined
}

/**
 * Returns the events of a commit, in the order of its changes. Several changes of one row are one change: partners see
 * only the rows before and after the commit.
 *
 * @example
 * eventsOf(tx.changes)   // [{ type: 'reward.updated', id: 'rwd_1', before: {…}, after: {…} }]
 */
export function eventsOf(changes: readonly Change[]): ChangeEvent[] {
  return wholeChanges(changes).flatMap(({ collection, id, before, after }) =>
    (typesOf.get(collection) ?? []).flatMap(({ type, declared: { on, field, value } }) => {
      if (on !== kindOf(before, after)) return []
      if (field !== undefined) {
        const now = valueIn(after, field)
        if (now === valueIn(before, field) || (value !== undefined && now !== value)) return []
      }
      return [{ type, id, before, after }]
    }),
  )
}

/** Merges the changes of each row, at the position of its first one, without rows that are as they were. */
function wholeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>()
  for (const change of changes) {
    const key = `${change.collection}/${change.id}`
    const { before } = merged.get(key) ?? change
    const { collection, id, after } = change
    merged.set(key, { collection, id, ...(before && { before }), ...(after && { after }) })
  }
  return [...merged.values()].filter(({ before, after }) => !isDeepStrictEqual(before, after))
}

function kindOf(before: object | undefined, after: object | undefined): ChangeKind {
  if (before === undefined) return 'created'
  return after === undefined ? 'deleted' : 'updated'
}

const valueIn = (row: object | undefined, field: string): unknown => row && Reflect.get(row, field)
