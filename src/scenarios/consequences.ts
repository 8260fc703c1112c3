// What effects do to one call: errors, answers and connection faults that end it, latency, changed rows, rewrites.
import type { z } from 'zod'
import type { ErrorDetails, ErrorType } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Version } from '../contract/versions.ts'
import type { Paging } from '../endpoints/paging.ts'

/** Where in a call a fault or a change takes place, seen from the commit of its own writes. */
export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

/** An error by its type, as the operation itself would give it. */
export interface ErrorEnding {
  kind: 'error'
  type: ErrorType
  /** The parameter that is to name nothing; which error that gives can depend on assumptions. */
  missing?: string
  message?: string
  details?: readonly string[]
}

export const transportFaults = ['reset', 'hang', 'empty', 'truncate', 'malformed_json'] as const

/** What happens to the connection instead of a whole answer. */
export type TransportFault = (typeof transportFaults)[number] | { bytes_per_second: number }

/** The faults that leave no response at all: a call in process rejects, at once or when somebody closes. */
export type Loss = 'reset' | 'empty' | 'hang'

export function isLoss(fault: TransportFault | undefined): fault is Loss {
  return fault === 'reset' || fault === 'empty' || fault === 'hang'
}

export type Ending =
  | ErrorEnding
  /** An error from before a version was chosen; it tells the versions that are left where the call's is refused. */
  | { kind: 'refusal'; type: ErrorType; about: ErrorDetails; supported?: readonly Version[] }
  /** Any answer at all. */
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: unknown }
  | { kind: 'fault'; fault: TransportFault; at: Moment }

/** Rows to lay over those of the state, by collection and id; null deletes. */
export interface RowChanges {
  /** The effect that asks for them, as what could not be done is told. */
  effect: string
  at: Moment
  rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A rewritten body, or why nothing was rewritten. */
export interface Rewritten {
  body: unknown
  /** The declared schema does not allow the body. */
  offContract: boolean
  /** Why the rewrite did nothing, if so. */
  skipped?: string
  /** The body would be larger than any may be: the call is answered as if nothing rewrote it. */
  isTooLarge?: boolean
}

/** How a body was made. */
export interface MadeBy {
  /** Undefined where it is no answer of the operation itself. */
  schema: z.ZodType | undefined
  version: Version | undefined
  /** The scopes by which its fields were chosen. */
  scopes: readonly Scope[]
  /** Whether an optional field without a value is null. */
  nulls: boolean
}

/** Puts another body in place of one. */
export interface Rewriting {
  /** The effect that asks for it, as what could not be done is told. */
  effect: string
  rewrite(body: unknown, made: MadeBy): Rewritten
}

/** Effects that do not end the call add up; of those that do, the first rule's wins. */
export class Consequences {
  ending: Ending | undefined
  /** Scopes that the key is taken to lack. */
  readonly missingScopes: Scope[] = []
  /** Milliseconds to wait before anything else. */
  latency = 0
  readonly changes: RowChanges[] = []
  /** How lists are cut into pages in place of the contract's rule. */
  paging: Paging | undefined
  readonly rewritings: Rewriting[] = []
  /** An answer that the contract does not allow. */
  offContract = false

  /** Ends the call, unless an earlier rule does. */
  end(ending: Ending): void {
    this.ending ??= ending
  }
}
