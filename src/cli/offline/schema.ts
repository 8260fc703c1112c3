// The verb schema: prints the JSON Schema of fixtures or of scenario files.
import { closest } from '../../reading/closest.ts'
import { schemaNames } from '../../verbs/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'

export async function schema(kind: string, io: Io): Promise<void> {
  const name = schemaNames.find((known) => known === kind)
  if (name === undefined) {
    const guess = closest(kind, schemaNames)
    const hint =
      guess === undefined ? `expected one of: ${schemaNames.join(', ')}` : `did you mean '${guess}'?`
    throw new CliError(`error: unknown kind '${kind}', ${hint}`)
  }
  const sandbox = await createSandbox()
  io.stdout(jsonLines(await sandbox.schema(name)))
}
