// Ids with a sequence of their own, so that events and their endpoints do not change the ids of other rows.

/** The prefix of each sequence, by its collection. */
const prefixes = { webhook_endpoints: 'we', events: 'evt' } as const

/** A collection whose ids are numbered. */
export type NumberedCollection = keyof typeof prefixes

/** Whether the ids of a collection have a sequence of their own. */
export function isNumbered(collection: string): collection is NumberedCollection {
  return Object.hasOwn(prefixes, collection)
}

/** The workspace that always exists; keys and ids without its name belong to it. */
export const defaultWorkspace = 'default'

/** Highest number of an id, so that ids stay safe integers, whatever a document says. */
export const maxNumber = 999_999_999_999

/** How many ids were assigned in each sequence; immutable. */
export interface Sequences extends Readonly<Record<NumberedCollection, number>> {
  /** The generation of event ids, which a reset increases; 1 if omitted. */
  readonly generation?: number | undefined
}

/** The sequences of a state without numbered rows. */
export const noSequences: Sequences = Object.freeze({ webhook_endpoints: 0, events: 0 })

/** @example numberedId('webhook_endpoints', 12)   // 'we_12' */
export const numberedId = (collection: NumberedCollection, number: number): string =>
  `${prefixes[collection]}_${number}`

/**
 * Returns the id of an event. A receiver remembers ids, and drops an event with one that it knows: so no two workspaces
 * and no two generations share one.
 * @example eventIdOf('w3', 2, 1)   // 'evt_w3_2_1'
 */
export function eventIdOf(workspace: string, generation: number, number: number): string {
  const isFirst = workspace === defaultWorkspace && generation === 1
  return numberedId('events', number).replace('_', isFirst ? '_' : `_${workspace}_${generation}_`)
}

/** Event ids: those of `default` before its first reset have only a number. Workspace names may contain underscores. */
export const eventIdPattern = /^evt_(?:([A-Za-z0-9_-]{1,64})_[1-9]\d{0,11}_)?[1-9]\d{0,11}$/

/** Returns the workspace of an event id; undefined for an invalid id. */
export function workspaceOfEventId(id: string): string | undefined {
  const match = eventIdPattern.exec(id)
  return match ? (match[1] ?? defaultWorkspace) : undefined
}

/** Returns the number of an id; 0 for one that is not of the sequence. */
export function numberOf(collection: NumberedCollection, id: string): number {
  const pattern = collection === 'events' ? eventIdPattern : /^we_[1-9]\d{0,11}$/
  return pattern.test(id) ? Number(id.slice(id.lastIndexOf('_') + 1)) : 0
}

/** The sequences of a state after a reset: its event ids differ from all earlier ones. */
export function nextGeneration(next: Sequences, current: Sequences): Sequences {
  const generation = Math.max(next.generation ?? 1, current.generation ?? 1) + 1
  return { ...next, generation }
}

/** The sequences of a state that replaces another one, so that no event id is assigned twice. */
export function withoutRepeats(next: Sequences, current: Sequences): Sequences {
  if (next.events < current.events) return nextGeneration(next, current)
  const generation = Math.max(next.generation ?? 1, current.generation ?? 1)
  return generation === (next.generation ?? 1) ? next : { ...next, generation }
}
