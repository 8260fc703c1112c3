// conform and calibrate as the library has them; only their types so far.
import type { AssumptionId } from '../contract/assumptions.ts'
import type { Evidence } from './evidence.ts'
import type { Plan } from './planning.ts'
import type { RiskClass, Verdict } from './probe.ts'
import type { GivenTarget } from './target.ts'

/** What both verbs take. */
export interface ProbeOptions {
  /** The classes that are allowed beside `read` and `refusal`. */
  readonly allow?: readonly Extract<RiskClass, 'write' | 'irreversible'>[]
  /** Ids of points or assumptions, or prefixes of them. */
  readonly only?: readonly string[]
  /** Where what is made or changed is noted; `<verb>-made-<run>.jsonl` if left out. */
  readonly made?: string
  /** Ends the run after the request in flight. */
  readonly signal?: AbortSignal
}

/** What both verbs tell of a run. */
export interface ProbeReport {
  target: { host: string }
  package: string
  version: string
  at: string
  partial: boolean
  requests: { planned: number; sent: number }
}

/** A contract point as it was judged. */
export interface JudgedPoint {
  id: string
  operation: string
  sentence: string
  section: string
  verdict: 'holds' | 'broken' | 'not_observable' | 'not_called' | 'unstable'
  why?: string
  expected?: string
  exchanges?: Evidence[]
}

/** An assumption as it was observed. */
export interface Observation {
  verdict: Verdict
  value?: string | number
  seen?: string
  why?: string
  takes?: string
  at: string
  evidence: Evidence[]
}

/** Asks whether a service keeps the contract. */
export type Conform = (
  target: GivenTarget,
  options?: ProbeOptions,
) => Promise<ProbeReport & { points: JudgedPoint[]; summary: Record<JudgedPoint['verdict'], number> }>

/** Asks which value of each assumption a service has. */
export type Calibrate = (
  target: GivenTarget,
  options?: ProbeOptions,
) => Promise<
  Pick<ProbeReport, 'partial' | 'requests'> & {
    calibrated: { target: string; at: string; version: string; package: string }
    assume: Partial<Record<AssumptionId, string | number>>
    observations: Partial<Record<AssumptionId, Observation>>
  }
>

/** What either would send, without sending it. */
export type PlanOnly = (target: GivenTarget, options?: ProbeOptions) => Plan
