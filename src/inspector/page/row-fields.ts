// The fields of a row as its JSON Schema declares them, each with the properties of its form field.
import { isJsonObject } from '../../json/json-object.ts'
import { parseExact } from '../../json/parse-exact.ts'
import { formatMinorUnits } from '../../contract/currencies.ts'
import { targetOf } from './row-references.ts'

/** The part of a JSON Schema that forms use. */
export interface JsonSchema {
  $ref?: string
  $defs?: Readonly<Record<string, JsonSchema>>
  type?: string
  format?: string
  enum?: readonly unknown[]
  description?: string
  maximum?: number
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  items?: JsonSchema
}

/** The control of a field: text of a kind, one or several choices, the id of a row, or JSON. */
export type FieldKind = 'text' | 'number' | 'choice' | 'choices' | 'date-time' | 'date' | 'reference' | 'json'

/** One field of a form. */
export interface RowField {
  /** The names that lead to it. @example ['address', 'city'] */
  path: readonly string[]
  kind: FieldKind
  /** The options of a choice. */
  choices: readonly string[]
  /** The collection of the row that it names. */
  collection: string | undefined
  description: string
  /** Whether a row must have it. */
  isRequired: boolean
  /** Whether it is an amount in minimum currency units. */
  isAmount: boolean
  /** Undefined where the row does not have it. */
  value: unknown
  /** The value that it begins with when it is added. */
  blank: unknown
  /** The currency of an amount, from the same object. */
  currency: string | undefined
}

/** The schema of a row; stubs are one list, which has none. @param document the JSON Schema of state documents. @param collection or `account`. */
export function rowSchemaOf(document: JsonSchema, collection: string): JsonSchema | undefined {
  const named = document.properties?.[collection]
  if (collection === 'stubs' || !named) return undefined
  return resolved(document, collection === 'account' ? named : named.items)
}

/**
 * Each field that a row has or may have, in the order of the schema; of an object that it has, those within.
 * @param document the targets of references within the schema.
 * @param idField is left out: a row with another id is another row.
 */
export function fieldsOf(
  document: JsonSchema,
  collection: string,
  row: Readonly<Record<string, unknown>>,
  idField: string,
): RowField[] {
  const look = (schema: JsonSchema, value: Readonly<Record<string, unknown>>, path: readonly string[]) => {
    const { properties = {}, required = [] } = schema
    const currency = typeof value['currency'] === 'string' ? value['currency'] : undefined
    return Object.entries(properties).flatMap(([name, declared]): RowField[] => {
      const own = resolved(document, declared) ?? {}
      const inner = value[name]
      if (path.length === 0 && name === idField) return []
      if (own.properties && isJsonObject(inner)) return look(own, inner, [...path, name])
      const target = targetOf(collection, name)
      const isAmount = isAmountField(own, currency !== undefined)
      return [
        {
          path: [...path, name],
          kind: fits(inner, own) ? kindOf(own, target) : 'json',
          choices: choicesOf(own) ?? choicesOf(own.items) ?? [],
          collection: target,
          description: own.description ?? '',
          isRequired: required.includes(name),
          isAmount,
          value: inner,
          blank: blankOf(own),
          currency: isAmount ? currency : undefined,
        },
      ]
    })
  }
  const schema = rowSchemaOf(document, collection)
  return schema ? look(schema, row, []) : []
}

function resolved(document: JsonSchema, schema: JsonSchema | undefined): JsonSchema | undefined {
  const name = schema?.$ref?.replace('#/$defs/', '')
  return name === undefined ? schema : document.$defs?.[name]
}

function choicesOf(schema: JsonSchema | undefined): readonly string[] | undefined {
  return schema?.enum?.map(String)
}

function kindOf(schema: JsonSchema, target: string | undefined): FieldKind {
  if (schema.enum) return 'choice'
  if (schema.type === 'array') return schema.items?.enum ? 'choices' : 'json'
  if (target !== undefined && schema.type === 'string') return 'reference'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.format === 'date-time' || schema.format === 'date') return schema.format
  return schema.type === 'string' ? 'text' : 'json'
}

/** Whether a form can show a value; null and values of another shape only the JSON can. */
function fits(value: unknown, { type }: JsonSchema): boolean {
  return (
    value === undefined ||
    (value !== null && !isJsonObject(value) && Array.isArray(value) === (type === 'array'))
  )
}

function blankOf(schema: JsonSchema): unknown {
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return 0
  return schema.type === 'object' || schema.properties ? {} : ''
}

/** The description names an amount, or the object also has a currency; credits are at most 0. */
function isAmountField({ type, description = '', maximum = 0 }: JsonSchema, hasCurrency: boolean): boolean {
  return (
    type === 'integer' && (description.includes('minimum currency units') || (hasCurrency && maximum === 0))
  )
}

/** The row with another value of a field; undefined removes it, and gives an object its fields where it has none. */
export function withField(
  row: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const inner = row[name]
  const own = rest.length === 0 ? value : withField(isJsonObject(inner) ? inner : {}, rest, value)
  const { [name]: _removed, ...others } = row
  if (own === undefined) return others
  return name in row ? { ...row, [name]: own } : { ...others, [name]: own }
}

/** Parses the text of a number field. Other text stays text, for the sandbox to refuse. */
export function numberOf(text: string): unknown {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text.trim()) ? (parseExact(`[${text}]`, true) as unknown[])[0] : text
}

/** An amount as people read it. @example amountText(252, 'USD')   // '2.52 USD' */
export function amountText(value: unknown, currency: string | undefined): string {
  if (currency === undefined || typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return 'in minimum currency units'
  }
  return `= ${formatMinorUnits(value, currency)} ${currency}`
}

const inUtc = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)Z$/

/** Returns a time in the form of the browser's field; undefined for a time that the field cannot show exactly. */
export function localTime(value: unknown): string | undefined {
  return typeof value === 'string' ? inUtc.exec(value)?.[1] : undefined
}

/** Returns the time of the browser's field; the sandbox refuses a year of five digits. @example timeOf('2026-10-21T09:30')   // '2026-10-21T09:30:00.000Z' */
export function timeOf(local: string): string {
  const at = new Date(`${local}Z`)
  return Number.isNaN(at.getTime()) ? `${local}Z` : at.toISOString()
}
