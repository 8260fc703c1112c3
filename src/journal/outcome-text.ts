// The outcome of a call, as text.
import { ApiError, type ErrorDetails } from '../contract/errors.ts'
import { Outcome } from '../call/outcome.ts'
import { none } from '../call/resolution.ts'
import { readBody, writeBody } from './body-text.ts'
import { shownDuration } from './entry.ts'
import { beginning, fitting, type Extent } from './extent.ts'
import { readChanges, writeChanges } from './reads-text.ts'
import type { RowReader, RowWriter } from './row-text.ts'

/** Every field that cannot be derived: a forgotten field does not compile. */
type Field = Exclude<keyof Outcome, 'answer' | 'answerJson' | 'complete' | 'addHeaders' | 'cut' | 'commit'>

export function writeOutcome(outcome: Outcome, rows: RowWriter, { rowsOfReads, each }: Extent) {
  const { body, failure, changes, scenarioChanges, headers } = outcome
  return {
    id: outcome.id,
    at: outcome.at,
    machineTime: outcome.machineTime,
    workspace: outcome.workspace,
    test: outcome.test,
    status: outcome.status,
    // A name and its value stay together.
    headers: fitting(Object.entries(headers).flat(), each, 2),
    body: body === null ? undefined : writeBody(body, !rowsOfReads),
    bodyBytes: outcome.bodyBytes,
    fault: outcome.fault,
    isClientGone: outcome.isClientGone,
    failure: failure && { type: failure.type, about: writeDetails(failure.about, each) },
    changes: changes.length === 0 ? undefined : fitting(writeChanges(changes, rows), each),
    scenarioChanges:
      scenarioChanges &&
      fitting(
        scenarioChanges.map((made) => ({ at: made.at, changes: writeChanges(made.changes, rows) })),
        each,
      ),
    // With the precision of entries.
    duration: shownDuration(outcome),
  } satisfies Record<Field, unknown>
}

function writeDetails({ message, details, ...others }: ErrorDetails, each: number): ErrorDetails {
  return {
    ...others,
    ...(message === undefined ? {} : { message: beginning(message, each) }),
    ...(details === undefined ? {} : { details: fitting(details, each) }),
  }
}

export function readOutcome(written: ReturnType<typeof writeOutcome>, rows: RowReader): Outcome {
  const { headers, body, failure, changes, scenarioChanges, status, fault, ...others } = written
  const fields: Omit<Pick<Outcome, Field>, 'status' | 'headers' | 'fault'> = {
    ...others,
    body: body === undefined ? null : readBody(body),
    failure: failure && new ApiError(failure.type, failure.about),
    changes: changes ? readChanges(changes, rows) : none,
    scenarioChanges: scenarioChanges?.map((made) => ({
      at: made.at,
      changes: readChanges(made.changes, rows),
    })),
  }
  const named = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []))
  const outcome = new Outcome().answer(status, Object.fromEntries(named), null, fault)
  Object.assign(outcome, fields)
  return outcome
}
