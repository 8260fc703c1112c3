// The three shapes of errors, recognized by their fields and never by their status (contract: Errors).
import { errorRow, isShownType } from '../contract/errors.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Answer } from './read-answer.ts'
import { fromService } from './service-text.ts'

/** An error in an answer of a service. */
export type SeenError =
  | { readonly shape: 'A'; readonly details: readonly string[] }
  | { readonly shape: 'B'; readonly type: string; readonly message: string }
  | { readonly shape: 'C'; readonly type: string; readonly message: string; readonly param: string }

/** Returns the error of an answer; undefined if its body has none of the three shapes. */
export function errorIn({ json }: Pick<Answer, 'json'>): SeenError | undefined {
  if (!isJsonObject(json)) return undefined
  const { details, error, type, message, param } = json
  if (Array.isArray(details)) return { shape: 'A', details: details.map(String) }
  if (isJsonObject(error) && typeof error['type'] === 'string') {
    return { shape: 'B', type: error['type'], message: String(error['message'] ?? '') }
  }
  if (typeof type !== 'string' || typeof param !== 'string') return undefined
  return { shape: 'C', type, message: String(message ?? ''), param }
}

/** Returns an answer in a few words. @example 'status 400 in shape B, BAD_REQUEST_ERROR' */
export function briefly(answer: Answer): string {
  const error = errorIn(answer)
  if (!error) return `status ${answer.status}`
  const about = error.shape === 'A' ? error.details.join(', ') : error.type
  return `status ${answer.status} in shape ${error.shape}, ${fromService(about)}`
}

/**
 * Returns the shape of an error body by the field that only this shape has; undefined for none of the three (contract:
 * Errors).
 */
export function shapeOf(json: unknown): 'A' | 'B' | 'C' | undefined {
  if (!isJsonObject(json)) return undefined
  if ('details' in json) return 'A'
  if (isJsonObject(json['error'])) return 'B'
  return typeof json['type'] === 'string' ? 'C' : undefined
}

/** Returns the type in an error body of shape B or C. */
export function typeOfError(json: unknown): string | undefined {
  if (!isJsonObject(json)) return undefined
  const type = isJsonObject(json['error']) ? json['error']['type'] : json['type']
  return typeof type === 'string' ? type : undefined
}

export const shownOfShapeC = (type: unknown) =>
  isShownType(type) && errorRow(type).shape === 'C' ? errorRow(type) : undefined
