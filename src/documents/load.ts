// Loads fixtures: reads documents, lays them over each other and over the default fixture, makes a State.
import { isJsonObject } from '../contract/formats.ts'
import { builtInName, builtInRows } from './built-in-rows.ts'
import { assemble, type Assembled, type AssembleOptions } from './assemble.ts'
import type { SandboxPart } from './state-document.ts'
import { documentFiles } from '../reading/document-files.ts'
import { readFallback } from './fallback.ts'
import { Gathered } from './gather.ts'
import { collect } from '../reading/collect-problems.ts'
import type { Path } from '../reading/json-text.ts'
import { inTurns, Turn } from '../runtime/give-way.ts'
import { ProblemList } from '../reading/problem-list.ts'
import { readSource, sourceFromObject, type Source } from '../reading/source-file.ts'

/** What loading documents depends on. */
export interface LoadOptions extends AssembleOptions {
  /** The absolute path of the package's `fixtures/default.json`. */
  defaultFixture: string
  /** How paths are shown in messages; as they are if left out. */
  displayPath?: (path: string) => string
  /** Why a name is no scenario that an API key can have; asked for only when a document names one. */
  scenarioRule?: () => Promise<(name: string) => string | undefined>
}

/** What fixtures are read from. */
export interface FixtureOptions extends LoadOptions {
  /**
   * Absolute paths of files and folders, and documents in memory; `default` is the default fixture, and so is none at
   * all.
   */
  fixtures: readonly (string | object)[]
}

/** The state right after start, and what the documents say of the sandbox around it. */
export interface Baseline extends Omit<Assembled, 'sandbox'>, Pick<SandboxPart, 'seed' | 'clock'> {
  /** The documents it was made from, as messages name them; the default fixture is `built-in rows`. */
  sources: string[]
}

/**
 * Reads fixtures into the state that a sandbox starts with (design: 3): the documents are laid over each other, gaps
 * are filled from the seed, and everything is checked.
 *
 * @throws {DocumentError} with every problem of every document. @throws {Stopped} when the signal is aborted.
 * @example
 * const { state } = await loadFixtures({ fixtures: [{ customers: [{ id: 'cus_1' }] }], … })
 * state.get('customers', 'cus_1')?.email   // made up, and the same for the same seed
 */
export async function loadFixtures(options: FixtureOptions): Promise<Baseline> {
  // The default fixture alone is known to be right.
  const own = options.fixtures.filter((given) => given !== builtInRows)
  if (own.length === 0) return loadSources([], options)
  const { sources, problems } = await readSources(options)
  return loadSources(sources, options, problems)
}

/**
 * Makes a state of documents that were read, as `loadFixtures` does; what they leave to the default fixture comes
 * from there.
 *
 * @param unread what is wrong with further documents, which could not be read.
 * @throws {DocumentError} with every problem of every document. @throws {Stopped} when the signal is aborted.
 */
export async function loadSources(
  sources: readonly Source[],
  options: LoadOptions,
  unread: ProblemList = new ProblemList({ byLine: true }),
): Promise<Baseline> {
  const shown = shownPath(options, options.defaultFixture)
  const fallback = await readFallback(sources, options.defaultFixture, shown)
  const trusted = sources.length === 0 && unread.size === 0
  const gathered = new Gathered(unread)
  const { scenarioRule, signal } = options
  if (scenarioRule) await refuseScenarios(sources, scenarioRule, gathered, signal)
  if (fallback) await inTurns(gathered.add(fallback.source, fallback.only), signal)
  for (const source of sources) await inTurns(gathered.add(source), signal)
  const { sandbox, ...assembled } = await assemble(gathered, { ...options, trusted })
  const { seed, clock } = sandbox
  const names = sources.map(({ name }) => name)
  return { ...assembled, seed, clock, sources: names.length === 0 ? [builtInName] : names }
}

/** Refuses scenarios that API keys name and nobody knows; what is no list of texts is refused with the rows. */
async function refuseScenarios(
  sources: readonly Source[],
  scenarioRule: () => Promise<(name: string) => string | undefined>,
  { problems }: Gathered,
  signal: AbortSignal | undefined,
): Promise<void> {
  const turn = new Turn(signal)
  let whyUnknown: ((name: string) => string | undefined) | undefined
  for (const source of sources) {
    for (const { name, path } of scenarioNames(source)) {
      if (turn.isOver) await turn.next()
      whyUnknown ??= await scenarioRule()
      const message = whyUnknown(name)
      if (message !== undefined) problems.add({ source, path, message })
    }
  }
}

function* scenarioNames({ value }: Source): Generator<{ name: string; path: Path }> {
  for (const [row, key] of listOf(isJsonObject(value) ? value['api_keys'] : undefined).entries()) {
    for (const [place, name] of listOf(isJsonObject(key) ? key['scenarios'] : undefined).entries()) {
      if (typeof name === 'string') yield { name, path: ['api_keys', row, 'scenarios', place] }
    }
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Reads every document that can be read, and says what is wrong with the others. */
async function readSources(options: FixtureOptions): Promise<{ sources: Source[]; problems: ProblemList }> {
  const sources: Source[] = []
  const problems = new ProblemList({ byLine: true })
  const attempt = async (read: () => Source | Promise<Source>): Promise<void> => {
    const source = await collect(problems, read)
    if (source) sources.push(source)
  }
  let objects = 0
  for (const given of options.fixtures) {
    if (typeof given !== 'string') {
      const name = objects++ === 0 ? 'fixtures' : `fixtures[${objects - 1}]`
      await attempt(() => sourceFromObject(given, name))
      continue
    }
    if (given === builtInRows) {
      await attempt(() => readSource(options.defaultFixture, builtInName))
      continue
    }
    const { files, problem } = await documentFiles(given, shownPath(options, given))
    if (problem) problems.add(problem)
    for (const path of files) {
      const folder = path === given ? {} : { folder: given }
      await attempt(async () => ({ ...(await readSource(path, shownPath(options, path))), ...folder }))
    }
  }
  return { sources, problems }
}

function shownPath({ displayPath }: LoadOptions, path: string): string {
  return displayPath?.(path) ?? path
}
