// What an answer says, whatever value each assumption has: who answered, and what stands in the way of a reading.
import { isJsonObject } from '../../contract/formats.ts'
import { versionHeader } from '../../contract/versions.ts'
import { isSuccess } from '../answers.ts'
import type { Answer } from '../read-answer.ts'
import { shapeOf, shownOfShapeC, typeOfError } from '../error-shape.ts'
import { cannotTell, type Given, type Reading } from '../probe.ts'

/** The version that an answer names. */
export const versionOf = ({ headers }: Answer): string | undefined => headers[versionHeader]

/** Whether the endpoint itself answered, and nothing that stands before it: key, version, product and scope are fine. */
export const isOfEndpoint = (answer: Answer): boolean =>
  isSuccess(answer) || shapeOf(answer.json) === 'A' || isMissingRow(answer)

/** Whether a row was looked for, and not found. */
export const isMissingRow = ({ status, json }: Answer): boolean =>
  status >= 400 && shapeOf(json) === 'C' && shownOfShapeC(typeOfError(json)) !== undefined

/** Whether it was refused for the key: by what the contract shows, such a refusal names no version. */
export const isRefusedKey = (answer: Answer): boolean =>
  answer.status === 401 || (answer.status === 403 && versionOf(answer) === undefined)

/** Whether two answers say the same, apart from when they were given. */
export const saysTheSame = (one: Answer, other: Answer): boolean =>
  one.status === other.status && essence(one.json) === essence(other.json)

function essence(json: unknown): string | undefined {
  if (!isJsonObject(json)) return JSON.stringify(json)
  const { timestamp: _, ...rest } = json
  return JSON.stringify(rest)
}

/** An answer in words, with its error type where that is a name and nothing else. */
export function inWords({ status, json }: Answer): string {
  const type = typeOfError(json)
  return type === undefined || !/^[A-Za-z_]\w{0,59}$/.test(type)
    ? `status ${status}`
    : `status ${status} ${type}`
}

/** Reads the answer to a step; one that is a failure of the service decides nothing. */
export function readAnswer<V>(given: Given, step: string, read: (answer: Answer) => Reading<V>): Reading<V> {
  const answer = given.answer(step)
  if (!answer) return cannotTell('what was answered before left nothing to ask')
  return answer.status >= 500 ? cannotTell(`it was answered ${inWords(answer)}`) : read(answer)
}

/** What a validation failure lists. */
export function detailsOf({ json }: Answer): string[] {
  const details: unknown = isJsonObject(json) ? json['details'] : undefined
  return Array.isArray(details) ? details.filter((detail) => typeof detail === 'string') : []
}

/** Whether a detail names a field, and not one whose name is only longer. */
export const namesField = (detail: string, field: string): boolean =>
  new RegExp(`(?<!\\w)${field}(?!\\w)`).test(detail)
