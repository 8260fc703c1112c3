// Reads what somebody gave by its schema, and tells what is wrong as for a document: all at once, with suggestions.
import type { z } from 'zod'
import { describeSchemaIssues, type Issue } from './schema-issues.ts'
import { DocumentError, pathName } from './problems.ts'

/**
 * @param word by which messages name it.
 * @param describe says what is wrong, where the schema alone cannot say it well.
 * @throws {DocumentError} with every problem.
 * @example
 * readInput(duration, { day: 1 }, 'advance')   // advance day: unknown field, did you mean 'days'?
 */
export function readInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  word: string,
  describe = (issues: readonly z.core.$ZodIssue[]): Issue[] => describeSchemaIssues(issues, schema),
): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  throw new DocumentError(
    describe(result.error.issues).map(({ path, message }) => ({
      source: word,
      path: pathName(path),
      message,
    })),
  )
}
