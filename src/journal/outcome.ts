import { errorRow } from '../contract/errors.ts'
import { outcomeOfStatus, type Outcome } from '../contract/outcomes.ts'
import type { ExchangeRecord } from './record.ts'

/** What became of a call, in one word. */
export function outcomeOf(record: ExchangeRecord): Outcome {
  const { fault, failure, status, key, version } = record
  if (fault !== undefined) return 'fault'
  if (failure === undefined) return outcomeOfStatus(status)
  if (failure.about.outcome !== undefined) return failure.about.outcome
  // A call of a usable key has a version, unless the one it asked for was refused.
  if (failure.type === 'BAD_REQUEST_ERROR' && key && version === undefined) return 'unsupported_version'
  // Where an endpoint answers so, it is its row that is not there.
  if (failure.type === 'NOT_FOUND_ERROR' && record.endpoint) return 'not_found'
  return errorRow(failure.type).outcome
}
