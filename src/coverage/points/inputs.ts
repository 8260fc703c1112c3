// The parameters and body fields of an endpoint, and what a call sent as them.
import type { z } from 'zod'
import type { Assumptions } from '../../contract/assumptions.ts'
import { isJsonObject } from '../../contract/formats.ts'
import type { Endpoint } from '../../endpoints/define.ts'
import type { InFlightCall } from '../../call/index.ts'
import type { Recipe } from './point.ts'

/** A query parameter or body field as an endpoint declares it. */
export interface Input {
  field: string
  /** What clients call it, which an assumption can decide. */
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

/** A call that sends a value. */
export function sending({ query }: Endpoint, field: string, value: string | number): Recipe {
  return field in query ? { query: { [field]: String(value) } } : { fields: { [field]: value } }
}

/** A value that was sent; undefined where none was. A parameter that was sent several times is the list of them. */
export type Sent = unknown

/**
 * Reads a declared parameter or body field of a call. Valid parameters were read already; others are read again from
 * the query, as text.
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
    const { query: asked } = call.request
    if (asked === '') return undefined
    const sent = new URLSearchParams(asked).getAll(name)
    return sent.length > 1 ? sent : sent[0]
  }
}
