import { CliError, exitCodes, type Io } from './io.ts'
import type { FlagValues } from './settings.ts'

/** Where a running sandbox is: `--url`, else `SANDBOX_URL`, else the default port. */
export function sandboxUrl(flags: FlagValues, io: Io): string {
  const flag = flags['url']
  const source = typeof flag === 'string' ? '--url' : 'SANDBOX_URL'
  const url = typeof flag === 'string' ? flag : io.env['SANDBOX_URL'] || 'http://127.0.0.1:4010'
  if (!URL.canParse(url)) throw new CliError(`error: ${source}: '${url}' is not a URL`, exitCodes.usage)
  return url.replace(/\/$/, '')
}

const patienceMs = 5_000

/** Asks a running sandbox how it is; exit code 1 when it is degraded or cannot be reached. */
export async function health(flags: FlagValues, io: Io): Promise<number> {
  const url = sandboxUrl(flags, io)
  let answer: Response
  try {
    answer = await fetch(`${url}/_sandbox/health`, { signal: AbortSignal.timeout(patienceMs) })
  } catch {
    throw new CliError(
      `error: no sandbox answers at ${url}: start one, or name it with --url`,
      exitCodes.unexpected,
    )
  }
  io.stdout(`${(await answer.text()).trim()}\n`)
  return answer.ok ? exitCodes.fine : exitCodes.unexpected
}
