// The stages of a call in the order in which they run (contract-cases: Order).
import { preflight } from '../cors.ts'
import type { Stage } from '../stage.ts'
import { delayAsPlanned, endAsPlanned, planScenarios, prepareScenarios } from './apply-scenarios.ts'
import { authenticate } from './authenticate.ts'
import { checkHeaders } from './check-headers.ts'
import { handle } from './handle.ts'
import { matchRoute } from './match-route.ts'
import { negotiateVersion } from './negotiate-version.ts'
import { parseBody, receiveBody } from './receive-body.ts'
import { refuseIdempotency } from './refuse-idempotency.ts'
import { requireScope } from './require-scope.ts'
import { selectProduct } from './select-product.ts'
import { validate } from './validate.ts'

/**
 * The order decides much of the contract's behaviour:
 * - Stages before `negotiateVersion` answer without `x-service-version`, stages after it with it (Versioning 4).
 * - `requireScope` runs before `validate` and `handle`: without the scope, ids cannot be probed (Authentication 4).
 * - `validate` runs before the lookups in `handle`: a bad request to an unknown id is a bad request.
 */
export const stages: readonly Stage[] = [
  preflight,
  authenticate,
  negotiateVersion,
  matchRoute,
  selectProduct,
  prepareScenarios,
  planScenarios,
  delayAsPlanned,
  endAsPlanned,
  requireScope,
  refuseIdempotency,
  checkHeaders,
  receiveBody,
  parseBody,
  validate,
  handle,
]
