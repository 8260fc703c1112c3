// Environment variables in a target file: `${NAME}`, including positions where YAML would read the braces as its own.
import { DocumentError, type Problem } from '../input/problems.ts'
import { withoutKeyNames } from './target-problems.ts'
import { maskValues } from '../secrets/mask-source.ts'
import { sourceFromText, type Source } from '../input/source-file.ts'

/** Every variable in a text. */
export const variables = /\$\{([A-Za-z_]\w*)\}/g

/** A text that is a variable and nothing else. */
export const variable = /^\$\{[A-Za-z_]\w*\}$/

// In `{ ACCOUNT_READ: ${KEY} }` YAML ends the value at the brace. So the braces are replaced by unused characters
// before parsing, which keeps lines and columns.
const hide = (text: string): string => text.replace(variables, '\ue000\ue001$1\ue002')
const show = (text: string): string => text.replace(/\ue000\ue001(\w+)\ue002/g, '${$1}')

/** @throws {DocumentError} like `sourceFromText`, which parses it. */
export async function sourceWithVariables(text: string, name: string, extension: string): Promise<Source> {
  const read = await sourceFromText(hide(text), name, extension).catch((error: unknown) => {
    throw error instanceof DocumentError
      ? withoutKeyNames(new DocumentError(error.problems.map(shown), error.more))
      : error
  })
  return {
    name,
    value: showIn(read.value),
    locateAll: (places) =>
      read
        .locateAll(
          places.map((place) => ({
            ...place,
            path: place.path.map((part) => (typeof part === 'string' ? hide(part) : part)),
          })),
        )
        .map((location) => location && { ...location, excerpt: show(location.excerpt) }),
  }
}

/** An invalid target may have a key anywhere: its lines show only names and variables. */
function shown(problem: Problem): Problem {
  const { excerpt } = problem
  return {
    ...problem,
    message: show(problem.message),
    path: show(problem.path),
    ...(excerpt === undefined ? {} : { excerpt: show(excerpt.replace(/^.*/, maskValues)) }),
  }
}

function showIn(value: unknown): unknown {
  if (typeof value === 'string') return show(value)
  if (Array.isArray(value)) return value.map(showIn)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [show(name), showIn(inner)]))
}
