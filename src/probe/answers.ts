// Interprets an answer independently of assumptions: a violation, a page of a list, or an answer that decides nothing.
import { isJsonObject } from '../contract/formats.ts'
import type { Answer } from './read-answer.ts'
import { briefly, errorIn, shownOfShapeC } from './error-shape.ts'
import { cannotTell, other, type Reading } from './probe.ts'

/** Whether the request was accepted. */
export const isSuccess = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300

/** Whether the request itself was invalid (contract: Errors). */
export const isViolation = (answer: Answer | undefined): boolean =>
  answer?.status === 400 && errorIn(answer)?.shape === 'A'

/** Returns the type of an error; undefined for the validation shape, which has none, and for other answers. */
export function typeOf(answer: Answer | undefined): string | undefined {
  const error = answer && errorIn(answer)
  return error && 'type' in error ? error.type : undefined
}

/**
 * Returns the reading of an answer that matches no known value: another value of the service, or an unusable answer.
 */
export function unlike(answer: Answer | undefined): Reading<never> {
  if (!answer) return cannotTell('an earlier answer left nothing to request')
  const { status } = answer
  const error = errorIn(answer)
  if (error?.shape === 'C' && shownOfShapeC(error.type))
    return cannotTell(`a row of the target is missing: ${briefly(answer)}`)
  const isInTheWay = status === 401 || status === 403 || status >= 500
  return isInTheWay ? cannotTell(`it was answered ${briefly(answer)}`) : other(briefly(answer))
}

/** A page of a list in the contract's form. */
export interface ListedPage {
  items: Record<string, unknown>[]
  more: boolean
}

/** Returns the page in an answer; undefined if there is none. */
export function pageIn(answer: Answer | undefined): ListedPage | undefined {
  if (!isSuccess(answer) || !isJsonObject(answer?.json)) return undefined
  const { data, has_more: more } = answer.json
  return Array.isArray(data) ? { items: data.filter(isJsonObject), more: more === true } : undefined
}

/** Returns a field of an answer; undefined if it does not exist. */
export function fieldOf(answer: Answer | undefined, name: string): unknown {
  return isJsonObject(answer?.json) ? answer.json[name] : undefined
}
