// The structure of an explanation: sections of facts, and the summary of why a call got its answer.
/**
 * Why a request got its answer, for the owner of the sandbox: it reveals more than the answer did, and hides the same
 * secrets as the journal.
 */
export interface Explanation {
  /** The `x-sandbox-request-id` of the answer. */
  id: string
  /** The deciding reason. */
  summary: string
  /**
   * The findings of each part of the sandbox, in the order in which they ran; parts that were not reached are missing.
   */
  sections: ExplanationSection[]
}

/**
 * The parts of an explanation: the `call` itself, its `key`, `version`, `route` (only if no endpoint matches),
 * `product`, `scenarios`, `scope`, `body`, `ignored` (only if something was), `rows`, `connection` (only for a
 * transport fault), `events` (only if it caused webhook events) and `assumptions`.
 */
export const sectionNames = [
  'call',
  'key',
  'version',
  'route',
  'product',
  'scenarios',
  'scope',
  'body',
  'ignored',
  'rows',
  'connection',
  'events',
  'assumptions',
] as const

/** The findings of one part. */
export interface ExplanationSection {
  about: (typeof sectionNames)[number]
  facts: ExplanationFact[]
}

/** One finding. */
export interface ExplanationFact {
  name: string
  /** Null if there is none. */
  value: string | number | boolean | null | string[]
  /** Its meaning or its source. */
  note?: string | undefined
}

/** The findings of a part, and the reason if it decided the answer. */
export interface Part {
  section?: ExplanationSection
  reason?: string | undefined
}

/** Returns a fact, with a note if there is one. */
export function fact(
  name: string,
  value: ExplanationFact['value'] | undefined,
  note?: string,
): ExplanationFact {
  return { name, value: value ?? null, ...(note === undefined ? {} : { note }) }
}
