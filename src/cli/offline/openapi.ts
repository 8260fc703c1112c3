import { optionTable } from '../../options/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { exitCodes, type Io } from '../io.ts'
import { writeResult } from '../output.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/** Prints the API as an OpenAPI document, as a sandbox on the default port would serve it. */
export async function openapi(flags: FlagValues, io: Io): Promise<number> {
  const { environment, assume, baseUrl, port } = await readSettings(flags, io)
  const sandbox = await createSandbox({ environment, assume, ...(baseUrl === undefined ? {} : { baseUrl }) })
  const document = await sandbox.openapi(`http://${optionTable.host.default}:${port}`)
  await writeResult([`${JSON.stringify(document, null, 2)}\n`], flags['output'], io)
  return exitCodes.fine
}
