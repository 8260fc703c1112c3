// Goes on after what a document has wrong, so that the problems of all documents are told at once.
import type { ProblemList } from './problem-list.ts'
import { DocumentError } from './problems.ts'

/** What was read; undefined when it has problems, which are then added to the others. */
export async function collect<T>(problems: ProblemList, read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    problems.addAll(error)
    return undefined
  }
}
