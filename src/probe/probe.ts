// A probe as data: the requests that decide one question, and the function that reads their answers.
import type { Answer } from './read-answer.ts'
import type { Exchange } from './request-sender.ts'
import type { Violation } from './value-violations.ts'
import type { ProbeRequest } from './prepare.ts'
import type { Expendable, Need, Target } from './target.ts'

/**
 * The effect of a request on the target: none (`read`); none, as it must be refused (`refusal`); it creates something
 * (`write`); it changes something irreversibly (`irreversible`).
 */
export const riskClasses = ['read', 'refusal', 'write', 'irreversible'] as const
export type RiskClass = (typeof riskClasses)[number]

/** Classes that are sent only if allowed, as they change something. */
export const allowedClasses = ['write', 'irreversible'] as const satisfies RiskClass[]
export type AllowedClass = (typeof allowedClasses)[number]

/** Classes that are sent without `--allow`: they change nothing, so they may be sent twice. */
export const isSafe = (risk: RiskClass): boolean => risk === 'read' || risk === 'refusal'

/** The result of reading the answers. */
export type Reading<V> =
  | { readonly is: 'value'; readonly value: V }
  /** None of the known values; `seen` describes the observation, `expected` the requirement of a contract. */
  | { readonly is: 'other'; readonly seen: string; readonly expected?: string }
  /** `takes` describes what would allow an observation, such as `7 more rewards`. */
  | { readonly is: 'cannot_tell'; readonly why: string; readonly takes?: string }

export const value = <V>(read: V): Reading<V> => ({ is: 'value', value: read })
export const other = (seen: string, expected?: string): Reading<never> => ({
  is: 'other',
  seen,
  ...(expected === undefined ? {} : { expected }),
})
export const cannotTell = (why: string, takes?: string): Reading<never> => ({
  is: 'cannot_tell',
  why,
  ...(takes === undefined ? {} : { takes }),
})

/** The inputs of the requests of a probe. */
export interface ProbeContext {
  readonly target: Target
  /** The name of the run: everything it creates has it if a field allows, such as `metadata`. */
  readonly run: string
  /** The expendable rows of this probe alone, as many as `uses` says. */
  readonly rows: Readonly<Record<Expendable, readonly string[]>>
  /** Returns the answer to an earlier step of this pass; undefined if it was omitted. */
  answer(step: string): Answer | undefined
}

/** One request of a probe. */
export interface Step<V = unknown> {
  /** Unique in the probe. */
  readonly name: string
  readonly risk: RiskClass
  readonly method: string
  /**
   * For the plan: `<…>` is a value from an earlier answer. The request's path must match it.
   * @example '/v2/transaction_intents/<intent>'
   */
  path(context: Pick<ProbeContext, 'target' | 'rows' | 'run'>): string
  /**
   * Returns the request without its method; undefined omits the step. Its path is that of the plan by default.
   * @param first the reading of the first pass, in the second.
   */
  request(
    context: ProbeContext,
    first?: V,
  ): (Omit<ProbeRequest, 'method' | 'path'> & { path?: string }) | undefined
  /**
   * Sent once in a run, for all probes that have this very step as their first of its class; they share the rows too.
   * So one row that is created or used up serves all of them.
   */
  readonly once?: true
  /** Returns the id of what a `write` created, for the list of created objects; `id` of the answer by default. */
  made?(answer: Answer): string | undefined
}

/** A question to the target. */
export interface Probe<V = unknown> {
  /** The assumption or contract point that it decides. */
  readonly id: string
  /** The required fields of the target; without them, the probe is not observable. */
  readonly needs: readonly Need[]
  /** How many expendable rows it uses up; no other probe gets them. */
  readonly uses?: Partial<Record<Expendable, number>>
  readonly steps: readonly Step<V>[]
  read(context: ProbeContext): Reading<V>
  /** Returns violations in an answer, in addition to those that its path and method show. */
  readonly violations?: (exchange: Exchange) => Violation[]
  /**
   * A shorter second pass, for a probe whose steps are safe: it depends on the first reading, which is undefined if
   * there was none, and `read` must return the same value. Without it, all steps are sent twice.
   */
  readonly confirm?: {
    readonly steps: readonly Step<V>[]
    read(context: ProbeContext, first: V | undefined): Reading<V>
  }
}

/** Whether a probe changes nothing, so that it runs twice. */
export const runsTwice = <V>({ steps }: Probe<V>): boolean => steps.every(({ risk }) => isSafe(risk))

/** The result of a probe. */
export const verdicts = [
  'observed',
  'observed_other',
  'not_observable',
  'not_allowed',
  'unstable',
  'not_called',
] as const
export type Verdict = (typeof verdicts)[number]

/** A probe's verdict, with all of its calls. */
export interface Result<V = unknown> {
  readonly probe: Probe<V>
  readonly verdict: Verdict
  /** For `observed`. */
  readonly value?: V
  /** For `observed_other`: the observation. */
  readonly seen?: string
  readonly expected?: string
  /** For the others: why, and what would allow an observation. */
  readonly why?: string
  readonly takes?: string
  /** Without redaction: for the redactor only. */
  readonly exchanges: readonly Exchange[]
}
