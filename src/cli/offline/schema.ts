import { closest } from '../../reading/did-you-mean.ts'
import { schemaNames, type SchemaName } from '../../verbs/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, exitCodes, type Io } from '../io.ts'

/** Prints the JSON Schema of a kind of file. */
export async function schema(kind: string, io: Io): Promise<number> {
  if (!isSchemaName(kind)) {
    const guess = closest(kind, schemaNames)
    const hint =
      guess === undefined ? `expected one of: ${schemaNames.join(', ')}` : `did you mean '${guess}'?`
    throw new CliError(`error: unknown kind '${kind}', ${hint}`, exitCodes.usage)
  }
  const sandbox = await createSandbox()
  io.stdout(`${JSON.stringify(await sandbox.schema(kind), null, 2)}\n`)
  return exitCodes.fine
}

function isSchemaName(kind: string): kind is SchemaName {
  return (schemaNames as readonly string[]).includes(kind)
}
