// Problems of a target file, without names below `keys` that may be keys typed in the place of a name.
import { scopeNames } from '../contract/scopes.ts'
import { DocumentError, type Problem } from '../input/problems.ts'

const knownNames: ReadonlySet<string> = new Set(['full', 'without', 'multi', ...scopeNames])

/** The same refusal; a path below `keys` with a name that is neither known nor near one ends at `keys`. */
export const withoutKeyNames = (error: DocumentError): DocumentError =>
  new DocumentError(error.problems.map(hideNames), error.more)

function hideNames(problem: Problem): Problem {
  const [top, ...names] = problem.path.split('.')
  const isKnown = names.every((name) => knownNames.has(name)) || problem.message.includes('did you mean')
  return top !== 'keys' || isKnown ? problem : { ...problem, path: 'keys' }
}
