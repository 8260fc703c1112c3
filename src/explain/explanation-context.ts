// What an explanation may draw on beside the call.
import type { Assumptions } from '../contract/assumptions.ts'
import type { Environment } from '../contract/versions.ts'
import type { Provenance } from '../input/resolve-assumptions.ts'
import type { State } from '../store/state.ts'
import type { Journal } from '../journal/journal.ts'

export interface ExplanationContext {
  environment: Environment
  assumptions: Assumptions
  /** Who chose their values. */
  provenance: Provenance
  /** The path of `--base-url`, which is stripped from those of calls; empty without one. */
  basePath: string
  /** The journal that holds the call. */
  journal: Journal
  /** The rows of the workspace as they are now. */
  state: State
  /** The rows as they were at start. */
  baseline: State
  /** Every other workspace, for rows and keys that were looked for in the wrong one. */
  others(): Iterable<{ name: string; state: State }>
}
