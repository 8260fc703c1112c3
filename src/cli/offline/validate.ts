// The verb validate: validates state documents and scenarios, or the files that start would load, and prints every
// problem.
import { resolve } from 'node:path'
import { shownPath } from '../../runtime/host.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { documentFiles } from '../../input/document-files.ts'
import { collect } from '../../input/collect-problems.ts'
import { ProblemList } from '../../input/problem-list.ts'
import { DocumentError, formatProblems, type Problem } from '../../input/problems.ts'
import { readSource } from '../../input/source-file.ts'
import { exitCodes, type Io } from '../io.ts'
import { isScenario } from '../read-files.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

export async function validate(files: readonly string[], flags: FlagValues, io: Io): Promise<number> {
  const requested = flags['format']
  const format = requested === 'json' || requested === 'github' ? requested : 'text'
  const warnings: Problem[] = []
  const found = await problemsOf(files, flags, io, (warning) => warnings.push(warning))
  const { problems = [], more = 0 } = found ?? {}
  if (format === 'json' || problems.length + warnings.length > 0) {
    io.stdout(`${formatProblems(problems, format, more, warnings)}\n`)
  }
  if (problems.length > 0) return exitCodes.badFile
  if (format === 'text') io.stderr('No problems.\n')
  return exitCodes.fine
}

async function problemsOf(
  files: readonly string[],
  flags: FlagValues,
  io: Io,
  onWarning: (warning: Problem) => void,
): Promise<DocumentError | undefined> {
  const problems = new ProblemList()
  try {
    await checkAll(files, flags, io, problems, onWarning)
    problems.throwIfAny()
    return undefined
  } catch (error) {
    if (error instanceof DocumentError) return error
    throw error
  }
}

/** @throws {DocumentError} at the limit of problems. */
async function checkAll(
  files: readonly string[],
  flags: FlagValues,
  io: Io,
  problems: ProblemList,
  onWarning: (warning: Problem) => void,
): Promise<void> {
  const reported = new Set<string>()
  /** Documents that name scenarios are read with them, which reports the problems of the scenarios again. */
  const isReported = (problem: Problem): boolean => {
    const text = JSON.stringify(problem)
    return reported.has(text) || !reported.add(text)
  }
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> =>
    collect(problems, async () => {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof DocumentError)) throw error
        const unreported = error.problems.filter((problem) => !isReported(problem))
        if (unreported.length === 0) return undefined
        throw new DocumentError(unreported, error.more)
      }
    })
  const settings = await attempt(() => readSettings(flags, io))
  if (!settings) return
  const state = libraryOptions(settings, [
    'fixtures',
    'assume',
    'calibrated',
    'allowAnyPan',
    'generate',
    'seed',
  ])
  const documents: string[] = []
  const scenarioFiles: string[] = []
  for (const { path: named, files: found } of await filesIn(files, io, problems)) {
    const own: string[] = []
    for (const path of found) {
      const source = await attempt(() => readSource(path, shownPath(path, io.cwd)))
      if (source) (isScenario(source) ? scenarioFiles : own).push(path)
    }
    // A folder with only state documents is read as one, as `start` reads it.
    documents.push(...(own.length === found.length ? [named] : own))
  }
  const { scenarios, scenarioLibrary } = settings
  const known = { scenarios, scenarioLibrary: [...scenarioLibrary, ...scenarioFiles] }
  await attempt(() => createSandbox(known))
  if (files.length === 0) await attempt(() => createSandbox({ ...state, ...known }, { onWarning }))
  else if (documents.length > 0)
    await attempt(() => createSandbox({ ...state, ...known, fixtures: documents }, { onWarning }))
}

/** Returns the files, including those of folders. */
async function filesIn(
  names: readonly string[],
  io: Io,
  problems: ProblemList,
): Promise<{ path: string; files: string[] }[]> {
  const found: { path: string; files: string[] }[] = []
  for (const name of names) {
    const path = resolve(io.cwd, name)
    const { files, problem } = await documentFiles(path, shownPath(path, io.cwd))
    if (files.length > 0) found.push({ path, files })
    if (problem) problems.add(problem)
  }
  return found
}
