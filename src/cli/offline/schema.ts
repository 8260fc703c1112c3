// The verb schema: prints the JSON Schema of fixtures, of scenario files, or of the targets of conform and calibrate.
import { didYouMean } from '../../input/did-you-mean.ts'
import { schemaNames } from '../../operations/schema-names.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { CliError, type Io } from '../io.ts'
import { jsonLines } from '../json.ts'

/** No sandbox serves the schema of target files: they describe a service. */
const schemaKinds = [...schemaNames, 'target'] as const

export async function schema(kind: string, io: Io): Promise<void> {
  if (kind === 'target') {
    const { targetJsonSchema } = await import('../../probe/target.ts')
    io.stdout(jsonLines(targetJsonSchema()))
    return
  }
  const name = schemaNames.find((known) => known === kind)
  if (name === undefined) {
    throw new CliError(`error: unknown kind '${kind}'${didYouMean(kind, schemaKinds)}`)
  }
  const sandbox = await createSandbox()
  io.stdout(jsonLines(await sandbox.schema(name)))
}
