// Creates the error that a scenario injects, as the operation itself would answer it. If an assumption decides between
// two errors, the error in force replaces the named one.
//
// Returns undefined if the operation has no error in that case, such as an empty list for an unknown customer: the
// handler then runs, and finds nothing.
import { ApiError, errorRow, errorsEverywhere, type ErrorType } from '../../contract/errors.ts'
import { isInForce, missingParameter, type DeclaredError } from '../../endpoints/define.ts'
import type { ErrorEnding } from '../../scenarios/consequences.ts'
import type { ServedCall } from '../served-call.ts'
import { lackOf } from '../stages/require-scope.ts'

export function injectedError(call: ServedCall, ending: ErrorEnding): ApiError | undefined {
  const { request, service, assume } = call
  const { endpoint } = request
  const errors = endpoint?.errors ?? []
  const holds = (error: DeclaredError): boolean => isInForce(error, service.assumptions)
  const meant = errors.filter((error) =>
    ending.missing === undefined ? error.type === ending.type : missingParameter(error) === ending.missing,
  )
  const [first] = meant
  const own = meant.find(holds)
  if (own || !first?.when || isGeneral(ending)) return errorOf(own)
  const [decisive] = first.when
  const other = errors.find((error) => error.when?.[0] === decisive && holds(error))
  if (other) return errorOf(other)
  call.resolution.missing = missingParameter(first)
  return undefined

  function errorOf(declared: DeclaredError | undefined): ApiError {
    if (declared?.when) assume(declared.when[0])
    const type = declared?.type ?? ending.type
    const message = ending.message ?? declared?.message ?? defaultMessage(type)
    return new ApiError(type, { message, ...(ending.details ? { details: ending.details } : {}) })
  }

  function defaultMessage(type: ErrorType): string {
    return type === 'FORBIDDEN_ERROR' && endpoint?.scope ? lackOf(endpoint.scope) : errorRow(type).message
  }
}

/** Whether every operation can answer with this error, under all assumptions. */
function isGeneral({ type, missing }: ErrorEnding): boolean {
  return missing === undefined && errorsEverywhere.includes(type)
}
