// The three shapes of errors, told apart by what they hold and never by their status (contract: Errors).
import { errorRow, isShownType } from '../contract/errors.ts'
import { isJsonObject } from '../contract/formats.ts'
import type { Answer } from './read-answer.ts'
import { fromService } from './service-text.ts'

/** An error as a service answers it. */
export type SeenError =
  | { readonly shape: 'A'; readonly details: readonly string[] }
  | { readonly shape: 'B'; readonly type: string; readonly message: string }
  | { readonly shape: 'C'; readonly type: string; readonly message: string; readonly param: string }

/** The error of an answer; undefined when its body has none of the three shapes. */
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

/** An answer in a few words. @example 'status 400 in shape B, BAD_REQUEST_ERROR' */
export function briefly(answer: Answer): string {
  const error = errorIn(answer)
  if (!error) return `status ${answer.status}`
  const about = error.shape === 'A' ? error.details.join(', ') : error.type
  return `status ${answer.status} in shape ${error.shape}, ${fromService(about)}`
}

/** The shape of an error body by the field that only it has; undefined for none of the three (contract: Errors). */
export function shapeOf(json: unknown): 'A' | 'B' | 'C' | undefined {
  if (!isJsonObject(json)) return undefined
  if ('details' in json) return 'A'
  if (isJsonObject(json['error'])) return 'B'
  return typeof json['type'] === 'string' ? 'C' : undefined
}

/** The type that an error body of shape B or C names. */
export function typeOfError(json: unknown): string | undefined {
  if (!isJsonObject(json)) return undefined
  const type = isJsonObject(json['error']) ? json['error']['type'] : json['type']
  return typeof type === 'string' ? type : undefined
}

export const shownOfShapeC = (type: unknown) =>
  isShownType(type) && errorRow(type).shape === 'C' ? errorRow(type) : undefined
