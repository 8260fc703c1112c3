// Checks that fields are of their type and format: one for each declared field of what an operation reads.
import type { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { releasedVersions, versionHeader } from '../../contract/versions.ts'
import { fieldsIn } from '../../contract/schema-shape.ts'
import { sectionOf } from '../../coverage/points/shown-values.ts'
import { rowSchemaOf, rowsIn } from '../../coverage/points/result-rows.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { searchCustomers } from '../../endpoints/customers.ts'
import type { Answer } from '../read-answer.ts'
import { expectationOf, isPromised } from '../value-violations.ts'
import { defaultAssumptions } from '../default-context.ts'
import { judgeBody, promisesBody } from '../contract-violations.ts'
import { cannotTell, type Reading } from '../probe.ts'
import { broken, holds, type Check } from './check.ts'
import { needsOf, onlyReads, plain } from './calls.ts'
import { changing, type Changing } from './changing.ts'
import { exactSearch } from './searches.ts'
import { isSuccess } from '../answers.ts'

export const fieldChecks: readonly Check[] = endpoints.filter(promisesBody).flatMap(checksOf)

/** A field by its name in violations. */
interface Field {
  name: string
  /** Its path in the body, such as `data.card`. */
  place: string
  is: string
  promised: boolean
  section: string
}

function checksOf(endpoint: Endpoint): Check[] {
  const { id } = endpoint
  const { step, ...taking } = onlyReads(endpoint)
    ? { step: plain(endpoint), needs: needsOf(endpoint) }
    : withoutUndefined(changing(endpoint))
  return fieldsOf(endpoint).map((field) => ({
    id: `${id}/field/${field.name}`,
    operation: id,
    sentence: sentenceOf(field),
    section: field.section,
    ...taking,
    steps: [step, ...(endpoint === searchCustomers ? [exactSearch] : [])],
    read({ answer }) {
      const answers = [answer(step.name), answer(exactSearch.name)].filter((one) => one !== undefined)
      const readings = answers.map((one) => read(endpoint, field, one))
      return (
        readings.find(({ is }) => is === 'other') ??
        readings.find(({ is }) => is === 'value') ??
        readings[0] ??
        cannotTell('nothing was asked')
      )
    },
  }))
}

/** The row that a change uses up, if any. */
function withoutUndefined({ uses, ...others }: Changing) {
  return uses ? { ...others, uses } : others
}

/** A list or an object is validated together with its presence. */
function sentenceOf({ name, place, promised, is }: Field): string {
  const holdsMore = place !== 'data' && ['an array', 'an object'].includes(is)
  return `${name} ${promised ? '' : 'is optional, and '}is ${is}${holdsMore ? ', and what is in it is as declared' : ''}.`
}

function fieldsOf({ result: resultOf, section }: Endpoint): Field[] {
  const result = resultOf?.(defaultAssumptions)
  if (!result) return []
  const row = rowSchemaOf(result)
  const own = (object: z.ZodType, within: string, of: string): Field[] =>
    fieldsIn(object).map((field) => ({
      name: field.name,
      place: within + field.name,
      is: expectationOf(object, field) ?? 'as declared',
      promised: isPromised(object, field),
      section: of,
    }))
  if (row === result) return own(result, '', sectionOf(row) ?? section)
  return [...own(result, '', section), ...own(row, 'data.', sectionOf(row) ?? section)]
}

function read(endpoint: Endpoint, { name, place }: Field, answer: Answer): Reading<'holds'> {
  if (!isSuccess(answer)) return cannotTell(`the call was answered ${answer.status}`)
  // A later version may have other types, formats and enum values (contract: Versioning 7).
  const version = answer.headers[versionHeader]
  if (version !== undefined && !releasedVersions.some((known) => known === version))
    return cannotTell(`the answer is of version ${version}, which the contract does not describe`)
  if (!isJsonObject(answer.json)) return cannotTell('the body is no JSON object')
  const isOfBody = place === name
  const wrong = judgeBody(endpoint, answer).find(
    ({ field }) => field === place || (place !== 'data' && field?.startsWith(`${place}.`)),
  )
  if (wrong) return broken(wrong.what, wrong.expected)
  const objects = (isOfBody ? [answer.json] : rowsIn(answer.json)).filter(isJsonObject)
  if (objects.some((object) => object[name] !== undefined && object[name] !== null)) return holds
  return objects.length === 0
    ? cannotTell('nothing was listed', '1 row')
    : cannotTell(`none of ${objects.length} has ${name}`, `1 row that has ${name}`)
}
