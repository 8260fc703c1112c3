// The verb openapi: prints the API as an OpenAPI document, for a sandbox on the default port.
import { optionTable } from '../../options/index.ts'
import { createSandbox } from '../../sandbox/index.ts'
import type { Io } from '../io.ts'
import { jsonLines } from '../json.ts'
import { writeResult } from '../output.ts'
import { libraryOptions, readSettings, type FlagValues } from '../settings.ts'

export async function openapi(flags: FlagValues, io: Io): Promise<void> {
  const settings = await readSettings(flags, io)
  const sandbox = await createSandbox(
    libraryOptions(settings, ['environment', 'assume', 'calibrated', 'webhooks', 'baseUrl']),
  )
  const document = await sandbox.openapi(`http://${optionTable.host.default}:${settings.port}`, {
    sandbox: flags['sandbox'] === true,
    control: flags['control'] === true,
  })
  await writeResult([jsonLines(document)], flags['output'], io, 'the OpenAPI document')
}
