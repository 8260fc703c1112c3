// The option --detach of start: starts the same once more in a session of its own, and ends once that one serves.
import { devNull } from 'node:os'
import { flagOf, variableOf, type CommandSettings } from '../../options/index.ts'
import { exitCodes, type CommandIo } from '../io.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { valueOfJson } from '../json.ts'
import { createLog } from '../log.ts'
import { pageAddress } from './open-page.ts'

/**
 * Prints what the started sandbox prints, and its process id, and leaves it to itself. One that does not come to serve
 * has told why, and its exit code is this one's.
 *
 * @param argv the line with `--detach` in it.
 * @param notice what its operator should know, which nobody would read in its log.
 */
export async function detach(
  argv: readonly string[],
  options: CommandSettings,
  io: CommandIo,
  notice: string | undefined,
): Promise<number> {
  const { logFile, quiet, logFormat } = options
  const words = withoutStore(argv.filter((word) => word !== '--detach'))
  // Anybody on the machine may read the words of a process, and its password would be among them.
  const env = { ...io.env, [variableOf('store')]: options.store }
  // Nobody reads its stderr once this process is gone.
  if (logFile === undefined) words.push(flagOf('logFile'), devNull)
  const child = await io.startDetached([...io.self, ...words], { cwd: io.cwd, env })
  const firstLine = await Promise.race([child.firstLine, io.stopped])
  if (firstLine === undefined) {
    // It gave up, or it is not waited for any longer.
    child.kill('SIGTERM')
    const code = await child.ended
    io.stderr(child.errors())
    return code === exitCodes.fine ? exitCodes.interrupted : code
  }
  io.stderr(child.errors())
  const log = createLog(io, { quiet, format: logFormat })
  if (notice !== undefined) log.notice(notice)
  const [url] = /http:[^\s"]+/.exec(firstLine) ?? []
  const page = url && pageAddress(url, options)
  if (page && logFormat === 'pretty') log.notice(`Inspector: ${page}`)
  log.flush()
  io.stdout(firstLine)
  if (!isJsonObject(valueOfJson(firstLine))) io.stdout(`pid ${child.pid}\n`)
  child.release()
  return exitCodes.fine
}

function withoutStore(words: readonly string[]): string[] {
  const flag = flagOf('store')
  return words.filter((word, at) => word !== flag && words[at - 1] !== flag && !word.startsWith(`${flag}=`))
}
