import { didYouMean } from '../../reading/did-you-mean.ts'
import { schemaNames, type SchemaName } from '../../verbs/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, exitCodes, type Io } from '../io.ts'

/** Prints the JSON Schema of a kind of file. */
export async function schema(kind: string, io: Io): Promise<number> {
  if (!isSchemaName(kind)) {
    throw new CliError(`error: unknown kind '${kind}'${didYouMean(kind, schemaNames)}`, exitCodes.usage)
  }
  const sandbox = await createSandbox()
  io.stdout(`${JSON.stringify(await sandbox.schema(kind), null, 2)}\n`)
  return exitCodes.fine
}

function isSchemaName(kind: string): kind is SchemaName {
  return (schemaNames as readonly string[]).includes(kind)
}
