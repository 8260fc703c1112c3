// What an explanation is: sections of facts, and the summary of why a call was answered so.
/**
 * Why a request was answered as it was, for whoever owns the sandbox: it tells more than the client was told, and
 * hides the same secrets as the journal.
 */
export interface Explanation {
  /** The `x-sandbox-request-id` of the answer. */
  id: string
  /** What decided the answer. */
  summary: string
  /** What each part of the sandbox found, in the order in which they looked; those that were not reached are missing. */
  sections: ExplanationSection[]
}

/**
 * The parts of an explanation: the `call` itself, its `key`, `version`, `route` (only where no endpoint has it),
 * `product`, `scenarios`, `scope`, `body`, `ignored` (only where something was), `rows`, `connection` (only for a transport fault) and `assumptions`.
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
  'assumptions',
] as const

/** What one part found. */
export interface ExplanationSection {
  about: (typeof sectionNames)[number]
  facts: ExplanationFact[]
}

/** One thing that was found. */
export interface ExplanationFact {
  name: string
  /** Null where there is none. */
  value: string | number | boolean | null | string[]
  /** What it means or where it comes from. */
  note?: string | undefined
}

/** What a part found, and why it decided the answer, if it did. */
export interface Part {
  section?: ExplanationSection
  reason?: string | undefined
}

/** A fact, with a note where there is one. */
export function fact(
  name: string,
  value: ExplanationFact['value'] | undefined,
  note?: string,
): ExplanationFact {
  return { name, value: value ?? null, ...(note === undefined ? {} : { note }) }
}
