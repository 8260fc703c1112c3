// Problems of files, in a form that people, editors and CI systems can locate. Files of every kind use it: state
// documents, scenarios and configuration.
import { maskApiKeys } from '../secrets/mask-source.ts'
import type { Path } from '../json/json-text.ts'

/** One problem with its position. Lines and columns count from 1, columns in UTF-16 units. */
export interface Problem {
  /** The file as its user knows it, or a word such as `fixtures` for an object. */
  source: string
  line?: number
  column?: number
  /** The place in the document, such as `customers[0].first_name`; empty for the whole of it. */
  path: string
  /** Completes "<path>: …". */
  message: string
  /** The line of the source with a caret under the column. */
  excerpt?: string
}

/** Returns a path in the usual notation: `customers[0].first_name`. */
export function pathName(path: Path): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${printable(part)}`))
    .join('')
    .replace(/^\./, '')
}

/** Returns a text from a document, shortened and safe for one line. */
export function printable(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is replaced
  const shown = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

/** The formats of problems: for people, for programs, or as workflow commands that annotate a change. */
export type ProblemFormat = 'text' | 'json' | 'github'

/** Maximum number of problems in a report: a file with one mistake in every row would bury its reader. */
export const maxReported = 100

/** Maximum number of problems that are counted. Then reading stops, as further problems add no information. */
export const maxCounted = 1000

/**
 * Thrown for an invalid document, with its first 100 problems. Its message is their text form.
 *
 * @example
 * new DocumentError([{ source: 'fixtures', path: 'customers[0].id', message: 'is required' }]).message
 * // 'fixtures customers[0].id: is required'
 */
export class DocumentError extends Error {
  readonly problems: readonly Problem[]
  /** How many more there are; at least so many if it is 900, as counting stops there. */
  readonly more: number

  constructor(problems: readonly Problem[], more = 0) {
    const shown = problems.slice(0, maxReported).map(withoutApiKeys)
    const omitted = more + problems.length - shown.length
    super(formatProblems(shown, 'text', omitted))
    this.name = 'DocumentError'
    this.problems = shown
    this.more = omitted
  }
}

/** A message may quote a value, and a field name may be a key. */
function withoutApiKeys(problem: Problem): Problem {
  return { ...problem, path: maskApiKeys(problem.path), message: maskApiKeys(problem.message) }
}

/** The problem of a whole source, or of one position in it. */
export function refusal(source: string, message: string, path = ''): DocumentError {
  return new DocumentError([{ source, path, message }])
}

/**
 * Formats problems: the first 100, and how many more there are. Warnings come after them and are marked.
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
  more = 0,
  warnings: readonly Problem[] = [],
): string {
  const reported = problems.slice(0, maxReported)
  const omitted = more + problems.length - reported.length
  if (format === 'json') {
    const rest = { ...(omitted > 0 ? { more: omitted } : {}), ...(warnings.length > 0 ? { warnings } : {}) }
    return JSON.stringify({ problems: reported, ...rest }, null, 2)
  }
  const write = (kind: 'error' | 'warning') => (problem: Problem) =>
    format === 'github'
      ? asWorkflowCommand(problem, kind)
      : (kind === 'warning' ? 'warning: ' : '') + asText(problem)
  const lines = reported.map(write('error'))
  if (omitted > 0) lines.push(andMore(omitted))
  return [...lines, ...warnings.map(write('warning'))].join('\n')
}

function andMore(more: number): string {
  const atLeast = more >= maxCounted - maxReported ? 'at least ' : ''
  return `… and ${atLeast}${more} more ${more === 1 ? 'problem' : 'problems'}`
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

/** Returns a workflow command; characters that would end its line or property are percent-encoded. */
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
