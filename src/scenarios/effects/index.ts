// Every effect that a rule can have, in the order of the documentation (design: Scenario files).
import type { Effect } from '../effect.ts'
import { change } from './change.ts'
import { error } from './error.ts'
import { event } from './event.ts'
import { invalid } from './invalid.ts'
import { latency } from './latency.ts'
import { missingScope } from './missing-scope.ts'
import { notFound } from './not-found.ts'
import { page } from './page.ts'
import { respond } from './respond.ts'
import { rewrite } from './rewrite.ts'
import { transport } from './transport.ts'
import { unauthenticated } from './unauthenticated.ts'
import { unsupportedVersion } from './unsupported-version.ts'

/** Help, schema, messages and the engine read this list: to add an effect, write its file and add it here. */
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
  event,
]
