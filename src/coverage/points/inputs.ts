// The parameters and body fields of an endpoint, and the values that a call sent for them.
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { InFlightCall } from '../../call/index.ts'
import type { Recipe } from './point.ts'

/** A query parameter or body field as an endpoint declares it. */
export interface Input {
  field: string
  /** The client-facing name, which an assumption can decide. */
  name: string
  schema: z.ZodType
}

/** Every query parameter and body field of an endpoint. */
export function inputsOf({ query, body }: Endpoint, values: Assumptions): Input[] {
  return [
    ...Object.entries(query).map(([field, { schema, nameFrom }]) => ({
      field,
      name: nameFrom ? values[nameFrom] : field,
      schema,
    })),
    ...Object.entries(body?.(values).shape ?? {}).map(([field, schema]) => ({
      field,
      name: field,
      schema: schema as z.ZodType,
    })),
  ]
}

/** Creates the recipe of a call that sends a value. */
export function sending({ query }: Endpoint, field: string, value: string | number): Recipe {
  return field in query ? { query: { [field]: String(value) } } : { fields: { [field]: value } }
}

/** A value that a call sent; undefined if it sent none. A repeated parameter is a list of its values. */
export type Sent = unknown

/**
 * Returns a reader of a declared parameter or body field. If a call passed validation, the reader returns the parsed
 * parameter. If not, it returns the text in the query.
 */
export function valueSent(
  { query }: Endpoint,
  field: string,
  values: Assumptions,
): (call: InFlightCall) => Sent {
  const parameter = query[field]
  if (!parameter) return ({ parsed }) => (isJsonObject(parsed) ? parsed[field] : undefined)
  const name = parameter.nameFrom ? values[parameter.nameFrom] : field
  return (call) => {
    if (call.resolution.asked) return call.parameters[field]
    const { query: queryText } = call.request
    if (queryText === '') return undefined
    const sent = new URLSearchParams(queryText).getAll(name)
    return sent.length > 1 ? sent : sent[0]
  }
}
