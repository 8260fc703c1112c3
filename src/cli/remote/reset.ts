import { connect } from './connect.ts'
import { standing } from './control-client.ts'
import { exitCodes, type Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

/** Takes a workspace of a running sandbox back to what it began with. */
export async function reset(flags: FlagValues, io: Io): Promise<number> {
  const { workspace, text } = await (await connect(flags, io)).ask('POST', '/reset', standing)
  io.stderr(`Reset workspace '${workspace}': ${text}\n`)
  return exitCodes.fine
}
