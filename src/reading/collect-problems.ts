// Goes on after what a document has wrong, so that all problems of all documents are told at once.
import { DocumentError, type Problem } from './problems.ts'

/** What was read; undefined when it has problems, which are then added to the others. */
export async function collect<T>(problems: Problem[], read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}
