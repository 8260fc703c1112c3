// The verb validate: checks state documents and scenarios, or what start would load, and prints every problem.
import { resolve } from 'node:path'
import { shownPath } from '../../runtime/host.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { documentFiles } from '../../reading/document-files.ts'
import { collect } from '../../reading/collect-problems.ts'
import { formatProblems, type Problem } from '../../reading/problems.ts'
import { readSource } from '../../reading/source-file.ts'
import { exitCodes, type Io } from '../io.ts'
import { isScenario } from '../read-files.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

export async function validate(files: readonly string[], flags: FlagValues, io: Io): Promise<number> {
  const asked = flags['format']
  const format = asked === 'json' || asked === 'github' ? asked : 'text'
  const warnings: Problem[] = []
  const problems = await problemsOf(files, flags, io, (warning) => warnings.push(warning))
  if (format === 'json' || problems.length + warnings.length > 0) {
    io.stdout(`${formatProblems(problems, format, warnings)}\n`)
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
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  const attempt = <T>(work: () => Promise<T>): Promise<T | undefined> => collect(problems, work)
  const settings = await attempt(() => readSettings(flags, io))
  if (!settings) return problems
  const state = libraryOptions(settings, ['fixtures', 'assume', 'allowAnyPan', 'generate', 'seed'])
  const documents: string[] = []
  const given: string[] = []
  for (const path of await filesIn(files, io, problems)) {
    const source = await attempt(() => readSource(path, shownPath(path, io.cwd)))
    if (source) (isScenario(source) ? given : documents).push(path)
  }
  const { scenarios, scenarioLibrary } = settings
  const known = { scenarios, scenarioLibrary: [...scenarioLibrary, ...given] }
  await attempt(() => createSandbox(known))
  if (files.length === 0) await attempt(() => createSandbox({ ...state, ...known }, { onWarning }))
  else if (documents.length > 0)
    await attempt(() => createSandbox({ ...state, ...known, fixtures: documents }, { onWarning }))
  // Documents that name scenarios are read with them, which tells the problems of the scenarios again.
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}

/** The files that were given, and those of the folders. */
async function filesIn(given: readonly string[], io: Io, problems: Problem[]): Promise<string[]> {
  const found: string[] = []
  for (const name of given) {
    const path = resolve(io.cwd, name)
    const { files, problem } = await documentFiles(path, shownPath(path, io.cwd))
    found.push(...files)
    if (problem) problems.push(problem)
  }
  return found
}
