import { didYouMean } from '../../reading/did-you-mean.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, exitCodes, type Io } from '../io.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/** Lists the scenarios, or shows one: what it does and its document. */
export async function scenarios(name: string | undefined, flags: FlagValues, io: Io): Promise<number> {
  const { scenarios: given, scenarioLibrary } = await readSettings(flags, io)
  const sandbox = await createSandbox({ scenarios: given, scenarioLibrary })
  const known = await sandbox.scenarios.list()
  if (name === undefined) {
    const width = Math.max(...known.map((scenario) => scenario.name.length))
    for (const scenario of known) io.stdout(`${scenario.name.padEnd(width)}  ${scenario.description}\n`)
    return exitCodes.fine
  }
  const found = await sandbox.scenarios.get(name)
  if (!found) {
    const names = known.map((scenario) => scenario.name)
    const hint = didYouMean(name, names, ', without a name, all are listed')
    throw new CliError(`error: unknown scenario '${name}'${hint}`, exitCodes.usage)
  }
  const { stringify } = await import('yaml')
  io.stdout(stringify(found.document))
  return exitCodes.fine
}
