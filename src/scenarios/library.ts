// The library of scenarios: built-in ones and files, read on first use.
import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../contract/versions.ts'
import { documentFiles } from '../input/document-files.ts'
import { ProblemList } from '../input/problem-list.ts'
import { DocumentError, type Problem } from '../input/problems.ts'
import { readSource, sourceFromObject, type Source } from '../input/source-file.ts'
import { catalogueOf, isScenarioPath, type Catalogue } from './catalogue.ts'
import type { Scenario } from './scenario.ts'

/** The option for active scenarios: names, paths of files, or scenarios as objects. */
export type ScenarioInput = string | object

/** Returns the name of a file in messages, by its absolute path. */
type DisplayPath = (path: string) => string

/** The result of reading everything. */
export interface LibraryReading {
  catalogue: Catalogue
  /** The names of the active scenarios, in their order. */
  activeNames: readonly string[]
  /** About files of its folders that are not read. */
  warnings: readonly Problem[]
}

/**
 * Parses a scenario. The code for this is loaded with the first one: the effects and their schemas are a quarter of all
 * objects that a start would create.
 *
 * @throws {DocumentError} with its problems, each at its line and column.
 */
export async function readScenario(source: Source): Promise<Scenario> {
  const reader = await import('./read-scenario.ts')
  return reader.readScenario(source)
}

/**
 * The scenarios on disk: the built-in ones and the files of options. They are read on first use, as parsing YAML would
 * take longer than the rest of the start.
 */
export class ScenarioLibrary {
  readonly #builtIn: string
  readonly #known: readonly string[]
  readonly #activeInputs: readonly ScenarioInput[]
  readonly #displayPath: DisplayPath
  /** The environment in which its scenarios act. */
  readonly environment: Environment
  #loading: Promise<Catalogue> | undefined
  /** The names of the active scenarios, in their order; known after reading. */
  activeNames: readonly string[] = []
  /** About files of its folders that are not read. */
  warnings: readonly Problem[] = []
  /** The scenarios so far; undefined before reading. */
  catalogue: Catalogue | undefined

  /**
   * @param builtIn the folder of the built-in scenarios.
   * @param activeInputs the active scenarios at the start; paths must be absolute.
   * @param known absolute paths of files and folders with scenarios that can be selected by name.
   */
  constructor(
    builtIn: string,
    activeInputs: readonly ScenarioInput[],
    displayPath: DisplayPath,
    known: readonly string[] = [],
    environment: Environment = 'sandbox',
  ) {
    this.#builtIn = builtIn
    this.#activeInputs = activeInputs
    this.#known = known
    this.#displayPath = displayPath
    this.environment = environment
  }

  /**
   * Reads everything, once.
   * @throws {DocumentError} with the problems of all files.
   */
  load(): Promise<Catalogue> {
    this.#loading ??= this.read().then((reading) => this.use(reading))
    return this.#loading
  }

  /**
   * Reads the current files. Nothing takes effect before `use`, so the earlier result stays if this fails.
   * @throws {DocumentError} with the problems of all files.
   */
  async read(): Promise<LibraryReading> {
    const builtIn = await readBuiltIn(this.#builtIn, this.#displayPath)
    const activeScenarios = await Promise.all(
      this.#activeInputs.map((input) => (isName(input) ? { name: input } : this.#read(input))),
    )
    const warnings: Problem[] = []
    const known = (
      await Promise.all(this.#known.map((path) => this.#readKnown(path, (each) => warnings.push(each))))
    ).flat()
    const all = [...builtIn, ...known, ...activeScenarios]
    const problems = new ProblemList()
    for (const read of all) if (read instanceof DocumentError) problems.addAll(read)
    problems.throwIfAny()
    const scenarios = all.filter((read): read is Scenario => 'rules' in read)
    return {
      catalogue: catalogueOf(scenarios),
      activeNames: activeScenarios.flatMap((read) => (read instanceof DocumentError ? [] : [read.name])),
      warnings,
    }
  }

  /** Replaces the scenarios by the result of a reading. */
  use({ catalogue, activeNames, warnings }: LibraryReading): Catalogue {
    this.#loading = Promise.resolve(catalogue)
    this.catalogue = catalogue
    this.activeNames = activeNames
    this.warnings = warnings
    return catalogue
  }

  /**
   * The scenarios of every workspace, by name. Before reading these are the built-in scenarios, which are named like
   * their files: a sandbox with others reads them at start.
   */
  get names(): readonly string[] {
    return this.catalogue ? [...this.catalogue.keys()] : namesAmong(readdirSync(this.#builtIn))
  }

  async #readKnown(path: string, warn: (warning: Problem) => void): Promise<(Scenario | DocumentError)[]> {
    const { files, problem, warning } = await documentFiles(path, this.#displayPath(path))
    if (warning) warn(warning)
    return problem ? [new DocumentError([problem])] : Promise.all(files.map((file) => this.#read(file)))
  }

  #read(input: ScenarioInput): Promise<Scenario | DocumentError> {
    return readInput(input, this.#displayPath)
  }
}

const builtInOf = new Map<string, Promise<readonly (Scenario | DocumentError)[]>>()

/** The built-in scenarios: files of the package, which are read once, as a test suite starts many sandboxes. */
function readBuiltIn(
  folder: string,
  displayPath: DisplayPath,
): Promise<readonly (Scenario | DocumentError)[]> {
  // The cache key is the displayed folder, because each scenario stores how messages name its file.
  const shown = displayPath(folder)
  const known = builtInOf.get(shown)
  if (known) return known
  const reading = readFolder(folder, displayPath)
  builtInOf.set(shown, reading)
  // A file that could not be read is tried again on the next use.
  reading.catch(() => builtInOf.delete(shown))
  return reading
}

async function readFolder(folder: string, displayPath: DisplayPath): Promise<(Scenario | DocumentError)[]> {
  const names = namesAmong(await readdir(folder))
  return Promise.all(names.map((name) => readInput(join(folder, `${name}.yaml`), displayPath)))
}

async function readInput(input: ScenarioInput, displayPath: DisplayPath): Promise<Scenario | DocumentError> {
  try {
    const source: Source =
      typeof input === 'string'
        ? await readSource(input, displayPath(input))
        : sourceFromObject(input, 'scenario')
    return await readScenario(source)
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

function isName(input: ScenarioInput): input is string {
  return typeof input === 'string' && !isScenarioPath(input)
}

/** Returns the names of the scenarios whose files are among these. */
function namesAmong(files: readonly string[]): string[] {
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .toSorted()
}
