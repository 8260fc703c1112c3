// Validates input by its schema, and reports problems like those of a document: all together, with suggestions.
import type { z } from 'zod'
import { describeSchemaIssues, readBySchema, type Issue } from './schema-issues.ts'
import { ProblemList } from './problem-list.ts'
import { pathName } from './problems.ts'

/**
 * @param word its name in messages.
 * @param describe describes a problem, if the schema alone cannot.
 * @throws {DocumentError} with every problem.
 * @example
 * readInput(duration, { day: 1 }, 'advance')   // advance day: unknown field, did you mean 'days'?
 */
export function readInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  word: string,
  describe = (issues: readonly z.core.$ZodIssue[]): Iterable<Issue> => describeSchemaIssues(issues, schema),
): z.output<S> {
  const { data, issues } = readBySchema(schema, input)
  if (issues === undefined) return data
  const problems = new ProblemList()
  for (const { path, message } of describe(issues)) {
    problems.add({ source: word, path: pathName(path), message })
  }
  throw problems.error()
}
