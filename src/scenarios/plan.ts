import type { ErrorType } from '../contract/errors.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Version } from '../contract/versions.ts'
import type { PageEdit } from '../endpoints/paging.ts'
import type { Rule } from './scenario.ts'

/** Where in a call a fault or a change takes place, seen from the commit of its own writes. */
export const moments = ['before', 'after'] as const
export type Moment = (typeof moments)[number]

/** An error by its type; it is rendered by the catalogue that renders real ones. */
export interface ErrorEnding {
  kind: 'error'
  type: ErrorType
  /** The parameter that is to name nothing; which error that gives can depend on assumptions. */
  missing?: string
  message?: string
  details?: readonly string[]
}

/** The key is refused, as an unusable one is: no version was chosen. */
export interface UnauthenticatedEnding {
  kind: 'unauthenticated'
}

/** The version is refused when it is not among these; then none was chosen. */
export interface VersionEnding {
  kind: 'unsupported_version'
  supported: readonly Version[]
}

/** Any answer at all. */
export interface RespondEnding {
  kind: 'respond'
  status: number
  headers: Readonly<Record<string, string>>
  body: unknown
}

export const transportFaults = ['reset', 'hang', 'empty', 'truncate', 'malformed_json'] as const

/** What happens to the connection instead of a whole answer. */
export type TransportFault = (typeof transportFaults)[number] | { bytes_per_second: number }

export interface TransportEnding {
  kind: 'transport'
  fault: TransportFault
  at: Moment
}

export type Ending = ErrorEnding | UnauthenticatedEnding | VersionEnding | RespondEnding | TransportEnding

/** Rows to lay over those of the state, by collection and id; null deletes. */
export type RowPatches = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** One operation of JSON Patch (RFC 6902). */
export interface PatchOperation {
  op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  path: string
  from?: string
  value?: unknown
}

export const namedRewrites = ['unknown_fields', 'null_optionals', 'new_enum_values'] as const
export type Rewrite = (typeof namedRewrites)[number] | readonly PatchOperation[]

/** What became of one rule that is for the operation of a call. */
export type Verdict =
  /** The part of the call that does not fit it, such as `params.reward_id`. */
  | { rule: Rule; misfit: string }
  /** It fits: the how-manieth such call it was, and whether that is among the `calls` that it acts on. */
  | { rule: Rule; misfit?: never; call: number; acted: boolean }

/**
 * Everything that scenarios do to one call: effects that do not end it add up, and of those that do, the first
 * rule's wins.
 */
export class Plan {
  ending: Ending | undefined
  /** The rule that the ending is of. */
  endedBy: Rule | undefined
  /** Scopes that the key is taken to lack. */
  readonly missingScopes: Scope[] = []
  /** Milliseconds to wait before anything else. */
  latency = 0
  readonly changes: { at: Moment; rows: RowPatches }[] = []
  readonly pageEdits: PageEdit[] = []
  readonly rewrites: Rewrite[] = []
  /** A rewrite changed the answer. */
  rewritten = false
  /** An answer that the contract does not allow. */
  offContract = false
  /** The rules that were used, as `scenario#place`. */
  readonly rules: string[] = []
  /** What became of every rule for the operation, for explaining it. */
  readonly verdicts: Verdict[] = []
  /** What was asked for and could not be done, in words. */
  readonly undone: string[] = []

  /** Ends the call, unless an earlier rule does. */
  end(ending: Ending): void {
    this.ending ??= ending
  }
}
