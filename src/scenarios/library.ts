import { readdirSync } from 'node:fs'
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

/** What one reading of everything gave. */
export interface LibraryReading {
  catalogue: Catalogue
  /** The names of what was given, in its order. */
  activeNames: readonly string[]
}

/**
 * The scenarios on disk: the built-in ones and the files that were named. They are read when somebody first asks for
 * one, as reading YAML would take longer than everything else at start.
 */
export class ScenarioLibrary {
  readonly #builtIn: string
  readonly #given: readonly ScenarioInput[]
  readonly #displayPath: (path: string) => string
  #loading: Promise<Catalogue> | undefined
  #activeNames: readonly string[] = []
  /** What is known so far; undefined until it was read. */
  catalogue: Catalogue | undefined

  /** @param given paths must be absolute. */
  constructor(builtIn: string, given: readonly ScenarioInput[], displayPath: (path: string) => string) {
    this.#builtIn = builtIn
    this.#given = given
    this.#displayPath = displayPath
  }

  /** The names of what was given, in its order; known once it was read. */
  get activeNames(): readonly string[] {
    return this.#activeNames
  }

  /**
   * Reads everything, once.
   * @throws {DocumentError} with every problem of every file.
   */
  load(): Promise<Catalogue> {
    this.#loading ??= this.read().then((reading) => this.use(reading))
    return this.#loading
  }

  /**
   * Reads everything as it is now. Nothing takes effect before `use`, so what was known stays when this fails.
   * @throws {DocumentError} with every problem of every file.
   */
  async read(): Promise<LibraryReading> {
    const builtIn = await Promise.all((await builtInFiles(this.#builtIn)).map((file) => this.#read(file)))
    const given = await Promise.all(
      this.#given.map((input) => (isName(input) ? { name: input } : this.#read(input))),
    )
    const problems = [...builtIn, ...given].flatMap((read) => (Array.isArray(read) ? read : []))
    if (problems.length > 0) throw new DocumentError(problems)
    const scenarios = [...builtIn, ...given].filter((read): read is Scenario => 'rules' in read)
    return {
      catalogue: catalogueOf(scenarios),
      activeNames: given.flatMap((read) => (Array.isArray(read) ? [] : [read.name])),
    }
  }

  /** Puts a reading in place of what was known. */
  use({ catalogue, activeNames }: LibraryReading): Catalogue {
    this.#loading = Promise.resolve(catalogue)
    this.catalogue = catalogue
    this.#activeNames = activeNames
    return catalogue
  }

  /**
   * What every workspace knows, by name. Before anything was read these are the built-in scenarios, which are named
   * like their files: a sandbox that is given others reads them at start.
   */
  get names(): readonly string[] {
    return this.catalogue ? [...this.catalogue.keys()] : namesAmong(readdirSync(this.#builtIn))
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

function isName(input: ScenarioInput): input is string {
  return typeof input === 'string' && !isScenarioPath(input)
}

async function builtInFiles(folder: string): Promise<string[]> {
  return namesAmong(await readdir(folder)).map((name) => join(folder, `${name}.yaml`))
}

/** The names of the scenarios whose files are among these. */
function namesAmong(files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .toSorted()
}
