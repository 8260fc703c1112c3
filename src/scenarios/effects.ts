import type { Effect } from './effect.ts'
import { change } from './effects/change.ts'
import { error } from './effects/error.ts'
import { invalid } from './effects/invalid.ts'
import { latency } from './effects/latency.ts'
import { missingScope } from './effects/missing-scope.ts'
import { notFound } from './effects/not-found.ts'
import { page } from './effects/page.ts'
import { respond } from './effects/respond.ts'
import { rewrite } from './effects/rewrite.ts'
import { transport } from './effects/transport.ts'
import { unauthenticated } from './effects/unauthenticated.ts'
import { unsupportedVersion } from './effects/unsupported-version.ts'

/**
 * Every effect that a rule can have, in the order of the documentation (design: Scenario files). Help, schema, messages
 * and the engine read this list. To add an effect, write its file in `effects/` and name it here.
 */
export const effects: readonly Effect[] = [
  notFound,
  error,
  missingScope,
  unsupportedVersion,
  unauthenticated,
  invalid,
  page,
  change,
  latency,
  transport,
  respond,
  rewrite,
]
