import { errorRow } from '../contract/errors.ts'
import { outcomeOfStatus, type Outcome } from '../contract/outcomes.ts'
import type { ExchangeRecord } from './record.ts'

/** What became of a call, in one word. */
export function outcomeOf(record: ExchangeRecord): Outcome {
  const { fault, failure, status, key, version, plan } = record
  if (fault !== undefined) return 'fault'
  if (failure === undefined) return outcomeOfStatus(status)
  if (failure.about.outcome !== undefined) return failure.about.outcome
  // A call of a usable key has a version, unless it asked for one that there is not.
  if (
    failure.type === 'BAD_REQUEST_ERROR' &&
    key &&
    version === undefined &&
    plan?.ending?.kind !== 'respond'
  ) {
    return 'unsupported_version'
  }
  return errorRow(failure.type).outcome
}
