// The three shapes of errors, told apart by what they hold and never by their status (contract: Errors).
import { isJsonObject } from '../contract/formats.ts'
import type { Answer } from './asker.ts'

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
  return `status ${answer.status} in shape ${error.shape}, ${about}`
}
