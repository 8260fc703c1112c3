import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DocumentError, type Problem } from '../seed/problems.ts'
import { readSource, sourceFromObject, type Source } from '../seed/source-file.ts'
import { catalogueOf, type Catalogue } from './catalogue.ts'
import { readScenario } from './read-scenario.ts'
import type { Scenario } from './scenario.ts'

/** Whether a word names a file rather than a scenario. */
export function isScenarioPath(word: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/i.test(word)
}

/** What a sandbox is told to activate: names, paths of files, or scenarios as objects. */
export type ScenarioInput = string | object

/**
 * The scenarios on disk: the built-in ones and the files that were named. They are read when somebody first asks for
 * one, as reading YAML would take longer than everything else at start.
 */
export class ScenarioLibrary {
  readonly #builtIn: string
  readonly #given: readonly ScenarioInput[]
  readonly #displayPath: (path: string) => string
  #loading: Promise<Catalogue> | undefined
  /** What is known so far; undefined until it was read. */
  catalogue: Catalogue | undefined

  /** @param given paths must be absolute. */
  constructor(builtIn: string, given: readonly ScenarioInput[], displayPath: (path: string) => string) {
    this.#builtIn = builtIn
    this.#given = given
    this.#displayPath = displayPath
  }

  /** The files that are read, for watching them. */
  get files(): string[] {
    return this.#given.filter((input) => typeof input === 'string' && isScenarioPath(input)) as string[]
  }

  /**
   * Reads everything, once.
   * @throws {DocumentError} with every problem of every file.
   */
  load(): Promise<Catalogue> {
    this.#loading ??= this.reload()
    return this.#loading
  }

  /** Reads everything again; what was known stays when that fails. */
  async reload(): Promise<Catalogue> {
    const builtIn = await Promise.all((await builtInFiles(this.#builtIn)).map((file) => this.#read(file)))
    const given = await Promise.all(
      this.#given
        .filter((input) => typeof input === 'object' || isScenarioPath(input))
        .map((input) => this.#read(input)),
    )
    const problems = [...builtIn, ...given].flatMap((read) => (Array.isArray(read) ? read : []))
    if (problems.length > 0) throw new DocumentError(problems)
    const scenarios = [...builtIn, ...given].filter((read): read is Scenario => !Array.isArray(read))
    this.catalogue = catalogueOf(scenarios)
    this.#names = this.#given.map((input) => {
      if (typeof input === 'string' && !isScenarioPath(input)) return input
      const at = this.#given
        .filter((other) => typeof other === 'object' || isScenarioPath(other))
        .indexOf(input)
      const read = given[at]
      return read === undefined || Array.isArray(read) ? '' : read.name
    })
    return this.catalogue
  }

  #names: readonly string[] = []

  /** The names of what was given, in its order; known once it was read. */
  get activeNames(): readonly string[] {
    return this.#names
  }

  async #read(input: ScenarioInput): Promise<Scenario | Problem[]> {
    try {
      const source: Source =
        typeof input === 'string'
          ? await readSource(input, this.#displayPath(input))
          : sourceFromObject(input, 'scenario')
      return readScenario(source)
    } catch (error) {
      if (error instanceof DocumentError) return [...error.problems]
      throw error
    }
  }
}

async function builtInFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .toSorted()
    .map((name) => join(folder, `${name}.yaml`))
}
