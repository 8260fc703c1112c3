// The verb scenarios: lists the scenarios, or shows one with its document.
import { didYouMean } from '../../input/did-you-mean.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

export async function scenarios(name: string | undefined, flags: FlagValues, io: Io): Promise<void> {
  const options = libraryOptions(await readSettings(flags, io), ['scenario', 'scenarioLibrary'])
  const sandbox = await createSandbox(options)
  const known = await sandbox.scenarios.list()
  const names = known.map((scenario) => scenario.name)
  const isJson = flags['format'] === 'json'
  if (name === undefined) {
    if (isJson) return io.stdout(jsonLines({ scenarios: known }))
    const width = Math.max(...names.map(({ length }) => length))
    for (const scenario of known) io.stdout(`${scenario.name.padEnd(width)}  ${scenario.description}\n`)
    return
  }
  const found = await sandbox.scenarios.get(name)
  if (!found) {
    const hint = didYouMean(name, names, ', without a name, all are listed')
    throw new CliError(`error: unknown scenario '${name}'${hint}`)
  }
  if (isJson) return io.stdout(jsonLines(found))
  const { stringify } = await import('yaml')
  io.stdout(stringify(found.document))
}
