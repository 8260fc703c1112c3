// The option --detach of start: starts the same command again in a session of its own, and ends as soon as that one
// serves.
import { devNull } from 'node:os'
import { flagOf, variableOf, type CommandSettings } from '../../options/index.ts'
import { exitCodes, type CommandIo } from '../io.ts'
import { isJsonObject } from '../../contract/formats.ts'
import { valueOfJson } from '../json.ts'
import { createLog } from '../log.ts'
import { pageAddress } from './open-page.ts'

/**
 * Prints the output of the started sandbox and its process id, and detaches from it. If it fails to serve, it has
 * printed why, and its exit code is returned.
 *
 * @param argv the arguments, including `--detach`.
 * @param notice a notice for the operator that would be lost in its log.
 */
export async function detach(
  argv: readonly string[],
  options: CommandSettings,
  io: CommandIo,
  notice: string | undefined,
): Promise<number> {
  const { logFile, quiet, logFormat } = options
  const words = withoutStore(argv.filter((word) => word !== '--detach'))
  // Any user of the machine can read the arguments of a process, which would include its password.
  const env = { ...io.env, [variableOf('store')]: options.store }
  // Its stderr has no reader after this process ends.
  if (logFile === undefined) words.push(flagOf('logFile'), devNull)
  const child = await io.startDetached([...io.self, ...words], { cwd: io.cwd, env })
  const firstLine = await Promise.race([child.firstLine, io.stopped])
  if (firstLine === undefined) {
    // It failed, or the wait was aborted.
    child.kill('SIGTERM')
    const code = await child.ended
    io.stderr(child.errors())
    return code === exitCodes.fine ? exitCodes.interrupted : code
  }
  io.stderr(child.errors())
  const log = createLog(io, { quiet, format: logFormat })
  if (notice !== undefined) log.notice(notice)
  const [url] = /https?:[^\s"]+/.exec(firstLine) ?? []
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
