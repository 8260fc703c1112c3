// The observation of one assumption at a service.
import type { AssumptionId } from '../contract/assumptions.ts'
import type { Evidence } from './evidence.ts'
import type { Verdict } from './probe.ts'
import type { RowsRead } from './rows-read.ts'

/** An observed assumption. */
export interface Observation {
  verdict: Verdict
  /** For `observed`. */
  value?: string | number
  /** For `observed_other`: what was observed instead of a known value. */
  seen?: string
  /** For every other verdict: why, and what would allow an observation. */
  why?: string
  takes?: string
  at: string
  /** How the answers break the contract, under any assumption. */
  breaks?: string[]
  /** Digests of the rows that were read, so that `--check` can detect other rows. */
  rows?: RowsRead
  /** The calls, with tokens in place of secret and personal values. */
  evidence: Evidence[]
  /** Why `evidence` is empty, if redaction left a secret in it. */
  evidence_withheld?: string
}

/** The observations of a service. */
export interface Observed {
  calibrated: { target: string; at: string; version: string; package: string }
  observations: Partial<Record<AssumptionId, Observation>>
}
