// Continues after the problems of a document, so that those of all documents are reported together.
import type { ProblemList } from './problem-list.ts'
import { DocumentError } from './problems.ts'

/** Returns the result; undefined if it has problems, which are then added to the others. */
export async function collect<T>(problems: ProblemList, read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    problems.addAll(error)
    return undefined
  }
}
