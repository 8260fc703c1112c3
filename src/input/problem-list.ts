// Gathers what is wrong with documents: the first problems with their places, of the others only how many.
import type { Location } from './excerpt.ts'
import type { Path } from '../json/json-text.ts'
import { DocumentError, maxCounted, maxReported, pathName, type Problem } from './problems.ts'

/** A value of a source whose place is looked for. */
export interface Sought {
  path: Path
  /** Whether to point at the value, as if left out, or at the key in front of it. */
  at?: 'key' | 'value' | undefined
}

/** What values can be wrong in. */
export interface Locatable {
  /** The file as its user knows it, or a word for what is in memory. */
  readonly name: string
  /**
   * Where values stand, or the innermost value around each that is there; nothing for what is in memory. All are
   * looked for at once, as each look costs up to a pass over the text.
   */
  locateAll(places: readonly Sought[]): (Location | undefined)[]
}

/** Something wrong with a value of a source; its line is looked up when it is told. */
export interface Finding {
  source: Locatable
  path: Path
  /** A function where finding the words takes a while, as most problems are never told. */
  message: string | (() => string)
  /** Whether the value is wrong or the key in front of it. */
  at?: 'key' | 'value' | undefined
  /** Another place in the same source, of which the message ends with the line. */
  lineOf?: Path | undefined
  /** The value that contradicts this one: the message ends with its file, line and column. */
  other?: { source: Locatable; path: Path } | undefined
}

/**
 * The problems of documents that are read together. A document has as many as whoever wrote it likes, so only those
 * that are told are kept and looked up, all of a source at once; beyond a number nothing more is read.
 */
export class ProblemList {
  readonly #told: (Problem | Finding)[] = []
  readonly #byLine: boolean
  #count = 0

  /** @param byLine tells them in the order of the files and their lines, not in that in which they were found. */
  constructor({ byLine = false } = {}) {
    this.#byLine = byLine
  }

  get size(): number {
    return this.#count
  }

  /** @throws {DocumentError} when there are so many that nothing more is worth reading. */
  add(problem: Problem | Finding): void {
    this.#count += 1
    if (this.#told.length < maxReported) this.#told.push(problem)
    if (this.#count >= maxCounted) throw this.error()
  }

  /** Adds those of another document. @throws {DocumentError} as `add` does. */
  addAll(error: DocumentError): void {
    for (const problem of error.problems) this.add(problem)
    this.#count += error.more
    if (this.#count >= maxCounted) throw this.error()
  }

  /** @throws {DocumentError} when there is a problem. */
  throwIfAny(): void {
    if (this.#count > 0) throw this.error()
  }

  error(): DocumentError {
    const more = Math.min(this.#count, maxCounted) - this.#told.length
    const problems = located(this.#told)
    return new DocumentError(this.#byLine ? inOrder(problems) : problems, more)
  }
}

function located(found: readonly (Problem | Finding)[]): Problem[] {
  const sought = found.filter(isFinding).flatMap((finding) => soughtBy(finding))
  const locations = new Map<object, Location | undefined>()
  for (const source of new Set(sought.map((one) => one.source))) {
    const ofSource = sought.filter((one) => one.source === source)
    const all = source.locateAll(ofSource)
    for (const [place, one] of ofSource.entries()) locations.set(one.of, all[place])
  }
  return found.map((problem): Problem => {
    if (!isFinding(problem)) return problem
    const { source, path, message, lineOf, other } = problem
    const line = lineOf && locations.get(lineOf)
    const location = other && locations.get(other)
    const words = [
      typeof message === 'string' ? message : message(),
      ...(line ? [`in line ${line.line}`] : []),
      ...(other && location ? [`(${other.source.name}:${location.line}:${location.column})`] : []),
    ]
    return { source: source.name, ...locations.get(problem), path: pathName(path), message: words.join(' ') }
  })
}

/** The values whose positions a problem needs, each with the object by which it is found again. */
function soughtBy(finding: Finding): (Sought & { source: Locatable; of: object })[] {
  const { source, path, at, lineOf, other } = finding
  return [
    { of: finding, source, path, at },
    ...(lineOf ? [{ of: lineOf, source, path: lineOf }] : []),
    ...(other ? [{ of: other, source: other.source, path: other.path }] : []),
  ]
}

function isFinding(problem: Problem | Finding): problem is Finding {
  return typeof problem.source !== 'string'
}

/** In the order of the files, and in a file in that of its lines; what has no line comes after. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ source }) => source))]
  const rankOf = new Map(files.map((source, rank) => [source, rank]))
  const rank = ({ source }: Problem): number => rankOf.get(source) ?? 0
  const line = (problem: Problem): number => problem.line ?? 1e9
  return problems.toSorted(
    (a, b) => rank(a) - rank(b) || line(a) - line(b) || (a.column ?? 0) - (b.column ?? 0),
  )
}
