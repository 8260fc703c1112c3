// The sources of an explanation in addition to the call.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Provenance } from '../input/resolve-assumptions.ts'
import type { State } from '../store/state.ts'
import type { Journal } from '../journal/journal.ts'

export interface ExplanationContext {
  environment: Environment
  assumptions: Assumptions
  /** The sources of their values. */
  provenance: Provenance
  /** The path of `--base-url`, which is stripped from those of calls; empty without one. */
  basePath: string
  /** The journal that has the call. */
  journal: Journal
  /** The current rows of the workspace. */
  state: State
  /** The rows at start. */
  baseline: State
  /** Every other workspace, for rows and keys that were requested in the wrong one. */
  others(): Iterable<{ name: string; state: State }>
}
