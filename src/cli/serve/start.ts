import { exitCodes, type Io } from '../io.ts'
import { cannotSave, serveWhile } from './serving.ts'
import { readSettings, type FlagValues } from '../settings.ts'

/**
 * Serves until the process is asked to end. The first line on stdout is stable and printed once the port is bound
 * and everything is loaded; whatever else there is to say goes to stderr.
 */
export async function start(flags: FlagValues, io: Io): Promise<number> {
  const stopping = new AbortController()
  void io.stopped.then(() => stopping.abort())
  try {
    const options = await readSettings(flags, io)
    await serveWhile(options, io, stopping.signal, async ({ sandbox, log, firstLine, follow, lost }) => {
      io.stdout(firstLine)
      log.ready(sandbox)
      const failure = await Promise.race([io.stopped, follow(), lost])
      if (failure) throw cannotSave(failure)
    })
    return exitCodes.fine
  } finally {
    // Whatever ended it, nothing is watched any longer.
    stopping.abort()
  }
}
