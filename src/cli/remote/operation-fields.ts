// The fields of an operation that a verb takes as arguments and options.
import type { z } from 'zod'
import { fieldsIn } from '../../contract/schema-shape.ts'
import { noQuery, type Operation, type OperationVerb } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'

/** A field of the query or of the body of an operation, as a verb takes it. */
export interface VerbField {
  name: string
  /** Its option, such as `--merchant-name`; undefined for an argument. */
  option: string | undefined
  schema: z.ZodType
  in: 'query' | 'body'
}

/** Returns the fields that a verb takes: first its arguments, in their order. */
export function fieldsOfVerb(
  { query = noQuery, body }: Operation<Target>,
  { args = [], sends = {}, without = [], options = {} }: OperationVerb,
): VerbField[] {
  const all = [
    ...fieldsIn(query).map(({ name, schema }) => ({ name, schema, in: 'query' as const })),
    ...(body ? fieldsIn(body) : []).map(({ name, schema }) => ({ name, schema, in: 'body' as const })),
  ].filter(({ name }) => !Object.hasOwn(sends, name) && !without.includes(name))
  const ofArguments = args.flatMap((name) => all.filter((field) => field.name === name))
  const others = all.filter(({ name }) => !args.includes(name))
  return [
    ...ofArguments.map((field) => ({ ...field, option: undefined })),
    ...others.map((field) => ({ ...field, option: `--${options[field.name] ?? dashed(field.name)}` })),
  ]
}

/** `merchant_name` is `merchant-name`. */
export const dashed = (field: string): string => field.replaceAll('_', '-')
