// The verb scenarios: lists the scenarios, or shows one with its document.
import { didYouMean } from '../../reading/did-you-mean.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, type Io } from '../io.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

export async function scenarios(name: string | undefined, flags: FlagValues, io: Io): Promise<void> {
  const given = libraryOptions(await readSettings(flags, io), ['scenario', 'scenarioLibrary'])
  const sandbox = await createSandbox(given)
  const known = await sandbox.scenarios.list()
  if (name === undefined) {
    const width = Math.max(...known.map((scenario) => scenario.name.length))
    for (const scenario of known) io.stdout(`${scenario.name.padEnd(width)}  ${scenario.description}\n`)
    return
  }
  const found = await sandbox.scenarios.get(name)
  if (!found) {
    const names = known.map((scenario) => scenario.name)
    const hint = didYouMean(name, names, ', without a name, all are listed')
    throw new CliError(`error: unknown scenario '${name}'${hint}`)
  }
  const { stringify } = await import('yaml')
  io.stdout(stringify(found.document))
}
