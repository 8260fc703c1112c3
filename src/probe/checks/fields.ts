// Checks that fields are of their type and format: one for each declared field of what an operation reads.
import { z } from 'zod'
import { isJsonObject } from '../../contract/formats.ts'
import { sectionOf } from '../../coverage/points/shown-values.ts'
import { rowSchemaOf, rowsIn } from '../../coverage/points/result-rows.ts'
import { endpoints } from '../../endpoints/index.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import { cannotTell, type Reading } from '../probe.ts'
import type { Answer } from '../asker.ts'
import { breaches, isOpen, isRequired, unknownVersion, wordsFor } from './against-schema.ts'
import { broken, holds, type Check } from './check.ts'
import { isSuccess, needsOf, onlyReads, plainRead } from './plain-read.ts'

export const fieldChecks: readonly Check[] = endpoints.filter(onlyReads).flatMap(checksOf)

function checksOf(endpoint: Endpoint): Check[] {
  const { id, result, section } = endpoint
  if (!(result instanceof z.ZodObject)) return []
  const row = rowSchemaOf(result)
  const steps = [plainRead(endpoint)]
  const check = (field: Field, of: string, objectsIn: (body: object) => readonly unknown[]): Check => ({
    id: `${id}/field/${field.name}`,
    operation: id,
    sentence: `${field.name} ${field.required ? '' : 'can be left out, and '}is ${field.is}.`,
    section: of,
    needs: needsOf(endpoint),
    steps,
    read: ({ answer }) => read(answer('plain'), field, objectsIn),
  })
  const ofRows = row instanceof z.ZodObject ? fieldsOf(row) : []
  if (row === result) return ofRows.map((field) => check(field, sectionOf(row) ?? section, (body) => [body]))
  return [
    ...fieldsOf(result).map((field) => check(field, section, (body) => [body])),
    ...ofRows.map((field) => check(field, sectionOf(row) ?? section, rowsIn)),
  ]
}

interface Field {
  name: string
  schema: z.ZodType
  /** Whether an assumption says which fields its object has. */
  open: boolean
  required: boolean
  is: string
}

function fieldsOf(object: z.ZodObject): Field[] {
  return Object.entries(object.shape).map(([name, given]) => {
    const declared = given as z.ZodType
    // The rows of a page have checks of their own.
    const schema = name === 'data' ? z.array(z.looseObject({})) : declared
    return {
      name,
      schema,
      open: isOpen(object),
      required: isRequired(object, declared),
      is: name === 'data' ? 'a list of objects' : wordsFor(schema),
    }
  })
}

function read(
  answer: Answer | undefined,
  { name, schema, required, open, is }: Field,
  objectsIn: (body: object) => readonly unknown[],
): Reading<'holds'> {
  if (!answer || !isSuccess(answer)) return cannotTell(`the call was answered ${answer?.status}`)
  const version = unknownVersion(answer)
  if (version !== undefined)
    return cannotTell(`the answer is of version ${version}, which the contract does not describe`)
  if (!isJsonObject(answer.json)) return cannotTell('the body is no JSON object')
  const objects = objectsIn(answer.json).filter(isJsonObject)
  let seen = false
  for (const object of objects) {
    const value = object[name]
    if (value === undefined || value === null) {
      if (required) return broken(value === null ? `${name} is null` : `${name} is left out`, is)
      continue
    }
    seen = true
    const [breach] = breaches(schema, value, name, open)
    if (breach) return broken(`${breach.at} is ${breach.seen}`, breach.expected)
  }
  if (seen) return holds
  return objects.length === 0
    ? cannotTell('nothing was listed', '1 row')
    : cannotTell(`none of ${objects.length} has ${name}`, `1 row that has ${name}`)
}
