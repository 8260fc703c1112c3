// Interprets an answer independently of assumptions: which stage answered, and what prevents a reading.
import { isJsonObject } from '../../contract/formats.ts'
import { versionHeader } from '../../contract/versions.ts'
import { isSuccess } from '../answers.ts'
import type { Answer } from '../read-answer.ts'
import { shapeOf, shownOfShapeC, typeOfError } from '../error-shape.ts'
import { cannotTell, type ProbeContext, type Reading } from '../probe.ts'

/** Returns the version that an answer names. */
export const versionOf = ({ headers }: Answer): string | undefined => headers[versionHeader]

/** Whether the endpoint itself answered, not an earlier stage: key, version, product and scope are accepted. */
export const isOfEndpoint = (answer: Answer): boolean =>
  isSuccess(answer) || shapeOf(answer.json) === 'A' || isMissingRow(answer)

/** Whether a row was looked up, and not found. */
export const isMissingRow = ({ status, json }: Answer): boolean =>
  status >= 400 && shapeOf(json) === 'C' && shownOfShapeC(typeOfError(json)) !== undefined

/** Whether it was refused for the key: by the contract, such a refusal names no version. */
export const isRefusedKey = (answer: Answer): boolean =>
  answer.status === 401 || (answer.status === 403 && versionOf(answer) === undefined)

/** Whether two answers are equal, except for their times. */
export const saysTheSame = (one: Answer, other: Answer): boolean =>
  one.status === other.status && essence(one.json) === essence(other.json)

function essence(json: unknown): string | undefined {
  if (!isJsonObject(json)) return JSON.stringify(json)
  const { timestamp: _, ...rest } = json
  return JSON.stringify(rest)
}

/** Returns an answer in words, with its error type if that is a plain name. */
export function inWords({ status, json }: Answer): string {
  const type = typeOfError(json)
  return type === undefined || !/^[A-Za-z_]\w{0,59}$/.test(type)
    ? `status ${status}`
    : `status ${status} ${type}`
}

/** Reads the answer to a step; a failure of the service decides nothing. */
export function readAnswer<V>(
  context: ProbeContext,
  step: string,
  read: (answer: Answer) => Reading<V>,
): Reading<V> {
  const answer = context.answer(step)
  if (!answer) return cannotTell('an earlier answer left nothing to request')
  return answer.status >= 500 ? cannotTell(`it was answered ${inWords(answer)}`) : read(answer)
}

/** Returns the details of a validation failure. */
export function detailsOf({ json }: Answer): string[] {
  const details: unknown = isJsonObject(json) ? json['details'] : undefined
  return Array.isArray(details) ? details.filter((detail) => typeof detail === 'string') : []
}

/** Whether a detail names a field, and not a longer name. */
export const namesField = (detail: string, field: string): boolean =>
  new RegExp(`(?<!\\w)${field}(?!\\w)`).test(detail)
