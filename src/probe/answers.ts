// What an answer says under any assumption: a violation, a page of a list, or nothing that decides a question.
import { isJsonObject } from '../contract/formats.ts'
import type { Answer } from './read-answer.ts'
import { briefly, errorIn, shownOfShapeC } from './error-shape.ts'
import { cannotTell, other, type Reading } from './probe.ts'

/** Whether the request was taken. */
export const isSuccess = (answer: Answer | undefined): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300

/** Whether the request itself was found wrong (contract: Errors). */
export const isViolation = (answer: Answer | undefined): boolean =>
  answer?.status === 400 && errorIn(answer)?.shape === 'A'

/** The type of an error; undefined for the validation shape, which has none, and for what is no error. */
export function typeOf(answer: Answer | undefined): string | undefined {
  const error = answer && errorIn(answer)
  return error && 'type' in error ? error.type : undefined
}

/** The reading of an answer that is none of those that decide: one of the service's own, or none at all. */
export function unlike(answer: Answer | undefined): Reading<never> {
  if (!answer) return cannotTell('what was answered before left nothing to ask')
  const { status } = answer
  const error = errorIn(answer)
  if (error?.shape === 'C' && shownOfShapeC(error.type))
    return cannotTell(`a row of the target is not there: ${briefly(answer)}`)
  const isInTheWay = status === 401 || status === 403 || status >= 500
  return isInTheWay ? cannotTell(`it was answered ${briefly(answer)}`) : other(briefly(answer))
}

/** A page of a list, as the contract has it. */
export interface ListedPage {
  items: Record<string, unknown>[]
  more: boolean
}

/** The page that an answer holds; undefined for one that holds none. */
export function pageIn(answer: Answer | undefined): ListedPage | undefined {
  if (!isSuccess(answer) || !isJsonObject(answer?.json)) return undefined
  const { data, has_more: more } = answer.json
  return Array.isArray(data) ? { items: data.filter(isJsonObject), more: more === true } : undefined
}

/** A field of an answer; undefined where it has none. */
export function fieldOf(answer: Answer | undefined, name: string): unknown {
  return isJsonObject(answer?.json) ? answer.json[name] : undefined
}
