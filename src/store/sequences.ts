// Ids with a sequence of their own, so that events and their endpoints do not change the ids of other rows.

/** The prefix of each sequence, by its collection. */
const prefixes = { webhook_endpoints: 'we', events: 'evt' } as const

/** A collection whose ids are numbered. */
export type NumberedCollection = keyof typeof prefixes

/** Whether the ids of a collection have a sequence of their own. */
export function isNumbered(collection: string): collection is NumberedCollection {
  return Object.hasOwn(prefixes, collection)
}

/** Highest number of an id, so that ids stay safe integers, whatever a document says. */
export const maxNumber = 999_999_999_999

/** How many ids were assigned in each sequence; immutable. */
export type Sequences = Readonly<Record<NumberedCollection, number>>

/** The sequences of a state without numbered rows. */
export const noSequences: Sequences = Object.freeze({ webhook_endpoints: 0, events: 0 })

/** @example numberedId('events', 12)   // 'evt_12' */
export function numberedId(collection: NumberedCollection, number: number): string {
  return `${prefixes[collection]}_${number}`
}

/** Returns the number of an id; 0 for one that is not of the sequence. */
export function numberOf(collection: NumberedCollection, id: string): number {
  const prefix = `${prefixes[collection]}_`
  return id.startsWith(prefix) && /^[1-9]\d{0,11}$/.test(id.slice(prefix.length))
    ? Number(id.slice(prefix.length))
    : 0
}
