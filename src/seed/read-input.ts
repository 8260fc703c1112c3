import type { z } from 'zod'
import { describeSchemaIssues } from './complete-row.ts'
import { DocumentError } from './problems.ts'
import { pathName } from './source-file.ts'

/**
 * Reads what somebody gave by its schema; what is wrong with it is told as for a document, all at once and with
 * suggestions for names that are not known.
 *
 * @param word by which messages name it.
 * @throws {DocumentError} with every problem.
 * @example
 * readInput(duration, { day: 1 }, 'advance')   // advance day: unknown field, did you mean 'days'?
 */
export function readInput<S extends z.ZodType>(schema: S, input: unknown, word: string): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  throw new DocumentError(
    describeSchemaIssues(result.error.issues, schema).map(({ path, message }) => ({
      source: word,
      path: pathName(path),
      message,
    })),
  )
}
