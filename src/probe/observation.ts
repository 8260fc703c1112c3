// What calibrate observed of one assumption, and of which service.
import type { AssumptionId } from '../contract/assumptions.ts'
import type { Evidence } from './evidence.ts'
import type { Verdict } from './probe.ts'
import type { RowsRead } from './rows-read.ts'

/** An assumption as it was observed. */
export interface Observation {
  verdict: Verdict
  /** For `observed`. */
  value?: string | number
  /** For `observed_other`: what was there instead of every value that we know. */
  seen?: string
  /** For every other verdict: why, and what would make it `observed`. */
  why?: string
  takes?: string
  at: string
  /** What in the answers breaks the contract, whatever is assumed. */
  breaks?: string[]
  /** Which rows were read, by digests, so that `--check` can tell whether they are others. */
  rows?: RowsRead
  /** What was asked and answered, with a token in the place of what is secret or somebody's. */
  evidence: Evidence[]
  /** Why `evidence` is empty, where redaction left a secret in it. */
  evidence_withheld?: string
}

/** What was observed of a service. */
export interface Observed {
  calibrated: { target: string; at: string; version: string; package: string }
  observations: Partial<Record<AssumptionId, Observation>>
}
