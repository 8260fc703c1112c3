// The verb start: serves until the process is asked to end.
import { reportOther } from '../../runs/run-folder.ts'
import type { Io } from '../io.ts'
import { cannotSave, serveWhile } from './serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/**
 * The first line on stdout is stable and printed once the port is bound and everything is loaded; whatever else there
 * is to say goes to stderr.
 */
export async function start(flags: FlagValues, io: Io): Promise<void> {
  const options = await readSettings(flags, io)
  reportOther(io.env, 'start')
  await serveWhile(options, io, async ({ sandbox, log, firstLine, follow, lost }) => {
    io.stdout(firstLine)
    log.ready(sandbox)
    const failure = await Promise.race([io.stopped, follow(), lost])
    if (failure) throw cannotSave(failure)
  })
}
