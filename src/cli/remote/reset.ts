// The verb reset: takes a workspace of a running sandbox back to what it began with.
import { connect } from './connect.ts'
import { standing } from './control-client.ts'
import type { Io } from '../io.ts'
import type { FlagValues } from '../settings.ts'

export async function reset(flags: FlagValues, io: Io): Promise<void> {
  const { workspace, text } = await (await connect(flags, io)).ask('POST', '/reset', standing)
  io.stderr(`Reset workspace '${workspace}': ${text}\n`)
}
