// The effects of scenarios on one call: errors, answers and connection faults that end it, latency, changed rows,
// rewrites.
import type { z } from 'zod'
import type { ErrorDetails, ErrorType } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Version } from '../contract/versions.ts'
import type { Paging } from '../endpoints/paging.ts'

/** Whether a fault or a change comes before or after the commit of the call's own writes. */
export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

/** An error by its type, as the operation itself would answer it. */
export interface ErrorEnding {
  kind: 'error'
  type: ErrorType
  /** The parameter to treat as unknown; the resulting error can depend on assumptions. */
  missing?: string
  message?: string
  details?: readonly string[]
}

export const transportFaults = ['reset', 'hang', 'empty', 'truncate', 'malformed_json'] as const

/** A connection fault instead of a complete answer. */
export type TransportFault = (typeof transportFaults)[number] | { bytes_per_second: number }

/**
 * The faults without any response. A call in process rejects: immediately, or for `hang` when the client aborts it or
 * the sandbox closes.
 */
export type Loss = 'reset' | 'empty' | 'hang'

export function isLoss(fault: TransportFault | undefined): fault is Loss {
  return fault === 'reset' || fault === 'empty' || fault === 'hang'
}

export type Ending =
  | ErrorEnding
  /** An error before a version is chosen; it lists the remaining versions if the call's version is refused. */
  | { kind: 'refusal'; type: ErrorType; about: ErrorDetails; supported?: readonly Version[] }
  /** Any answer. */
  | { kind: 'answer'; status: number; headers: Readonly<Record<string, string>>; body: unknown }
  | { kind: 'fault'; fault: TransportFault; at: Moment }

/** Rows to merge with those of the state, by collection and id; null deletes. */
export interface RowChanges {
  /** The effect that requests them, for reporting what could not be done. */
  effect: string
  at: Moment
  rows: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** A rewritten body, or why nothing was rewritten. */
export interface Rewritten {
  body: unknown
  /** The declared schema does not allow the body. */
  offContract: boolean
  /** Why the rewrite did nothing, if it did nothing. */
  skipped?: string
  /** The body would exceed the maximum size: the answer stays unchanged. */
  isTooLarge?: boolean
}

/** How the service produced a body. */
export interface MadeBy {
  /** Undefined if it is not an answer of the operation itself. */
  schema: z.ZodType | undefined
  version: Version | undefined
  /** The scopes that decided about its fields. */
  scopes: readonly Scope[]
}

/** Replaces a body by another one. */
export interface Rewriting {
  /** The effect that requests it, for reporting what could not be done. */
  effect: string
  rewrite(body: unknown, made: MadeBy): Rewritten
}

/** Effects that do not end the call are combined; of those that do, the first rule wins. */
export class Consequences {
  ending: Ending | undefined
  /** Scopes that the key is treated as lacking. */
  readonly missingScopes: Scope[] = []
  /** Delay in ms before anything else. */
  latency = 0
  readonly changes: RowChanges[] = []
  /** How lists are split into pages, instead of the contract's rule. */
  paging: Paging | undefined
  readonly rewritings: Rewriting[] = []
  /** An answer that the contract does not allow. */
  offContract = false

  /** Ends the call, unless an earlier rule does. */
  end(ending: Ending): void {
    this.ending ??= ending
  }
}
