// The verb schema: prints the JSON Schema of fixtures or of scenario files.
import { didYouMean } from '../../reading/did-you-mean.ts'
import { schemaNames, type SchemaName } from '../../verbs/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'

export async function schema(kind: string, io: Io): Promise<void> {
  if (!isSchemaName(kind)) {
    throw new CliError(`error: unknown kind '${kind}'${didYouMean(kind, schemaNames)}`)
  }
  const sandbox = await createSandbox()
  io.stdout(jsonLines(await sandbox.schema(kind)))
}

function isSchemaName(kind: string): kind is SchemaName {
  return (schemaNames as readonly string[]).includes(kind)
}
