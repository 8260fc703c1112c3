// The fields of a row before and after a call, those of objects within it by their own names.
import { isJsonObject } from '../../json/json-object.ts'
import { stringify } from '../../json/stringify.ts'

/** One field; a text is missing where the row did not have it. */
export interface FieldDifference {
  /** Such as `metadata.merchant_name`. */
  field: string
  before: string | undefined
  after: string | undefined
  isChanged: boolean
}

/** Every field of a row, as JSON. @param before missing for a new row. @param after missing for a deleted one. */
export function fieldDifferences(before?: object, after?: object): FieldDifference[] {
  const [one, other] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...one.keys(), ...other.keys()])]
  return names.map((field) => {
    const [was, is] = [one.get(field), other.get(field)]
    return { field, before: was, after: is, isChanged: was !== is }
  })
}

function fieldsOf(row: object | undefined): Map<string, string> {
  const found = new Map<string, string>()
  const collect = (value: unknown, name: string): void => {
    const fields = isJsonObject(value) ? Object.entries(value) : []
    if (fields.length === 0) found.set(name, stringify(value))
    else for (const [key, field] of fields) collect(field, name === '' ? key : `${name}.${key}`)
  }
  for (const [key, field] of Object.entries(row ?? {})) collect(field, key)
  return found
}
