// The errors that refuse a request, and the answer for each kind.
import { ApiError } from '../contract/errors.ts'
import { awayAnswer, controlError, type ControlErrorType } from '../http/control-error.ts'
import { ClockError } from '../runtime/clock.ts'
import { UnknownScenarioError, UnusableScenarioError } from '../scenarios/catalogue.ts'
import { DocumentError } from '../input/problems.ts'
import { withoutFolder } from '../runtime/host.ts'
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  RowInUseError,
} from '../input/refusals.ts'
import { collectionNames } from '../store/rows.ts'
import { UnusableError } from '../workspaces/closed.ts'
import { NotSavedError } from '../workspaces/saver.ts'
import { isElsewhere } from '../workspaces/storage.ts'

export class Refusal extends Error {
  readonly type: ControlErrorType
  readonly headers: Readonly<Record<string, string>>

  constructor(type: ControlErrorType, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.type = type
    this.headers = headers
  }
}

/** Errors whose message says what was wrong with the request. */
const invalid = [InvalidError, ClockError, UnknownScenarioError, UnusableScenarioError]

/** Returns the answer for a refusal, or undefined for a bug of ours. */
export function refusalFor(error: unknown): Response | undefined {
  if (error instanceof DocumentError) {
    const type = error instanceof RowInUseError ? 'CONFLICT' : 'INVALID'
    const { message, problems, more } = withoutFolders(error)
    return controlError(type, message, { details: problems, more })
  }
  if (error instanceof NotSavedError) {
    return controlError(error.outcome === 'rolled back' ? 'INTERNAL' : 'UNAVAILABLE', error.publicMessage)
  }
  if (error instanceof UnusableError) return controlError('UNAVAILABLE', error.publicMessage)
  if (isElsewhere(error)) return awayAnswer(error)
  if (error instanceof Refusal) return controlError(error.type, error.message, { headers: error.headers })
  if (error instanceof NotFoundError) return controlError('NOT_FOUND', error.message)
  if (error instanceof ForbiddenError) return controlError('FORBIDDEN', error.message)
  if (error instanceof ConflictError) return controlError('CONFLICT', error.message)
  if (invalid.some((kind) => error instanceof kind) && error instanceof Error) {
    return controlError('INVALID', error.message)
  }
  return error instanceof ApiError ? refusedBody(error) : undefined
}

/** Returns the same problems with files of the server named without their folders; a row stays `collection/id`. */
function withoutFolders({ problems, more }: DocumentError): DocumentError {
  const named = problems.map((problem) => ({
    ...problem,
    source: isRow(problem.source) ? problem.source : withoutFolder(problem.source, problem.source),
  }))
  return new DocumentError(named, more)
}

const isRow = (source: string): boolean => collectionNames.some((name) => source.startsWith(`${name}/`))

/** Returns the result of a check, or the answer for its refusal. */
export async function orRefusal<T>(work: () => T | Promise<T>): Promise<T | Response> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalFor(error)
    if (!refusal) throw error
    return refusal
  }
}

/** Bodies are read like those of the API, and refused in the shape of the control plane. */
function refusedBody({ type, message, about }: ApiError): Response {
  if (type !== 'PAYLOAD_TOO_LARGE_ERROR') return controlError('INVALID', message)
  return controlError('PAYLOAD_TOO_LARGE', message, { headers: about.headers ?? {} })
}
