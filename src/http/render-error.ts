// Renders every error as an answer, in shape A, B or C as the catalogue defines (contract: Errors).
import { errorRow, typeInForce, type ApiError } from '../contract/errors.ts'
import type { ServedCall } from './served-call.ts'

export function renderError(error: ApiError, call: ServedCall): void {
  const { request, outcome } = call
  outcome.failure = error
  const row = errorRow(error.type)
  const declared = request.endpoint?.errors.find((candidate) => candidate.type === error.type)
  const statusFrom = declared?.statusFrom ?? row.statusFrom
  const status = error.about.status ?? (statusFrom ? Number(call.assume(statusFrom)) : row.status)
  const type = typeInForce(error.type, status, call.assume)
  outcome.answerJson(status, JSON.stringify(bodyOf()), { ...row.headers, ...error.about.headers })

  function bodyOf(): object {
    switch (row.shape) {
      case 'A':
        return {
          path: request.path,
          details: error.about.details ?? [],
          error: row.message,
          status,
          timestamp: call.workspace.clock.timestamp(),
        }
      case 'B':
        return { error: { type, message: error.message, ...error.about.fields } }
      case 'C':
        return { type, message: error.message, param: row.param }
    }
  }
}
