// What is wrong with a file, in a form that people, editors and CI systems can follow to the place. Files of every
// kind use it: state documents, scenarios and configuration.
import type { Path } from './json-text.ts'

/** One thing that is wrong, and where. Lines and columns count from 1, columns in UTF-16 units. */
export interface Problem {
  /** The file as its user knows it, or a word such as `fixtures` for what never was a file. */
  source: string
  line?: number
  column?: number
  /** The place in the document, such as `customers[0].first_name`; empty for the whole of it. */
  path: string
  /** Completes "<path>: …". */
  message: string
  /** The line of the source and below it a caret under the column. */
  excerpt?: string
}

/** A path as people write it: `customers[0].first_name`. */
export function pathName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${printable(part)}`))
    .join('')
    .replace(/^\./, '')
}

/** A text from a document, short enough and safe to be shown on one line. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  const shown = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

/** How problems can be written: for people, for programs, or as workflow commands that annotate a change. */
export type ProblemFormat = 'text' | 'json' | 'github'

/** How many problems are written out; a file with one mistake in every row would bury its reader otherwise. */
const mostShown = 100

/**
 * Thrown for a document that cannot be used; carries every problem at once. Its message is their text form.
 *
 * @example
 * new DocumentError([{ source: 'fixtures', path: 'customers[0].id', message: 'is required' }]).message
 * // 'fixtures customers[0].id: is required'
 */
export class DocumentError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(formatProblems(problems))
    this.name = 'DocumentError'
    this.problems = problems
  }
}

/** The refusal of a whole source, or of one place in it. */
export function refusal(source: string, message: string, path = ''): DocumentError {
  return new DocumentError([{ source, path, message }])
}

/**
 * Writes problems out, one after the other. `text` and `github` stop at 100 and say how many more there are;
 * `json` holds all. Warnings come after them, and say that they are.
 *
 * @example
 * formatProblems(problems)
 * // scenarios/x.yaml:6:15 rules[0].effect: unknown effect 'notfound', did you mean 'not_found'?
 * //     effect: notfound
 * //             ^
 */
export function formatProblems(
  problems: readonly Problem[],
  format: ProblemFormat = 'text',
  warnings: readonly Problem[] = [],
): string {
  if (format === 'json') {
    return JSON.stringify({ problems, ...(warnings.length === 0 ? {} : { warnings }) }, null, 2)
  }
  const write = (kind: 'error' | 'warning') => (problem: Problem) =>
    format === 'github'
      ? asWorkflowCommand(problem, kind)
      : (kind === 'warning' ? 'warning: ' : '') + asText(problem)
  const lines = problems.slice(0, mostShown).map(write('error'))
  const more = problems.length - mostShown
  if (more > 0) lines.push(`… and ${more} more ${more === 1 ? 'problem' : 'problems'}`)
  return [...lines, ...warnings.map(write('warning'))].join('\n')
}

function asText(problem: Problem): string {
  const { source, path, message, excerpt } = problem
  const place = [source + position(problem), path].filter((part) => part !== '').join(' ')
  return `${place}: ${message}${excerpt === undefined ? '' : `\n${excerpt}`}`
}

function position({ line, column }: Problem): string {
  if (line === undefined) return ''
  return column === undefined ? `:${line}` : `:${line}:${column}`
}

/** A workflow command; what would end its line or its property is written in percent signs. */
function asWorkflowCommand(
  { source, line, column, path, message }: Problem,
  kind: 'error' | 'warning',
): string {
  const properties = Object.entries({ file: source, line, col: column })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${kind} ${properties.join(',')}::${escaped(path === '' ? message : `${path}: ${message}`)}`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
