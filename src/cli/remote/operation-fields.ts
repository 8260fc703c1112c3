// The fields of an operation that a verb takes as arguments and options.
import type { z } from 'zod'
import { fieldsIn, type Field } from '../../contract/schema-shape.ts'
import { noQuery, type Operation, type OperationVerb } from '../../operations/declare.ts'
import type { Target } from '../../operations/index.ts'

/** A field of the query or of the body of an operation, as a verb takes it. */
export interface VerbField {
  name: string
  /** In help and messages: `--merchant-name`, or `<name>` for an argument. */
  shown: string
  isArgument: boolean
  schema: z.ZodType
  in: 'query' | 'body'
}

/** Returns the fields that a verb takes: first its arguments, in their order. */
export function fieldsOfVerb(
  { query = noQuery, body }: Operation<Target>,
  { args = [], sends = {}, without = [], options = {} }: OperationVerb,
): VerbField[] {
  const fieldOf =
    (part: 'query' | 'body') =>
    ({ name, schema }: Field) => {
      const word = options[name] ?? name.replaceAll('_', '-')
      const isArgument = args.includes(name)
      return { name, shown: isArgument ? `<${word}>` : `--${word}`, isArgument, schema, in: part }
    }
  const all = [...fieldsIn(query).map(fieldOf('query')), ...(body ? fieldsIn(body) : []).map(fieldOf('body'))]
  const taken = all.filter(({ name }) => !Object.hasOwn(sends, name) && !without.includes(name))
  return [
    ...args.flatMap((name) => taken.filter((field) => field.name === name)),
    ...taken.filter(({ isArgument }) => !isArgument),
  ]
}
