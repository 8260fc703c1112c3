// The errors of the control plane (`/_sandbox`), which are not part of the contract: type, status, body.
import { methodsOfPath } from '../endpoints/routes.ts'

export const controlErrors = {
  INVALID: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISDIRECTED: 421,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ControlErrorType = keyof typeof controlErrors

/** 405, with the methods that the path has. */
export function methodNotAllowed(allow: string): Response {
  return controlError('METHOD_NOT_ALLOWED', methodsOfPath(allow), { headers: { allow } })
}

/** 503: another process owns the workspace, or the store cannot be reached now. */
export function awayAnswer({ message }: Error): Response {
  return controlError('UNAVAILABLE', message, { headers: { 'retry-after': '1' } })
}

/** `{"error": {type, message, details?, more?}}` with the status of the type. */
export function controlError(
  type: ControlErrorType,
  message: string,
  about: { details?: readonly unknown[]; more?: number; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const { details, more = 0, headers } = about
  const body = { error: { type, message, ...(details ? { details } : {}), ...(more > 0 ? { more } : {}) } }
  return Response.json(body, { status: controlErrors[type], headers: { ...headers } })
}
