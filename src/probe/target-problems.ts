// Problems of a target file, without names below `keys`, which may be keys that were typed in place of a name.
import { scopeNames } from '../contract/scopes.ts'
import { DocumentError, type Problem } from '../input/problems.ts'

const knownNames: ReadonlySet<string> = new Set(['full', 'without', 'multi', ...scopeNames])

/**
 * Returns the same error; a path below `keys` with an unknown name that is not similar to a known one ends at `keys`.
 */
export const withoutKeyNames = (error: DocumentError): DocumentError =>
  new DocumentError(error.problems.map(hideNames), error.more)

function hideNames(problem: Problem): Problem {
  const [top, ...names] = problem.path.split('.')
  const isKnown = names.every((name) => knownNames.has(name)) || problem.message.includes('did you mean')
  return top !== 'keys' || isKnown ? problem : { ...problem, path: 'keys' }
}
