// Collects the problems of documents: the first ones with their positions, of the others only their number.
import type { Location } from './excerpt.ts'
import type { Path } from '../json/json-text.ts'
import { DocumentError, maxCounted, maxReported, pathName, type Problem } from './problems.ts'

/** A value of a source whose position is needed. */
export interface SearchedValue {
  path: Path
  /** Whether to point at the value (the default) or at the key before it. */
  at?: 'key' | 'value' | undefined
}

/** A document whose values can have problems. */
export interface Locatable {
  /** The file as its user knows it, or a word for an object in memory. */
  readonly name: string
  /**
   * Returns the positions of values, or of the innermost existing value around each; nothing for an object in memory.
   * All are looked up together, as each lookup costs up to a pass over the text.
   */
  locateAll(places: readonly SearchedValue[]): (Location | undefined)[]
}

/** A problem with a value of a source; its line is looked up when it is reported. */
export interface Finding {
  source: Locatable
  path: Path
  /** A function if creating the text is slow, as most problems are never reported. */
  message: string | (() => string)
  /** Whether the value or the key before it is wrong. */
  at?: 'key' | 'value' | undefined
  /** Another position in the same source; the message ends with its line. */
  lineOf?: Path | undefined
  /** The value that contradicts this one: the message ends with its file, line and column. */
  other?: { source: Locatable; path: Path } | undefined
}

/**
 * The problems of documents that are read together. A document can have any number of problems, so only those that are
 * reported are stored and located, all of a source together; beyond a limit nothing more is read.
 */
export class ProblemList {
  readonly #reported: (Problem | Finding)[] = []
  readonly #byLine: boolean
  #count = 0

  /** @param byLine reports them in the order of the files and their lines, not in the order of discovery. */
  constructor({ byLine = false } = {}) {
    this.#byLine = byLine
  }

  get size(): number {
    return this.#count
  }

  /** @throws {DocumentError} at the limit of problems. */
  add(problem: Problem | Finding): void {
    this.#count += 1
    if (this.#reported.length < maxReported) this.#reported.push(problem)
    if (this.#count >= maxCounted) throw this.error()
  }

  /** Adds those of another document. @throws {DocumentError} like `add`. */
  addAll(error: DocumentError): void {
    for (const problem of error.problems) this.add(problem)
    this.#count += error.more
    if (this.#count >= maxCounted) throw this.error()
  }

  /** @throws {DocumentError} if there is a problem. */
  throwIfAny(): void {
    if (this.#count > 0) throw this.error()
  }

  error(): DocumentError {
    const more = Math.min(this.#count, maxCounted) - this.#reported.length
    const problems = located(this.#reported)
    return new DocumentError(this.#byLine ? inOrder(problems) : problems, more)
  }
}

function located(found: readonly (Problem | Finding)[]): Problem[] {
  const searched = found.filter(isFinding).flatMap((finding) => searchedBy(finding))
  const locations = new Map<object, Location | undefined>()
  for (const source of new Set(searched.map((one) => one.source))) {
    const ofSource = searched.filter((one) => one.source === source)
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

/** Returns the values whose positions a problem needs, each with the object that identifies it. */
function searchedBy(finding: Finding): (SearchedValue & { source: Locatable; of: object })[] {
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

/** In the order of the files, and within a file by line; problems without a line come last. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map(({ source }) => source))]
  const rankOf = new Map(files.map((source, rank) => [source, rank]))
  const rank = ({ source }: Problem): number => rankOf.get(source) ?? 0
  const line = (problem: Problem): number => problem.line ?? 1e9
  return problems.toSorted(
    (a, b) => rank(a) - rank(b) || line(a) - line(b) || (a.column ?? 0) - (b.column ?? 0),
  )
}
