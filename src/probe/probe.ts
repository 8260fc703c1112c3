// A probe as data: the requests that decide one question, and the reader from their answers to a reading.
import type { Answer } from './read-answer.ts'
import type { Exchange } from './asker.ts'
import type { Violation } from './judge-value.ts'
import type { ProbeRequest } from './prepare.ts'
import type { Expendable, Need, Target } from './target.ts'

/**
 * What a request may do to the target: nothing (`read`); nothing, as it is made to be refused (`refusal`); create
 * something (`write`); change what cannot be changed back (`irreversible`).
 */
export const riskClasses = ['read', 'refusal', 'write', 'irreversible'] as const
export type RiskClass = (typeof riskClasses)[number]

/** What is sent only when it is allowed, as it changes something. */
export const allowedClasses = ['write', 'irreversible'] as const satisfies RiskClass[]
export type AllowedClass = (typeof allowedClasses)[number]

/** What is sent without `--allow`: it changes nothing, so it may be sent twice. */
export const isSafe = (risk: RiskClass): boolean => risk === 'read' || risk === 'refusal'

/** What a probe made of the answers. */
export type Reading<V> =
  | { readonly is: 'value'; readonly value: V }
  /** None of the values that there are; `seen` says what was there instead, `expected` what a contract has there. */
  | { readonly is: 'other'; readonly seen: string; readonly expected?: string }
  /** `takes` says what would make it so, such as `7 more rewards`. */
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

/** What the requests of a probe are made from. */
export interface Given {
  readonly target: Target
  /** Names the run: what it makes carries it where a field allows, such as `metadata`. */
  readonly run: string
  /** The expendable rows that are this probe's alone, as many as `uses` says. */
  readonly rows: Readonly<Record<Expendable, readonly string[]>>
  /** The answer to an earlier step of this pass; undefined for one that was left out. */
  answer(step: string): Answer | undefined
}

/** One request of a probe. */
export interface Step<V = unknown> {
  /** Unique in the probe. */
  readonly name: string
  readonly risk: RiskClass
  readonly method: string
  /**
   * As the plan shows it: `<…>` stands for what comes from an earlier answer. The request's path must fit it.
   * @example '/v2/transaction_intents/<intent>'
   */
  path(given: Pick<Given, 'target' | 'rows' | 'run'>): string
  /**
   * The request beside its method; undefined to leave it out. Its path is that of the plan unless it says otherwise.
   * @param first what the first pass read, in the second.
   */
  request(given: Given, first?: V): (Omit<ProbeRequest, 'method' | 'path'> & { path?: string }) | undefined
  /**
   * Sent once in a run, for all probes that have this very step as their first of its class; they share the rows too.
   * So one row that is made or used up shows all that can be seen of it.
   */
  readonly once?: true
  /** The id of what a `write` made, for the list of what was made; `id` of the answer if left out. */
  made?(answer: Answer): string | undefined
}

/** A question to the target. */
export interface Probe<V = unknown> {
  /** The assumption or contract point that it decides. */
  readonly id: string
  /** What the target must have; where it lacks any, the probe is not observable. */
  readonly needs: readonly Need[]
  /** How many expendable rows it uses up; no other probe is given them. */
  readonly uses?: Partial<Record<Expendable, number>>
  readonly steps: readonly Step<V>[]
  read(given: Given): Reading<V>
  /** What in an answer breaks the contract, in addition to what its path and method show. */
  readonly violations?: (exchange: Exchange) => Violation[]
  /**
   * A shorter second pass, for one whose steps are safe: it looks at what the first read, which is undefined when it
   * read no value, and `read` says that again or something else. Without it, all steps are sent twice.
   */
  readonly confirm?: {
    readonly steps: readonly Step<V>[]
    read(given: Given, first: V | undefined): Reading<V>
  }
}

/** Whether a probe changes nothing, so that it runs twice. */
export const runsTwice = <V>({ steps }: Probe<V>): boolean => steps.every(({ risk }) => isSafe(risk))

/** What became of a probe. */
export const verdicts = [
  'observed',
  'observed_other',
  'not_observable',
  'not_allowed',
  'unstable',
  'not_called',
] as const
export type Verdict = (typeof verdicts)[number]

/** A probe's verdict, and everything that was sent for it. */
export interface Result<V = unknown> {
  readonly probe: Probe<V>
  readonly verdict: Verdict
  /** For `observed`. */
  readonly value?: V
  /** For `observed_other`: what was seen. */
  readonly seen?: string
  readonly expected?: string
  /** For the others: why, and what would make it so. */
  readonly why?: string
  readonly takes?: string
  /** With nothing hidden: for the redactor only. */
  readonly exchanges: readonly Exchange[]
}
